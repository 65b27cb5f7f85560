import { limits } from '../../core/limits.ts';
import type { FrontMatter, FrontMatterValue } from './front-matter-value.ts';
import { readFlowList, readScalar, UNSURE } from './plain-values.ts';

/**
 * The values of front matter in the plain form that nearly all of it has: block mappings and lists of one-line scalars
 * and flow lists, with comments. Several times as fast as a whole YAML reader, and it never guesses: whatever else
 * there is, or might be, gives null, and belongs to the whole reader. A test compares both.
 */
export function attemptPlainYaml(matter: string): FrontMatter | null {
  const text = matter.includes('\r') ? matter.replaceAll('\r\n', '\n') : matter;
  if (unusual.test(text) || !text.isWellFormed()) return null;
  return new PlainYaml(text).read();
}

/** Tabs, control characters and what some readers take for the end of a line. */
const unusual = /[^\n -~\xa0-\u2027\u202a-\ufefe\uff00-\ufffd]/;

/** A key that no reader takes for anything else, and its colon. */
const key = /([A-Za-z_][\w./-]{0,99}):(?= |\n|$)/y;

const HASH = 35;
const DASH = 45;
const SPACE = 32;
const OPENING_BRACKET = 91;

class PlainYaml {
  readonly #text: string;
  /** Of each line that holds something: where that begins and ends, and how far it is indented. */
  readonly #starts: number[] = [];
  readonly #ends: number[] = [];
  readonly #indents: number[] = [];
  #line = 0;

  constructor(text: string) {
    this.#text = text;
    this.#findLines();
  }

  read(): FrontMatter | null {
    if (this.#starts.length === 0) return {};
    const values = this.#readMapping(0, 1);
    return this.#line < this.#starts.length ? null : values;
  }

  #findLines(): void {
    const text = this.#text;
    for (let begin = 0; begin < text.length; ) {
      const found = text.indexOf('\n', begin);
      const lineEnd = found === -1 ? text.length : found;
      let start = begin;
      while (start < lineEnd && text.charCodeAt(start) === SPACE) start += 1;
      if (start < lineEnd && text.charCodeAt(start) !== HASH) {
        let end = lineEnd;
        while (text.charCodeAt(end - 1) === SPACE) end -= 1;
        this.#starts.push(start);
        this.#ends.push(end);
        this.#indents.push(start - begin);
      }
      begin = lineEnd + 1;
    }
  }

  /** The lines of one mapping, all indented alike; null where one of them is not plain. */
  #readMapping(indent: number, depth: number): FrontMatter | null {
    const values: FrontMatter = {};
    while (this.#line < this.#starts.length && this.#indents[this.#line] === indent) {
      if (depth > limits.front_matter_depth_max) return null;
      key.lastIndex = this.#starts[this.#line] as number;
      const name = key.exec(this.#text)?.[1];
      if (name === undefined || name === '__proto__' || Object.hasOwn(values, name)) return null;
      const value = this.#readEntry(key.lastIndex, indent, depth);
      if (value === UNSURE) return null;
      values[name] = value;
    }
    return this.#indentHere() > indent ? null : values;
  }

  /** What belongs to a key: the rest of its line, or the lines below. */
  #readEntry(afterColon: number, indent: number, depth: number): FrontMatterValue | typeof UNSURE {
    const start = this.#skipSpaces(afterColon);
    const isBare = start >= (this.#ends[this.#line] as number) || this.#text.charCodeAt(start) === HASH;
    if (!isBare) return this.#readInline(start);
    this.#line += 1;
    const below = this.#indentHere();
    if (below > indent)
      return (this.#isListItem() ? this.#readList(below, depth + 1) : this.#readMapping(below, depth + 1)) ?? UNSURE;
    // A list may stand below its key without being indented.
    if (below === indent && this.#isListItem()) return this.#readList(below, depth + 1) ?? UNSURE;
    return null;
  }

  #readList(indent: number, depth: number): FrontMatterValue[] | null {
    const values: FrontMatterValue[] = [];
    while (this.#indentHere() === indent && this.#isListItem()) {
      if (depth > limits.front_matter_depth_max) return null;
      const value = this.#readItem(indent, depth);
      if (value === UNSURE) return null;
      values.push(value);
    }
    return this.#indentHere() > indent ? null : values;
  }

  #readItem(indent: number, depth: number): FrontMatterValue | typeof UNSURE {
    const line = this.#line;
    const dash = this.#starts[line] as number;
    const start = this.#skipSpaces(dash + 1);
    if (start >= (this.#ends[line] as number) || this.#text.charCodeAt(start) === HASH) return UNSURE;
    key.lastIndex = start;
    if (!key.test(this.#text)) return this.#readInline(start);
    // A mapping that begins behind the dash: its further keys stand below its first.
    const inner = indent + start - dash;
    this.#starts[line] = start;
    this.#indents[line] = inner;
    return this.#readMapping(inner, depth + 1) ?? UNSURE;
  }

  /** A value on one line. Where the next one goes on with it, that is indented further, which ends the reading. */
  #readInline(start: number): FrontMatterValue | typeof UNSURE {
    const end = this.#ends[this.#line] as number;
    this.#line += 1;
    if (this.#text.charCodeAt(start) === OPENING_BRACKET) return readFlowList(this.#text, start, end);
    return readScalar(this.#text, start, end);
  }

  #skipSpaces(from: number): number {
    let start = from;
    while (this.#text.charCodeAt(start) === SPACE) start += 1;
    return start;
  }

  #isListItem(): boolean {
    const start = this.#starts[this.#line] as number;
    if (this.#text.charCodeAt(start) !== DASH) return false;
    return start + 1 >= (this.#ends[this.#line] as number) || this.#text.charCodeAt(start + 1) === SPACE;
  }

  /** How far the present line is indented; less than every line behind the last one. */
  #indentHere(): number {
    return this.#line < this.#indents.length ? (this.#indents[this.#line] as number) : -1;
  }
}
