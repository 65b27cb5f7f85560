import type { Conversation, Message } from '../core/conversation.ts';
import { MarkdownFence } from '../formats/markdown-fence.ts';
import { introducesOthers } from './attribution-cues.ts';
import { findFramed } from './framed-texts.ts';
import { isLogLine } from './log-lines.ts';
import { shorten } from './plain-text.ts';

/** A range of a message's text that somebody pasted: a log, a document, code, another agent's words. */
export interface Pasted {
  from: number;
  to: number;
  /** Lines that are not blank. */
  lines: number;
  /** What says most of it: the last lines that name an error, else the first line. */
  telling: string;
  /** The agent's plan that the person rejected. */
  isRejected?: true;
}

/** The pasted ranges of a person's message; everything outside them is the person's own. */
export type PastedRanges = readonly Pasted[];

/** What a message holds that its writer did not say; no range of any other message. */
export type OwnWords = ReadonlyMap<number, PastedRanges>;

/** A message of fewer characters and lines that has no shape of a log is all the person's own. */
const plainCharactersMax = 700;
const plainLinesMax = 12;
/** A document begins with its first heading where the message is longer, or has more headings. */
const documentCharactersMin = 1_200;
const documentHeadingsMin = 3;
/** Nobody types more: only words within so many characters of a longer message count as the person's own. */
const typedCharactersMax = 3_000;
const openingCharactersMax = 1_000;
/** A last paragraph after a document is the person's own only where it is this short. */
const closingCharactersMax = 300;
/** A longer message that begins like another one is a template that a command put there. */
const templateCharactersMin = 1_000;
const templateHeadCharacters = 200;
/** Shorter lines can be in a tool's answer by chance. */
const quotedCharactersMin = 30;

/**
 * Separates a person's own words from pasted text, before any rule reads them. It judges blocks by shape and position, in
 * any language: logs, stack traces, terminal output, diffs, code and tables by their lines; documents by their headings;
 * templates by repetition; output and answers quoted back by the tools and the agent that gave them. Time grows linearly with the text.
 */
