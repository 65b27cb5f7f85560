import {
  type Document,
  isAlias,
  isMap,
  isScalar,
  isSeq,
  type Node,
  type ParsedNode,
  parseDocument,
  Scalar,
} from 'yaml';
import type { ParseError } from '../../core/errors.ts';
import { limits } from '../../core/limits.ts';
import type { FrontMatter, FrontMatterValue } from './front-matter-value.ts';
import { type Fault, faultIn, type TextPlace } from './place.ts';
import { resolvePlainScalar } from './plain-scalar.ts';

/**
 * Front matter as the YAML library sees it: all of YAML 1.2, but without tags, with every scalar as its text.
 *
 * @throws ParseError for what is no YAML, or has an anchor to nothing.
 */
export function composeYaml(matter: string, place: TextPlace): Document.Parsed<ParsedNode> {
  assertReadable(matter, place);
  try {
    // Keys are compared by the reader below: the library compares each with each.
    const document = parseDocument(matter, {
      schema: 'failsafe',
      uniqueKeys: false,
      prettyErrors: false,
      logLevel: 'silent',
    });
    const [error] = document.errors;
    if (error !== undefined) throw faultIn(matter, place, faultOf(error.message, error.pos[0]));
    return document;
  } catch (error) {
    // The library composes nested values by recursion; nothing of it is left once the stack is unwound.
    if (error instanceof RangeError) throw faultIn(matter, place, tooDeep(0));
    throw error;
  }
}

/**
 * Reads any front matter there is. Aliases are repeated, so that no two fields share one object.
 *
 * @throws ParseError for what is no YAML, no mapping, holds a tag, a field twice, `__proto__`, or more values or deeper
 * nesting than the bounds allow.
 */
export function readWholeYaml(matter: string, place: TextPlace): FrontMatter {
  const document = composeYaml(matter, place);
  const { contents } = document;
  const reader = new WholeYaml(document, (fault) => faultIn(matter, place, fault));
  if (contents === null || (isScalar(contents) && contents.source === '')) return {};
  if (!isMap(contents)) throw faultIn(matter, place, { problem: 'The front matter has no fields', offset: 0 });
  return reader.read(contents, 0) as FrontMatter;
}

/** What YAML does not allow in a text, quoted or not; the library lets it pass. */
const forbidden = /[^\t\n\r -~\x85\xa0-\ufffd]|\r(?!\n)/;

/** The end of a YAML document: text below it would be lost silently. */
const documentEnd = /^\.\.\.(?=\s|$)/m;

function assertReadable(matter: string, place: TextPlace): void {
  const end = matter.search(documentEnd);
  if (end !== -1) throw faultIn(matter, place, { problem: 'The front matter ends within itself', offset: end });
  const found = matter.isWellFormed() ? forbidden.exec(matter) : { index: matter.search(/\p{Cs}/u) };
  if (found === null) return;
  throw faultIn(matter, place, {
    problem: describeCharacter(matter.codePointAt(found.index) ?? 0),
    offset: found.index,
  });
}

/** Bytes that are not UTF-8 are lone surrogates in the text, see `document-bytes.ts`. */
function describeCharacter(code: number): string {
  const name = code.toString(16).toUpperCase().padStart(4, '0');
  return /^DC[89A-F]/.test(name)
    ? `The byte 0x${name.slice(2)} is not UTF-8`
    : `The character U+${name} is not allowed here`;
}

class WholeYaml {
  readonly #document: Document.Parsed;
  readonly #errorOf: (fault: Fault) => ParseError;
  #values = 0;

  constructor(document: Document.Parsed, errorOf: (fault: Fault) => ParseError) {
    this.#document = document;
    this.#errorOf = errorOf;
  }

  read(node: unknown, depth: number): FrontMatterValue {
    const offset = offsetOf(node);
    this.#values += 1;
    if (depth > limits.front_matter_depth_max) throw this.#errorOf(tooDeep(offset));
    if (this.#values > limits.front_matter_values_max) throw this.#errorOf(tooMany(offset));
    if (node === null) return null;
    if (isAlias(node)) return this.read(this.#target(node, offset), depth + 1);
    if ((node as Node).tag !== undefined)
      throw this.#errorOf({ problem: `The tag ${(node as Node).tag} is not read: front matter is plain data`, offset });
    if (isScalar(node)) return this.#readScalar(node, offset);
    if (isSeq(node)) return node.items.map((item) => this.read(item, depth + 1));
    if (isMap(node)) return this.#readFields(node.items, depth);
    throw this.#errorOf({ problem: 'A value could not be read', offset });
  }

  #readScalar(node: Scalar, offset: number): FrontMatterValue {
    const text = String(node.value);
    if (!text.isWellFormed()) throw this.#errorOf({ problem: 'A string contains a lone surrogate', offset });
    return node.type === Scalar.PLAIN ? resolvePlainScalar(text) : text;
  }

  #target(alias: Parameters<typeof isAlias>[0], offset: number): unknown {
    const target = isAlias(alias) ? alias.resolve(this.#document) : undefined;
    if (target === undefined) throw this.#errorOf({ problem: 'An alias has no anchor', offset });
    return target;
  }

  #readFields(pairs: readonly { key: unknown; value: unknown }[], depth: number): FrontMatter {
    const fields: FrontMatter = {};
    for (const { key, value } of pairs) {
      const name = this.#nameOf(key);
      if (Object.hasOwn(fields, name))
        throw this.#errorOf({ problem: `The field ${name} is there twice`, offset: offsetOf(key), field: name });
      fields[name] = this.read(value, depth + 1);
    }
    return fields;
  }

  #nameOf(key: unknown): string {
    const offset = offsetOf(key);
    if (!isScalar(key)) throw this.#errorOf({ problem: 'The name of a field must be a string', offset });
    const name = String(key.value);
    if (key.tag !== undefined || name === '__proto__')
      throw this.#errorOf({ problem: `The name ${name} of a field is not allowed`, offset, field: name });
    return name;
  }
}

function offsetOf(node: unknown): number {
  return (node as { range?: readonly [number, number, number] } | null)?.range?.[0] ?? 0;
}

function tooDeep(offset: number): Fault {
  return { problem: `Values are nested more than ${limits.front_matter_depth_max} deep`, offset };
}

function tooMany(offset: number): Fault {
  return { problem: `There are more than ${limits.front_matter_values_max} values, aliases counted each time`, offset };
}

/** The library reports an overflow of the stack as if it were a fault of syntax, and ends some messages with a full stop. */
function faultOf(message: string, offset: number): Fault {
  return message.includes('call stack') ? tooDeep(offset) : { problem: message.replace(/[.:]?\s*$/, ''), offset };
}
