/** The parts of a tool's block in an export of SpecStory. */
export interface SpecStoryBlock {
  /** What the export calls the kind of the tool; empty in older ones. */
  kind: string;
  name: string;
  /** What its summary says, without "Tool use" and the tool's name. */
  summary: string;
  /** What is below the summary: what the tool was given, then what it gave. */
  body: string;
}

/** What the exports write above a tool's own text. */
const blockStart =
  /^\s*(?<tag><tool-use [^>\n]{0,300}>)?(?<gap>\s{0,9})(?<details><details>\s{0,9}<summary>)?(?:Tool use: \*\*(?<label>[^*\n]{1,80})\*\*)?/;

/** Reads the parts of a block, which may be cut at its end. */
export function readBlock(text: string): SpecStoryBlock {
  const start = blockStart.exec(text);
  const { tag = '', gap = '', details, label } = start?.groups ?? {};
  const from = start?.[0].length ?? 0;
  const summaryEnd = details === undefined ? text.indexOf('\n', from) : text.indexOf('</summary>', from);
  const end = text.lastIndexOf('</details>');
  const parts = {
    summary: text.slice(from, Math.max(from, summaryEnd)).trim(),
    body: text.slice(Math.max(from, summaryEnd), end > summaryEnd ? end : undefined).replace('</summary>', ''),
  };
  // Exports that write the two tags on two lines escape what they show.
  const isEscaped = tag !== '' && gap !== '';
  return {
    kind: /data-tool-type="([^"]{1,40})"/.exec(tag)?.[1] ?? '',
    name: /data-tool-name="([^"]{1,80})"/.exec(tag)?.[1] ?? label ?? 'unknown',
    summary: isEscaped ? unescapeMarkup(parts.summary) : parts.summary,
    body: withErrorLast(isEscaped ? unescapeMarkup(parts.body) : parts.body),
  };
}

const characters: Readonly<Record<string, string>> = { lt: '<', gt: '>', amp: '&', quot: '"', '#34': '"', '#39': "'" };

function unescapeMarkup(text: string): string {
  return text.replace(/&(lt|gt|amp|quot|#34|#39|#96);/g, (_, name: string) => characters[name] ?? '`');
}

/** What a tool was given above the error that it gave; an export of pi's sessions has them the other way round. */
function withErrorLast(body: string): string {
  const text = body.trimStart();
  const at = text.startsWith('**Error:**') ? text.lastIndexOf('\n**Input:**') : -1;
  return at === -1 ? body : `${text.slice(at)}\n\n${text.slice(0, at)}`;
}

/** A fenced block within a tool's block. */
export interface Fence {
  language: string;
  text: string;
  /** The places where its first line begins and its last line ends. */
  start: number;
  end: number;
}

/** The first fence of a text; one that is cut ends with the text. */
export function firstFence(text: string): Fence | undefined {
  const opened = /^(?<marks>`{3,20})(?<language>[\w+-]{0,20})[ \t]*$/m.exec(text);
  const { marks, language = '' } = opened?.groups ?? {};
  if (opened === null || marks === undefined) return undefined;
  const from = opened.index + opened[0].length;
  const end = findLine(text, marks, from);
  return {
    language,
    text: text.slice(from + 1, end === -1 ? undefined : end),
    start: opened.index,
    end: end === -1 ? text.length : end + 1 + marks.length,
  };
}

function findLine(text: string, line: string, from: number): number {
  for (let at = text.indexOf(`\n${line}`, from); at !== -1; at = text.indexOf(`\n${line}`, at + 1)) {
    const next = text[at + 1 + line.length];
    if (next === undefined || next === '\n') return at;
  }
  return -1;
}

/** What a tool gave, from the text below what it was given: one line, or a fence that may hold others and may be cut. */
export function readResult(text: string): string | undefined {
  const fence = firstFence(text);
  const line = /^(?:Output|Output \(error\)|Result): (?<line>[^\n]+)/m.exec(text.slice(0, fence?.start));
  if (line?.groups?.line !== undefined) return line.groups.line;
  if (fence === undefined) return undefined;
  const marks = /^`+/.exec(text.slice(fence.start, fence.start + 20))?.[0] ?? '';
  const from = text.indexOf('\n', fence.start) + 1;
  if (from === 0) return '';
  const end = text.lastIndexOf(`\n${marks}`);
  return text.slice(from, end < from ? undefined : end);
}

/** The text of the last fenced block, by search: a pattern over a long block would be slow. */
export function lastFence(block: string): string | undefined {
  const end = block.lastIndexOf('\n```');
  const start = end === -1 ? -1 : block.lastIndexOf('\n```', end - 1);
  if (start === -1) return undefined;
  const textStart = block.indexOf('\n', start + 1) + 1;
  return textStart > end ? '' : block.slice(textStart, end);
}