export function findPasted({ messages }: Conversation): OwnWords {
  const all = new Map<number, PastedRanges>();
  const heads = countHeads(messages);
  const shown = new Set<string>();
  for (const message of messages) {
    if (message.role === 'user') {
      const { text } = message;
      const isTemplate = text.length >= templateCharactersMin && (heads.get(headOf(text)) ?? 0) > 1;
      const found = isTemplate ? [toPasted(text, 0, text.length)] : withFramed(text, readPasted(text, shown));
      const ranges = withoutArguments(text, found);
      if (ranges.length > 0) all.set(message.index, ranges);
    }
    if (message.tool_calls.some(({ plan }) => plan === 'rejected')) {
      const telling = message.text
        .replace(/^\s*#+ /, '')
        .replace(/\s+/g, ' ')
        .trim();
      all.set(message.index, [{ ...toPasted(message.text, 0, message.text.length), telling, isRejected: true }]);
    }
    const seen = message.tool_calls.map(({ outcome }) => outcome?.text ?? '');
    if (message.role === 'assistant') seen.push(message.text);
    for (const line of seen.flatMap((text) => text.split('\n'))) {
      if (line.trim().length >= quotedCharactersMin) shown.add(line.trim());
    }
  }
  return all;
}

/** The ranges and those that a frame shows to be somebody else's, joined where they touch or overlap. */
function withFramed(text: string, ranges: readonly Pasted[]): Pasted[] {
  const framed = findFramed(text);
  if (framed.length === 0) return [...ranges];
  const joined: { from: number; to: number }[] = [];
  for (const { from, to } of [...ranges, ...framed].sort((a, b) => a.from - b.from)) {
    const last = joined.at(-1);
    if (last !== undefined && from <= last.to + 1) last.to = Math.max(last.to, to);
    else joined.push({ from, to });
  }
  return joined.map(({ from, to }) => toPasted(text, from, to));
}

/** Where commands that are documents put what the person typed behind their name. */
const argumentsBlock = /^#{1,3} (?:User Input|Arguments)\s*\n+```\w*\n(?<own>[^`]*?)\n?```/m;

/** The ranges without what the person typed as the argument of a command. */
function withoutArguments(text: string, ranges: Pasted[]): Pasted[] {
  const block = argumentsBlock.exec(text);
  const own = block?.groups?.own ?? '';
  if (block === null || own.trim() === '') return ranges;
  const from = text.indexOf(own, block.index + block[0].indexOf('\n'));
  const to = from + own.length;
  return ranges.flatMap((range) => {
    if (range.from > from || range.to < to) return [range];
    const sides = [toPasted(text, range.from, from), toPasted(text, to, range.to)];
    return sides.filter(({ lines }) => lines > 0);
  });
}

/** So much of the most informative lines of a pasted text is kept. */
const pastedCharactersMax = 240;

/** The note that replaces a pasted block: its size, and its most informative line. */
export function describePasted({ lines, telling, isRejected }: Pasted): string {
  if (isRejected) return `[plan that the person rejected: ${shorten(telling, pastedCharactersMax)}]`;
  return `[pasted ${lines} ${lines === 1 ? 'line' : 'lines'}: ${shorten(telling, pastedCharactersMax)}]`;
}

/** Whether the text at a position of a message was pasted. */
export function isPastedAt(ranges: PastedRanges | undefined, at: number): boolean {
  return ranges?.some(({ from, to }) => at >= from && at < to) === true;
}

/** The person's own words of a message, as one text. */
export function ownWordsOf({ text, index }: Message, pasted: OwnWords): string {
  const ranges = pasted.get(index);
  if (ranges === undefined) return text.trim();
  let own = '';
  let at = 0;
  for (const { from, to } of ranges) {
    own += `${text.slice(at, from)}\n`;
    at = to;
  }
  return `${own}${text.slice(at)}`.replace(/\n{3,}/g, '\n\n').trim();
}

function countHeads(messages: readonly Message[]): Map<string, number> {
  const heads = new Map<string, number>();
  for (const { role, text } of messages) {
    if (role !== 'user' || text.length < templateCharactersMin) continue;
    heads.set(headOf(text), (heads.get(headOf(text)) ?? 0) + 1);
  }
  return heads;
}

function headOf(text: string): string {
  return text.slice(0, templateHeadCharacters);
}

/** A run of lines without a blank one between, or a fenced block. */
interface Paragraph {
  from: number;
  to: number;
  lines: string[];
  isFenced: boolean;
}

function readPasted(text: string, shown: ReadonlySet<string>): Pasted[] {
  const paragraphs = readParagraphs(text);
  const isForeign = paragraphs.map((paragraph) => hasForeignShape(paragraph, shown));
  const document = findDocument(text, paragraphs);
  if (document !== -1) {
    isForeign.fill(true, document);
    const last = paragraphs.at(-1);
    // What comes first is a person's own where it is there at all; then the last words may be too.
    if (last !== undefined && document > 0 && paragraphs.length - 1 > document && isClosing(last, shown))
      isForeign[paragraphs.length - 1] = false;
  }
  markIntroduced(paragraphs, isForeign, shown);
  markShown(paragraphs, isForeign, shown);
  const first = isForeign.indexOf(true);
  if (first === -1) return [];
  const lastForeign = isForeign.lastIndexOf(true);
  const isLong = text.length > plainCharactersMax || paragraphs.flatMap(({ lines }) => lines).length > plainLinesMax;
  // Text between two pasted blocks is pasted too; in a short message it is the person's own remark.
  if (isLong) isForeign.fill(true, opensTerminal(paragraphs, isForeign) ? 0 : first, lastForeign + 1);
  for (const [index, paragraph] of paragraphs.entries()) {
    const [before, after] = [-1, 1].map((side) => isForeign[index + side] === true);
    if ((before && after && isOutput(paragraph)) || (before && !hasWord(paragraph))) isForeign[index] = true;
  }
  return joinRanges(text, paragraphs, isForeign);
}

/**
 * Marks what a line introduces as somebody else's: "This is what the consultant wrote:". A list or a quotation goes on as long
 * as its shape does; prose up to a short last paragraph.
 */
function markIntroduced(paragraphs: readonly Paragraph[], isForeign: boolean[], shown: ReadonlySet<string>): void {
  for (const [index, { lines, isFenced }] of paragraphs.entries()) {
    const next = paragraphs[index + 1];
    if (isFenced || isForeign[index] || next === undefined || !introducesOthers(lines.slice(-3).join(' '))) continue;
    const isList = isListed(next) || isForeign[index + 1] === true;
    for (let at = index + 1; at < paragraphs.length; at += 1) {
      const paragraph = paragraphs[at] as Paragraph;
      const isEnd = isList ? !isListed(paragraph) : at === paragraphs.length - 1 && isClosing(paragraph, shown);
      if (at > index + 1 && isEnd) break;
      isForeign[at] = true;
    }
  }
}

/** Whether a message is a terminal's content from its first line on: most of its lines are, and no blank line sets any apart. */
function opensTerminal(paragraphs: readonly Paragraph[], isForeign: readonly boolean[]): boolean {
  const count = (all: readonly Paragraph[]) => all.reduce((sum, { lines }) => sum + lines.length, 0);
  const first = isForeign.indexOf(true);
  const isJoined = paragraphs.slice(1, first + 1).every(({ from }, place) => from === (paragraphs[place]?.to ?? 0) + 1);
  const opening = paragraphs.slice(0, first);
  return (
    isJoined &&
    opening.every(({ lines }) => !/[:：]\s*$/.test(lines.at(-1) ?? '')) &&
    count(opening) <= openingLinesMax &&
    2 * count(paragraphs.filter((_, place) => isForeign[place])) > count(paragraphs)
  );
}

/** A prompt, and a line of output. */
const openingLinesMax = 3;

/**
 * Marks what stands right below a first line with a colon where it holds output or code: "I got this:" and an error with its
 * advice, up to a short last paragraph. What a blank line sets apart is the person's own, as is what a label names.
 */
function markShown(paragraphs: readonly Paragraph[], isForeign: boolean[], shown: ReadonlySet<string>): void {
  const [lead, next] = paragraphs;
  const last = paragraphs.at(-1);
  if (lead === undefined || next === undefined || last === undefined || !isForeign.includes(true)) return;
  const isLead = /^(?:\S+\s+){3,}\S+[:：]\s*$/.test(lead.lines.at(-1) ?? '') && next.from === lead.to + 1;
  if (!isLead || lead.isFenced || isListed(next)) return;
  isForeign.fill(true, 1, isClosing(last, shown) ? -1 : undefined);
}

/** Whether a block is a list, a heading, a quotation, or a line that introduces one. */
function isListed({ lines }: Paragraph): boolean {
  return lines.some((line) => /^\s*(?:[-*+#>|•]|\d+[.)])|^\*\*|[:：]\s*$/.test(line));
}

/** Whether a block between two pasted ones is one with them: "FAIL test/a" is short and no sentence. */
function isOutput({ lines }: Paragraph): boolean {
  return lines.every((line) => line.length <= outputCharactersMax && outputShape.test(line.trim()));
}

const outputCharactersMax = 120;
/** No sentence's end, and a path, a number or a word in capitals. */
const outputShape = /^(?=.*(?:[\d/\\_=]|^\p{Lu}{2,}\b)).*[^.?!…。？！,:]$/u;

/** Numbers and marks say nothing next to what was pasted. */
function hasWord({ lines }: Paragraph): boolean {
  return lines.some((line) => /\p{L}/u.test(line));
}

function joinRanges(text: string, paragraphs: readonly Paragraph[], isForeign: readonly boolean[]): Pasted[] {
  const ranges: { from: number; to: number }[] = [];
  for (const [index, { from, to }] of paragraphs.entries()) {
    const last = ranges.at(-1);
    if (isForeign[index] !== true) continue;
    if (last !== undefined && isForeign[index - 1] === true) last.to = to;
    else ranges.push({ from, to });
  }
  return ranges.map(({ from, to }) => toPasted(text, from, to));
}

function readParagraphs(text: string): Paragraph[] {
  const paragraphs: Paragraph[] = [];
  let open: Paragraph | undefined;
  const fence = new MarkdownFence();
  let isDiff = false;
  for (let from = 0; from < text.length; ) {
    const stop = text.indexOf('\n', from);
    const to = stop === -1 ? text.length : stop;
    const line = text.slice(from, to);
    const wasFenced: boolean = fence.isOpen;
    fence.read(line);
    const wasDiff: boolean = isDiff;
    isDiff = !wasFenced && !fence.isOpen && (isDiff ? diffLine.test(line) : diffOpening.test(line));
    const isWhole = wasFenced || fence.isOpen || isDiff;
    if ((fence.isOpen && !wasFenced) || isDiff !== wasDiff) open = undefined;
    if (line.trim() === '' && !isWhole) open = undefined;
    else {
      // A line that looks like a log among prose lines is a block of its own.
      const last = open?.lines.at(-1) ?? '';
      const breaks = !isWhole && (isLogLine(line) !== isLogLine(last) || /[:：]\s*$/.test(last));
      if (open === undefined || breaks) {
        open = { from, to, lines: [], isFenced: isWhole };
        paragraphs.push(open);
      }
      if (line.trim() !== '') open.lines.push(line);
      open.to = to;
    }
    if (wasFenced && !fence.isOpen) open = undefined;
    from = to + 1;
  }
  return paragraphs;
}

/** Where a diff begins, and what its lines look like: added and removed ones hold any text. */
const diffOpening = /^(?:diff --git |@@ -\d|--- a\/|\+\+\+ b\/|\*\*\* Begin Patch)/;
const diffLine =
  /^(?:[-+ @\\*]|$|diff |index |new file|old mode|new mode|deleted file|rename |similarity |copy |Binary files)/;

/** Where a document begins: its first heading, in a message that is long or has several, or where typing ends; -1 for none. */
function findDocument(text: string, paragraphs: readonly Paragraph[]): number {
  const from = frontMatter.exec(text)?.index ?? -1;
  if (from !== -1) return paragraphs.findIndex(({ to }) => to > from);
  const isHeading = ({ lines, isFenced }: Paragraph) => !isFenced && lines.some((line) => /^#{1,6} \S/.test(line));
  if (text.length > typedCharactersMax) {
    const beyond = paragraphs.findIndex(({ to }, index) => index > 0 && to > openingCharactersMax);
    const heading = paragraphs.findIndex(isHeading);
    return heading === -1 || (beyond !== -1 && beyond < heading) ? beyond : startOf(paragraphs, heading);
  }
  const headings = paragraphs.filter(isHeading).length;
  if (headings === 0 || (text.length < documentCharactersMin && headings < documentHeadingsMin)) return -1;
  return startOf(paragraphs, paragraphs.findIndex(isHeading));
}

/** What a document can begin with. */
const frontMatter = /^---[ \t]*\n(?:[\w-]{1,60}:.{0,1000}\n){1,50}---[ \t]*$/m;

/** Front matter and the path of a document are over its first heading. */
function startOf(paragraphs: readonly Paragraph[], heading: number): number {
  return paragraphs.slice(0, heading).findLastIndex((paragraph) => !isMetadata(paragraph)) + 1;
}

function isMetadata({ lines }: Paragraph): boolean {
  return lines.every((line) => /^-{3,}\s*$|^[\w -]{2,60}: \S/.test(line.trim()));
}

function isClosing(paragraph: Paragraph, shown: ReadonlySet<string>): boolean {
  const { lines, to, from } = paragraph;
  if (to - from > closingCharactersMax || hasForeignShape(paragraph, shown)) return false;
  return lines.every((line) => !/^\s*(?:[-*+#>|]|\d+[.)])|^ {4}|\*\*|:\s*$/.test(line));
}

/** Whether most lines of a block are no sentences: output, code, a table, or lines that a tool had shown. */
function hasForeignShape({ lines, isFenced }: Paragraph, shown: ReadonlySet<string>): boolean {
  if (isFenced) return true;
  const foreign = lines.filter((line) => isLogLine(line) || shown.has(line.trim())).length;
  return foreign * 2 > lines.length;
}

const namesError =
  /error|exception|fail|fatal|denied|refused|panic|traceback|cannot|not found|timed? ?out|ошибка|错误|失败|エラー|erreur|fehler/i;

/** Says why, not only that: an exception's name, a refusal, a status. */
const namesCause =
  /\b\w+(?:Error|Exception)\b|fatal|denied|refused|forbidden|unauthorized|unexpected|undefined|invalid|does not exist|no such|not found|\b[45]\d\d\b/i;

function toPasted(text: string, from: number, to: number): Pasted {
  const lines = text
    .slice(from, to)
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '' && !/^(?:```|~~~)/.test(line));
  // "Error:" says nothing without the next line.
  for (const [place, line] of lines.entries())
    if (/^\S+:$/.test(line)) lines[place] = `${line} ${lines[place + 1] ?? ''}`;
  // "Attempt 2 failed" says no more than "Attempt 1 failed".
  const errors = new Map<string, string>();
  for (const line of lines) if (namesError.test(line)) errors.set(line.replace(/\d+/g, '0'), line);
  // "Process completed with exit code 1" says nothing where another line says why.
  const reasons = [...errors.values()].filter((line) => !pointsElsewhere.test(line));
  const causes = reasons.filter((line) => namesCause.test(line));
  const telling = [causes, reasons, [...errors.values()]].find((found) => found.length > 0)?.slice(-tellingMax) ?? [];
  return { from, to, lines: lines.length, telling: telling.length > 0 ? telling.join(' / ') : openingOf(lines) };
}

/** Says only that something failed, or where to read more. */
const pointsElsewhere =
  /\bexit(?:ed)?\b.{0,20}\bcode\b|\[Help \d+\]|\bre-run\b|for more (?:information|details)|to see the full|correcting the problems|https?:\/\/\S+$/i;

/** The first line that says something; "Requirements:" says nothing without the next. */
function openingOf(lines: readonly string[]): string {
  return lines.slice(0, lines.findIndex((line) => !/[:：]$/.test(line)) + 1 || 1).join(' ');
}

/** The last errors of a log say most. */
const tellingMax = 3;
