import type { Conversation, Message } from '../core/conversation.ts';
import { contentWords } from './content-words.ts';
import { toPlainText } from './plain-text.ts';

/** A sentence of a message, exactly as it stands there, with its place in the message's structure. */
export interface Sentence {
  message: number;
  role: Message['role'];
  /** An exact substring of the message's text. */
  text: string;
  /** The text in plain words, without marks. */
  plain: string;
  /** What it is about; read once, since every rule asks. */
  words: ReadonlySet<string>;
  /** The block that it is part of; sentences of one paragraph or list item share it. */
  block: number;
  kind: 'prose' | 'item' | 'heading' | 'cell' | 'quote';
  /** The nearest heading above, in plain text. */
  heading: string;
  /** The number or letter of its list item, as "2" or "b". */
  number?: string;
  /** Whether it opens its block. */
  opens: boolean;
}

interface Block {
  from: number;
  to: number;
  kind: Sentence['kind'];
  heading: string;
  number?: string;
}

/** All sentences of a conversation, by message. Time grows linearly with the text. */
export function splitConversation(conversation: Conversation): Sentence[][] {
  return conversation.messages.map(splitMessage);
}

/** The sentences of one message, without code blocks and without marks of cut text. */
function splitMessage(message: Message): Sentence[] {
  const sentences: Sentence[] = [];
  for (const [block, { from, to, kind, heading, number }] of readBlocks(message.text).entries()) {
    for (const [index, [start, end]] of splitBlock(message.text, from, to).entries()) {
      const text = message.text.slice(start, end);
      const plain = toPlainText(text);
      const sentence: Sentence = {
        message: message.index,
        role: message.role,
        text,
        plain,
        words: contentWords(plain),
        block,
        kind,
        heading,
        opens: index === 0,
      };
      if (number !== undefined) sentence.number = number;
      sentences.push(sentence);
    }
  }
  return sentences;
}

/** Longer ones are data that somebody pasted; no rule reads them. */
const sentenceCharactersMax = 2_000;

const itemStart = /^[ \t]{0,12}(?:[-*+•][ \t]+(?:\[[ xX]\][ \t]+)?|(?<number>\d{1,2}|[a-zA-Z])[.)][ \t]+)/;
const cutMark = /^\s*\[\.\.\. .{0,60}\]\s*$/;

/** Lines above this length that end without a stop are taken as wrapped. */
const wrapColumn = 60;

function readBlocks(text: string): Block[] {
  const blocks: Block[] = [];
  let heading = '';
  let fence: string | undefined;
  let open: Block | undefined;
  let from = 0;
  for (const line of text.split('\n')) {
    const start = from;
    const end = start + line.length;
    from = end + 1;
    const mark = /^\s*(?<mark>```+|~~~+)/.exec(line)?.groups?.mark;
    if (fence !== undefined || mark !== undefined) {
      if (fence === undefined) fence = mark?.slice(0, 3);
      else if (mark?.startsWith(fence)) fence = undefined;
      open = undefined;
      continue;
    }
    if (line.trim() === '' || cutMark.test(line) || /^\s*(?:[-*_=]\s*){3,}$/.test(line)) {
      open = undefined;
      continue;
    }
    const title = /^\s*#{1,6}\s+(?<title>.+)$/.exec(line)?.groups?.title ?? readBoldTitle(line);
    const wraps = open !== undefined && isWrapped(text, open) && !itemStart.test(line) && !/^\s*[|>#]/.test(line);
    if (open !== undefined && wraps && title === undefined) {
      open.to = end;
      continue;
    }
    const block = title === undefined ? toBlock(line, start, heading) : toHeading(line, start, title);
    if (title !== undefined) heading = title.replace(/[*_`#:]/g, '').trim();
    blocks.push(...(block.kind === 'cell' ? splitCells(text, block) : [block]));
    open = block.kind === 'prose' || block.kind === 'item' ? block : undefined;
  }
  return blocks;
}

/** A line that is nothing but bold words is a heading without the mark. */
function readBoldTitle(line: string): string | undefined {
  return /^\s*\*\*(?<title>[^*]{2,80})\*\*:?\s*$/.exec(line)?.groups?.title;
}

function isWrapped(text: string, block: Block): boolean {
  const lineStart = Math.max(block.from, text.lastIndexOf('\n', block.to - 1) + 1);
  return block.to - lineStart > wrapColumn && !/[.!?:;]$/.test(text.slice(block.to - 1, block.to));
}

function toHeading(line: string, start: number, title: string): Block {
  const mark = /^\**(?<number>\d{1,2})[.)]\s+/.exec(title);
  const number = mark?.groups?.number;
  const from = start + line.indexOf(title) + (mark?.[0].length ?? 0);
  const block: Block = { from, to: start + line.length, kind: 'heading', heading: title };
  if (number !== undefined) block.number = number;
  return block;
}

function toBlock(line: string, start: number, heading: string): Block {
  const to = start + line.length;
  const item = itemStart.exec(line);
  const number = item?.groups?.number?.toLowerCase();
  if (item !== null && number !== undefined) return { from: start + item[0].length, to, kind: 'item', heading, number };
  if (item !== null) return { from: start + item[0].length, to, kind: 'item', heading };
  if (/^\s*\|/.test(line)) return { from: start, to, kind: 'cell', heading };
  const quoted = /^\s*>\s?/.exec(line);
  if (quoted !== null) return { from: start + quoted[0].length, to, kind: 'quote', heading };
  return { from: start, to, kind: 'prose', heading };
}

function splitCells(text: string, row: Block): Block[] {
  const cells: Block[] = [];
  let from = row.from;
  for (const cell of text.slice(row.from, row.to).split('|')) {
    const to = from + cell.length;
    if (cell.trim() !== '' && !/^[\s:-]+$/.test(cell)) cells.push({ ...row, from, to });
    from = to + 1;
  }
  return cells;
}

const abbreviation = /\b(?:e\.g|i\.e|etc|vs|cf|approx|fig|incl|resp)\.$/i;

/** The ranges of the sentences in a block: after a stop that white space follows, outside of code marks. */
function splitBlock(text: string, from: number, to: number): [start: number, end: number][] {
  const ranges: [number, number][] = [];
  let start = from;
  let inCode = false;
  for (let at = from; at < to; at += 1) {
    const character = text.charAt(at);
    if (character === '`') inCode = !inCode;
    if (inCode || !/[.!?…]/.test(character)) continue;
    let end = at + 1;
    while (end < to && /[.!?…)"'”’*_]/.test(text.charAt(end))) end += 1;
    if (end < to && !/\s/.test(text.charAt(end))) continue;
    if (character === '.' && abbreviation.test(text.slice(Math.max(start, at - 8), at + 1))) continue;
    pushRange(text, start, end, ranges);
    start = end;
    at = end - 1;
  }
  pushRange(text, start, to, ranges);
  return ranges;
}

function pushRange(text: string, from: number, to: number, ranges: [number, number][]): void {
  let start = from;
  let end = to;
  while (start < end && /\s/.test(text.charAt(start))) start += 1;
  while (end > start && /\s/.test(text.charAt(end - 1))) end -= 1;
  if (end - start <= sentenceCharactersMax && /[\p{L}\p{N}]/u.test(text.slice(start, end))) ranges.push([start, end]);
}
