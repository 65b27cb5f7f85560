/** A block of a Markdown text, of the kinds that a chat shows. */
export type Block =
  | { kind: 'paragraph' | 'heading' | 'quote' | 'code'; text: string }
  | { kind: 'rule' }
  | { kind: 'list'; start: number | null; entries: { text: string; depth: number }[] };

/** A span of text in one line. */
export interface Run {
  kind: 'plain' | 'code' | 'strong' | 'emphasis';
  text: string;
}

const fence = /^ {0,3}(?<mark>`{3,}|~{3,})/;
const heading = /^ {0,3}#{1,6}\s+(?<text>.*)$/;
const rule = /^ {0,3}(?:-{3,}|\*{3,}|_{3,})\s*$/;
const quote = /^ {0,3}> ?/;
const entry = /^(?<indent>\s*)(?:[-*+]|(?<number>\d{1,9})[.)])\s+(?<text>.*)$/;

/** The blocks of a Markdown text, in one pass over its lines; unknown syntax stays text. */
export function parseBlocks(text: string): Block[] {
  const lines = text.split('\n');
  const blocks: Block[] = [];
  let at = 0;
  while (at < lines.length) {
    const line = lines[at] ?? '';
    const mark = fence.exec(line)?.groups?.mark;
    if (mark !== undefined) at = readCode({ lines, at: at + 1, mark, blocks });
    else {
      readLine(line, blocks, lines[at - 1] ?? '');
      at += 1;
    }
  }
  return blocks;
}

interface CodeInput {
  lines: readonly string[];
  at: number;
  mark: string;
  blocks: Block[];
}

/** A fence that is not closed yet, as while it streams, contains the rest of the text. */
function readCode({ lines, at, mark, blocks }: CodeInput): number {
  const end = lines.findIndex((line, index) => index >= at && line.trim() === mark);
  const last = end === -1 ? lines.length : end;
  blocks.push({ kind: 'code', text: lines.slice(at, last).join('\n') });
  return last + 1;
}

function readLine(line: string, blocks: Block[], before: string): void {
  if (line.trim() === '') return;
  const last = blocks.at(-1);
  const goesOn = before.trim() !== '';
  const title = heading.exec(line)?.groups?.text;
  if (title !== undefined) blocks.push({ kind: 'heading', text: title });
  else if (rule.test(line)) blocks.push({ kind: 'rule' });
  else if (quote.test(line)) {
    const text = line.replace(quote, '');
    if (goesOn && last?.kind === 'quote') last.text += `\n${text}`;
    else blocks.push({ kind: 'quote', text });
  } else if (!readEntry(line, last, blocks)) {
    if (goesOn && last?.kind === 'list') addToLast(last, line);
    else if (goesOn && last?.kind === 'paragraph') last.text += `\n${line}`;
    else blocks.push({ kind: 'paragraph', text: line });
  }
}

function readEntry(line: string, last: Block | undefined, blocks: Block[]): boolean {
  const found = entry.exec(line)?.groups;
  if (found === undefined) return false;
  const { indent = '', number, text = '' } = found;
  const depth = indent.length >= 2 ? 1 : 0;
  const isNumbered = number !== undefined;
  const goesOn = last?.kind === 'list' && (depth > 0 || (last.start !== null) === isNumbered);
  if (goesOn) last.entries.push({ text, depth });
  else blocks.push({ kind: 'list', start: isNumbered ? Number(number) : null, entries: [{ text, depth }] });
  return true;
}

function addToLast({ entries }: Extract<Block, { kind: 'list' }>, line: string): void {
  const last = entries.at(-1);
  if (last !== undefined) last.text += ` ${line.trim()}`;
}

const marks =
  /(?<code>`[^`\n]+`)|(?<strong>\*\*[^*\n]+\*\*|__[^_\n]+__)|(?<emphasis>(?<![\w*])\*[^*\s][^*\n]*\*(?![\w*])|(?<![\w_])_[^_\s][^_\n]*_(?![\w_]))|!?\[(?<words>[^\][\n]{1,300})\]\((?<target>[^()\s]{1,500})\)/g;

/** The spans of a line. A link is its text followed by its target: a click does not open it. */
export function parseInline(text: string): Run[] {
  const runs: Run[] = [];
  let end = 0;
  for (const { index, 0: whole, groups = {} } of text.matchAll(marks)) {
    if (index > end) runs.push({ kind: 'plain', text: text.slice(end, index) });
    runs.push(toRun(whole, groups));
    end = index + whole.length;
  }
  if (end < text.length) runs.push({ kind: 'plain', text: text.slice(end) });
  return runs;
}

function toRun(whole: string, { code, strong, emphasis, words, target }: Record<string, string | undefined>): Run {
  if (code !== undefined) return { kind: 'code', text: whole.slice(1, -1) };
  if (strong !== undefined) return { kind: 'strong', text: whole.slice(2, -2) };
  if (emphasis !== undefined) return { kind: 'emphasis', text: whole.slice(1, -1) };
  return { kind: 'plain', text: words === target ? String(words) : `${words} (${target})` };
}
