import { sha256 } from '@noble/hashes/sha2.js';
import { bytesToHex, utf8ToBytes } from '@noble/hashes/utils.js';
import canonicalize from 'canonicalize';
import { HandoffError } from './errors.ts';
import { limits } from './limits.ts';

/** A value that JSON can carry. */
export type Json = null | boolean | number | string | Json[] | { [key: string]: Json };

/**
 * The canonical JSON text of a value (RFC 8785): equal values have equal bytes on every machine.
 * Members that JSON cannot carry (`undefined`, functions) are left out, as `JSON.stringify` does.
 *
 * @throws HandoffError `invalid_input` for circular values, lone surrogates, NaN, infinities and big integers,
 * and `too_large` for nesting beyond `limits.json_depth_max`.
 */
export function encodeCanonicalJson(value: unknown): string {
  // What was canonical when it was read is so still, mostly: the language's own writer takes a third of the time.
  if (isCanonical(value, 0)) return JSON.stringify(value);
  assertDepth(value);
  const text = attempt(value);
  if (text === undefined) {
    throw new HandoffError('invalid_input', 'The value has no JSON form: it is undefined, a function or a symbol.', {
      alternatives: ['Pass an object, array, string, number, boolean or null.'],
    });
  }
  return text;
}

/** What JSON carries of a value, as a copy that nobody else has, and its canonical text. @throws HandoffError as above. */
export function writeCanonicalJson(value: unknown): { value: Json; text: string } {
  const copy = countLeft(value, PLAIN_DEPTH_MAX, PLAIN_OBJECTS_MAX) < 0 ? undefined : copyInOrder(value);
  if (copy !== undefined) return { value: copy, text: JSON.stringify(copy) };
  const text = encodeCanonicalJson(value);
  return { value: JSON.parse(text) as Json, text };
}

/** A plain copy of a value, exactly as JSON carries it: own keys only, `__proto__` as an ordinary key. */
export function toJson(value: unknown): Json {
  return JSON.parse(encodeCanonicalJson(value)) as Json;
}

/** Lower-case hexadecimal SHA-256 of a text's UTF-8 bytes. */
export function sha256Hex(text: string): string {
  // Node's own takes a tenth of the time; a browser has none that answers at once.
  const native = globalThis.process?.getBuiltinModule?.('node:crypto');
  return native === undefined ? sha256HexOf(utf8ToBytes(text)) : native.hash('sha256', text);
}

/** Lower-case hexadecimal SHA-256 of bytes. */
export function sha256HexOf(bytes: Uint8Array): string {
  return bytesToHex(sha256(bytes));
}

/** SHA-256 of a value's canonical JSON: the identity of a content and of a request. */
export function hashJson(value: unknown): string {
  return sha256Hex(encodeCanonicalJson(value));
}

/** Deeper values go the longer way, which bounds them; so do larger ones, for one object may stand in many places. */
const PLAIN_DEPTH_MAX = 16;
const PLAIN_OBJECTS_MAX = 20_000;

/** How many of so many objects a value leaves over; negative where it has more of them, or is deeper. */
function countLeft(value: unknown, depth: number, objects: number): number {
  if (value === null || typeof value !== 'object') return objects;
  if (depth === 0) return -1;
  let left = objects - 1;
  for (const child of Object.values(value)) {
    if (left < 0) return left;
    if (typeof child === 'object') left = countLeft(child, depth - 1, left);
  }
  return left;
}

/** A copy with the names of all members in their order; undefined for what is not plain JSON. */
function copyInOrder(value: unknown): Json | undefined {
  switch (typeof value) {
    case 'string':
      return value.isWellFormed() ? value : undefined;
    case 'number':
      // JSON has one zero.
      return Number.isFinite(value) ? value + 0 : undefined;
    case 'boolean':
      return value;
    case 'object':
      if (value === null) return null;
      return Array.isArray(value) ? copyList(value) : copyObject(value);
    default:
      return undefined;
  }
}

function copyList(list: readonly unknown[]): Json[] | undefined {
  if (Object.getPrototypeOf(list) !== Array.prototype) return undefined;
  const copies: Json[] = [];
  for (let index = 0; index < list.length; index += 1) {
    const copy = copyInOrder(list[index]);
    if (copy === undefined) return undefined;
    copies.push(copy);
  }
  return copies;
}

function copyObject(object: object): Json | undefined {
  if (Object.getPrototypeOf(object) !== Object.prototype) return undefined;
  const copies: Record<string, Json> = {};
  for (const name of Object.keys(object).sort()) {
    const value: unknown = (object as Record<string, unknown>)[name];
    if (value === undefined) continue;
    const copy = isPlainName(name) ? copyInOrder(value) : undefined;
    if (copy === undefined) return undefined;
    copies[name] = copy;
  }
  return copies;
}

/** Names that are numbers come first in any object, and one name is that of its prototype. */
function isPlainName(name: string): boolean {
  const first = name.charCodeAt(0);
  return (first < 48 || first > 57) && name !== '__proto__' && name.isWellFormed();
}

/** Whether a value is plain JSON with the names of all its members in their order already. */
function isCanonical(value: unknown, depth: number): boolean {
  switch (typeof value) {
    case 'string':
      return value.isWellFormed();
    case 'number':
      return Number.isFinite(value);
    case 'boolean':
      return true;
    case 'object':
      if (value === null) return true;
      if (depth === PLAIN_DEPTH_MAX) return false;
      return Array.isArray(value) ? isCanonicalList(value, depth) : isCanonicalObject(value, depth);
    default:
      return false;
  }
}

function isCanonicalList(list: readonly unknown[], depth: number): boolean {
  if (Object.getPrototypeOf(list) !== Array.prototype) return false;
  for (let index = 0; index < list.length; index += 1) if (!isCanonical(list[index], depth + 1)) return false;
  return true;
}

/** A name below the one before it, in UTF-16 units as the canonical order has them, sends the whole the longer way. */
function isCanonicalObject(object: object, depth: number): boolean {
  if (Object.getPrototypeOf(object) !== Object.prototype) return false;
  let before = '';
  for (const [name, value] of Object.entries(object)) {
    if (name < before || !name.isWellFormed() || !isCanonical(value, depth + 1)) return false;
    before = name;
  }
  return true;
}

function attempt(value: unknown): string | undefined {
  try {
    return canonicalize(value);
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message : String(cause);
    throw new HandoffError('invalid_input', `The value cannot be written as JSON: ${reason}.`, {
      cause,
      alternatives: ['Remove circular references, lone surrogates, NaN, infinities and big integers.'],
    });
  }
}

/**
 * Walks without recursion; a circular value reaches the bound too, and is named as what it is.
 *
 * @throws HandoffError `too_large` for nesting beyond `limits.json_depth_max`.
 */
export function assertDepth(root: unknown): void {
  if (countLeft(root, PLAIN_DEPTH_MAX, PLAIN_OBJECTS_MAX) >= 0) return;
  const open: { value: unknown; depth: number }[] = [{ value: root, depth: 0 }];
  const seen = new Map<object, number>();
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    const { value, depth } = next;
    if (value === null || typeof value !== 'object') continue;
    if ((seen.get(value) ?? -1) >= depth) continue;
    seen.set(value, depth);
    if (depth > limits.json_depth_max) {
      throw new HandoffError(
        'too_large',
        `The value is circular or nested deeper than ${limits.json_depth_max} levels.`,
        { alternatives: ['Flatten it, or store it in a file and reference the file.'] },
      );
    }
    for (const child of Object.values(value)) open.push({ value: child, depth: depth + 1 });
  }
}
