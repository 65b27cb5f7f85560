import type { Message } from '../core/conversation.ts';
import { type Block, readBlocks } from './blocks.ts';
import { contentWords } from './content-words.ts';
import { denies } from './language-cues.ts';
import { isAbbreviated, isQuestion, shorten, toPlainText } from './plain-text.ts';

/**
 * A sentence of a message, exactly as it is written there, with its position in the message's structure. What rules ask of it
 * beyond its text is read when the first one asks, since most sentences are asked nothing more.
 */
export class Sentence {
  /** The index of its message. */
  readonly message: number;
  readonly role: Message['role'];
  /** An exact substring of the message's text. */
  readonly text: string;
  /** Where it begins in the message's text. */
  readonly at: number;
  /** The index of its block in the message; sentences of one paragraph or list item share it. */
  readonly block: number;
  /** Whether it opens its block. */
  readonly opens: boolean;
  readonly #block: Block;
  #plain: string | undefined;
  #words: ReadonlySet<string> | undefined;

  constructor(message: Pick<Message, 'index' | 'role'>, text: string, place: SentencePlace) {
    this.message = message.index;
    this.role = message.role;
    this.text = text;
    this.at = place.at;
    this.block = place.index;
    this.opens = place.opens;
    this.#block = place.block;
  }

  get kind(): Block['kind'] {
    return this.#block.kind;
  }

  /** The nearest heading above, in plain text. */
  get heading(): string {
    return this.#block.heading;
  }

  /** The number or letter of its list item, as "2" or "b". */
  get number(): string | undefined {
    return this.#block.number;
  }

  /** Whether it is of a list item that is ticked, struck out or marked as done. */
  get isDone(): boolean {
    return this.#block.isDone === true;
  }

  /** The last line of prose above its list, as "Next steps:"; empty where it is no list item. */
  get lead(): string {
    return this.#block.lead;
  }

  /** The text in plain words, without marks and with straight apostrophes: many write "let’s", and rules read "let's". */
  get plain(): string {
    this.#plain ??= toPlainText(this.text).replaceAll('’', "'");
    return this.#plain;
  }

  /** What it is about. */
  get words(): ReadonlySet<string> {
    this.#words ??= contentWords(this.plain);
    return this.#words;
  }
}

interface SentencePlace {
  at: number;
  index: number;
  opens: boolean;
  block: Block;
}

/** Longer ones are data that somebody pasted; no rule reads them. */
const sentenceCharactersMax = 2_000;

/** The sentences of one message, without code blocks and without marks of cut text. Time grows linearly with the text. */
export function splitMessage(message: Pick<Message, 'index' | 'role' | 'text'>): Sentence[] {
  const { text } = message;
  const sentences: Sentence[] = [];
  let index = 0;
  for (const block of readBlocks(text)) {
    const { from, to } = block;
    let opens = true;
    splitBlock(text, { from, to }, (at, sentence) => {
      sentences.push(new Sentence(message, sentence, { at, index, opens, block }));
      opens = false;
    });
    index += 1;
  }
  return sentences;
}

/** Reports the ranges of the sentences in a block: after a stop that white space follows or that needs none, outside of code marks. */
function splitBlock(
  text: string,
  { from, to }: { from: number; to: number },
  found: (at: number, sentence: string) => void,
): void {
  let start = from;
  let inCode = false;
  /** The number of the next item, where the block is a list in one line: "1. Redis 2. hourly". */
  let number = /(?:^|\s)1\.\s/.test(text.slice(Math.max(0, from - 4), from + 3)) ? 2 : 0;
  for (let at = from; at < to; at += 1) {
    const code = text.charCodeAt(at);
    if (code === 96) inCode = !inCode;
    const isWide = code === 0x3002 || code === 0xff01 || code === 0xff1f;
    // `.`, `!`, `?`, `…`, and the stops of scripts without spaces.
    if (inCode || (!isWide && code !== 46 && code !== 33 && code !== 63 && code !== 0x2026)) continue;
    let end = at + 1;
    while (end < to && closes(text.charCodeAt(end))) end += 1;
    if (end < to && !isWide && !/\s/.test(text.charAt(end))) continue;
    const mark = at - String(number).length;
    const isNext = text.slice(mark, at) === String(number) && opensItem.test(text.charAt(mark - 1));
    if (number > 0 && code === 46 && isNext) {
      tellRange(text, { start, end: mark }, found);
      start = end;
      number += 1;
      continue;
    }
    if (code === 46 && end < to && isAbbreviated(text, at)) continue;
    tellRange(text, { start, end }, found);
    start = end;
    at = end - 1;
  }
  tellRange(text, { start, end: to }, found);
}

/** What is before the number of an item within a line. */
const opensItem = /[\s;；,，、]/;

/** Further stops, brackets, quotation marks and marks of emphasis belong to the sentence that they close. */
function closes(code: number): boolean {
  return '.!?…)"\'”’*_。！？」』）'.includes(String.fromCharCode(code));
}

function tellRange(
  text: string,
  { start, end }: { start: number; end: number },
  found: (at: number, sentence: string) => void,
): void {
  const sentence = text.slice(start, end).trim();
  if (sentence.length > sentenceCharactersMax || !/[\p{L}\p{N}]/u.test(sentence)) return;
  found(text.indexOf(sentence, start), sentence);
}

/** A reply of the person that is no longer says nothing without its question. */
const replyCharactersMax = 12;
const questionCharactersMax = 200;

/** A short reply with the question that it answers, or the words that it refuses: even "no" says something with them. */
export function withQuestion(
  { role, text }: Pick<Message, 'role' | 'text'>,
  before: Message | undefined,
): string | undefined {
  const reply = text.trim();
  if (role !== 'user' || reply.startsWith('/') || reply.length > replyCharactersMax || before?.role !== 'assistant')
    return undefined;
  const ending = splitMessage(before).slice(-2);
  const asked = ending.findLast(({ plain }) => isQuestion(plain));
  if (asked !== undefined) return `${reply} [asked: ${shorten(asked.plain, questionCharactersMax)}]`;
  const said = denies(reply) ? ending.at(-1) : undefined;
  return said === undefined ? undefined : `${reply} [to: ${shorten(said.plain, questionCharactersMax)}]`;
}
