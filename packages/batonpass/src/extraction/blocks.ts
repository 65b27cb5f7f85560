import { MarkdownFence } from '../formats/markdown-fence.ts';

/** A paragraph, list item, heading, table cell or quoted line of a message: a range of its text and the heading it is under. */
export interface Block {
  from: number;
  to: number;
  kind: 'prose' | 'item' | 'heading' | 'cell' | 'quote';
  /** The nearest heading above, in plain text. */
  heading: string;
  /** The last line of prose above a list, where it ends with a colon; else empty. */
  lead: string;
  /** The number or letter of a list item. */
  number?: string;
  /** Whether a list item is ticked, struck out or marked as done. */
  isDone?: true;
}

const itemStart = /^[ \t]{0,12}(?:[-*+•][ \t]+(?:\[[ xX]\][ \t]+)?|(?<number>\d{1,2}|[a-zA-Z])[.)][ \t]+)/;
const cutMark = /^\s*\[\.\.\. .{0,60}\]\s*$/;
const rule = /^\s*(?:[-*_=]\s*){3,}$/;

/** Lines above this length that end without a stop are taken as wrapped. */
const wrapColumn = 60;

/** A line of a text: its range, its words, and the first of its characters that is not blank. */
interface Line {
  start: number;
  text: string;
  first: string;
}

/** Reads a text line by line; what a line means depends on the lines above it. */
class BlockReader {
  readonly blocks: Block[] = [];
  readonly #text: string;
  #heading = '';
  #lead = '';
  readonly #fence = new MarkdownFence();
  #open: Block | undefined;

  constructor(text: string) {
    this.#text = text;
  }

  add(line: Line): void {
    if (this.#isFenced(line) || isEmpty(line)) {
      this.#open = undefined;
      return;
    }
    const title = readTitle(line);
    if (title !== undefined) {
      this.blocks.push(toHeading(line, title));
      this.#heading = title.replace(/[*_`#:]/g, '').trim();
      this.#lead = '';
      this.#open = undefined;
      return;
    }
    if (this.#open !== undefined && this.#goesOn(line, this.#open)) {
      this.#open.to = line.start + line.text.length;
      if (this.#open.kind === 'prose') this.#lead = readLead(this.#text.slice(this.#open.from, this.#open.to));
      return;
    }
    this.#begin(line);
  }

  #begin(line: Line): void {
    const block = toBlock(line, this.#heading, this.#lead);
    if (block.kind === 'prose') this.#lead = readLead(line.text);
    if (block.kind === 'cell') this.#addRow(line, block);
    else this.blocks.push(block);
    this.#open = block.kind === 'prose' || block.kind === 'item' ? block : undefined;
  }

  /** The row above a ruler names the columns and says nothing. */
  #addRow({ text, start }: Line, row: Block): void {
    const above = this.#text.lastIndexOf('\n', start - 2) + 1;
    if (/^\s*\|[\s:|-]*-[\s:|-]*$/.test(text)) {
      while (this.blocks.at(-1)?.kind === 'cell' && (this.blocks.at(-1)?.from ?? 0) >= above) this.blocks.pop();
    } else this.blocks.push(...splitCells(this.#text, row));
  }

  /** Whether a line belongs to a code block, its fences included. */
  #isFenced({ text, first }: Line): boolean {
    const wasOpen = this.#fence.isOpen;
    if (first === '`' || first === '~') this.#fence.read(text);
    return wasOpen || this.#fence.isOpen;
  }

  /** Whether a line only continues the block above, which was wrapped. */
  #goesOn({ text, first }: Line, open: Block): boolean {
    if (first === '|' || first === '>' || first === '#') return false;
    const last = this.#text.charAt(open.to - 1);
    if ('.!?:;'.includes(last)) return false;
    const lineStart = Math.max(open.from, this.#text.lastIndexOf('\n', open.to - 1) + 1);
    return open.to - lineStart > wrapColumn && !itemStart.test(text);
  }
}

/** The blocks of a message without its code, in order, in linear time. */
export function readBlocks(text: string): Block[] {
  const reader = new BlockReader(text);
  for (let start = 0; start <= text.length; ) {
    const stop = text.indexOf('\n', start);
    const end = stop === -1 ? text.length : stop;
    const line = text.slice(start, end);
    reader.add({ start, text: line, first: line.charAt(line.search(/\S/)) });
    start = end + 1;
  }
  return reader.blocks;
}

function isEmpty({ text, first }: Line): boolean {
  if (first === '') return true;
  if (first === '[') return cutMark.test(text);
  return '-*_='.includes(first) && rule.test(text);
}

/** A heading, or a line that is nothing but bold words, which is one without the mark. */
function readTitle({ text, first }: Line): string | undefined {
  if (first === '#') return /^\s*#{1,6}\s+(?<title>.+)$/.exec(text)?.groups?.title;
  return first === '*' ? /^\s*\*\*(?<title>[^*]{2,80})\*\*:?\s*$/.exec(text)?.groups?.title : undefined;
}

/** A line that introduces the list below it, without its colon. */
function readLead(text: string): string {
  const line = text.trimEnd();
  return line.length <= 200 && /:\**$/.test(line) ? line.replace(/[*_`#:]/g, '').trim() : '';
}

function toHeading({ start, text }: Line, title: string): Block {
  const mark = /^\**(?<number>\d{1,2})[.)]\s+/.exec(title);
  const number = mark?.groups?.number;
  const from = start + text.indexOf(title) + (mark?.[0].length ?? 0);
  const block: Block = { from, to: start + text.length, kind: 'heading', heading: title, lead: '' };
  if (number !== undefined) block.number = number;
  return block;
}

function toBlock({ start, text, first }: Line, heading: string, lead: string): Block {
  const to = start + text.length;
  if (first === '|') return { from: start, to, kind: 'cell', heading, lead: '' };
  if (first === '>')
    return { from: start + (/^\s*>\s?/.exec(text)?.[0].length ?? 0), to, kind: 'quote', heading, lead: '' };
  const item = itemStart.exec(text);
  if (item === null) return { from: start, to, kind: 'prose', heading, lead: '' };
  const block: Block = { from: start + item[0].length, to, kind: 'item', heading, lead };
  const number = item.groups?.number?.toLowerCase();
  if (number !== undefined) block.number = number;
  if (/\[[xX]\]/.test(item[0]) || /^(?:~~|[✅✔☑✓])/u.test(text.slice(item[0].length))) block.isDone = true;
  return block;
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
