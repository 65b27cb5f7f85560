import { HandoffError } from '../../core/errors.ts';
import { limits } from '../../core/limits.ts';
import type { FrontMatter, FrontMatterValue } from './front-matter-value.ts';
import { resolvePlainScalar } from './plain-scalar.ts';

/**
 * Writes fields as YAML that every reader, of YAML 1.1 and 1.2, understands alike: texts that any of them might take for
 * something else are quoted. Ends with a newline where there is a field; fields that are undefined are left out.
 *
 * @throws HandoffError `invalid_input`, with the field, for a value that has no such form: a function, a date object, a
 * number such as 1e21, half of a character.
 */
export function encodeFrontMatter(fields: Readonly<Record<string, unknown>>): string {
  return encodeFields(fields, '', '');
}

function encodeFields(fields: Readonly<Record<string, unknown>>, indent: string, path: string): string {
  return Object.entries(fields)
    .filter(([, value]) => value !== undefined)
    .map(([name, value]) => {
      const field = path === '' ? name : `${path}.${name}`;
      if (name === '__proto__') throw refused(field, 'is a name that no field may have');
      return `${indent}${encodeName(name, field)}:${encodeValue(value, indent, field)}`;
    })
    .join('');
}

/** What follows a colon or a dash: on the same line, or below it. */
function encodeValue(value: unknown, indent: string, field: string): string {
  // Two spaces a level; a value that holds itself would never end.
  if (indent.length > 2 * limits.front_matter_depth_max) throw refused(field, 'is nested too deeply');
  if (Array.isArray(value)) return value.length === 0 ? ' []\n' : `\n${encodeItems(value, `${indent}  `, field)}`;
  if (!isFields(value)) return ` ${encodeScalar(value, field)}\n`;
  const below = encodeFields(value, `${indent}  `, field);
  return below === '' ? ' {}\n' : `\n${below}`;
}

function encodeItems(items: readonly unknown[], indent: string, path: string): string {
  return items
    .map((item, index) => {
      const field = `${path}[${index}]`;
      const below = isFields(item) ? encodeFields(item, `${indent}  `, field) : '';
      // The first field of a mapping follows the dash.
      if (below !== '') return `${indent}- ${below.slice(indent.length + 2)}`;
      return `${indent}-${encodeValue(item, indent, field)}`;
    })
    .join('');
}

function isFields(value: unknown): value is Readonly<Record<string, unknown>> {
  if (typeof value !== 'object' || value === null) return false;
  const prototype = Object.getPrototypeOf(value);
  return prototype === Object.prototype || prototype === null;
}

function encodeScalar(value: unknown, field: string): string {
  if (value === null || typeof value === 'boolean') return String(value);
  if (typeof value === 'string') return encodeText(value, field);
  if (typeof value !== 'number') throw refused(field, `is ${typeNameOf(value)}, which front matter cannot hold`);
  const text = String(value);
  if (resolvePlainScalar(text) !== value) throw refused(field, 'is a number without a plain decimal form');
  return text;
}

function typeNameOf(value: unknown): string {
  return typeof value === 'object' ? `an object of ${value?.constructor?.name ?? 'its own'}` : `a ${typeof value}`;
}

/** Begins with a letter, and holds nothing that means something in YAML. */
const plain = /^[\p{L}](?:[\p{L}\p{N}_./()+@ -]*[\p{L}\p{N}_./()+@-])?$/u;

/** Words that one reader or another takes for a truth or for nothing. */
const word = /^(?:y|n|yes|no|on|off|true|false|null)$/i;

function encodeText(text: string, field: string): string {
  if (!text.isWellFormed()) throw refused(field, 'contains a lone surrogate');
  if (plain.test(text) && !word.test(text)) return text;
  return /[\p{Cc}\p{Zl}\p{Zp}\ufeff\ufffe\uffff]/u.test(text) ? encodeEscaped(text) : `'${text.replaceAll("'", "''")}'`;
}

/** JSON escapes what it must; the rest here are characters that readers of YAML refuse or take for a line's end. */
function encodeEscaped(text: string): string {
  return JSON.stringify(text).replace(
    /[\x7f-\x9f\u2028\u2029\ufeff\ufffe\uffff]/g,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
}

function encodeName(name: string, field: string): string {
  return /^[A-Za-z_][\w./-]{0,99}$/.test(name) && !word.test(name) ? name : quotedName(name, field);
}

function quotedName(name: string, field: string): string {
  const text = encodeText(name, field);
  return /^['"]/.test(text) ? text : `'${text}'`;
}

function refused(field: string, reason: string): HandoffError {
  return new HandoffError('invalid_input', `The field ${field} ${reason}.`, {
    details: { field, reason },
    alternatives: ['Give strings, numbers, booleans, lists and plain objects of them.'],
  });
}

/** Whether two values of front matter are the same, the order of fields apart. */
export function isSameValue(left: FrontMatterValue | undefined, right: FrontMatterValue | undefined): boolean {
  if (typeof left !== 'object' || typeof right !== 'object' || left === null || right === null) return left === right;
  if (Array.isArray(left) !== Array.isArray(right)) return false;
  const [a, b] = [left as FrontMatter, right as FrontMatter];
  const names = Object.keys(a);
  return (
    names.length === Object.keys(b).length &&
    names.every((name) => Object.hasOwn(b, name) && isSameValue(a[name], b[name]))
  );
}
