import type { ToolCall } from '../core/conversation.ts';
import { MarkdownFence } from '../formats/markdown-fence.ts';
import type { AnswerPart } from './conversation-builder.ts';
import { asObject, parseLine } from './json-value.ts';
import { listOpenCodeCalls } from './opencode.ts';
import { readOutcome, readPrinted } from './tool-calls.ts';

/** How the export begins a tool call, with its input and what came back below it. */
const toolLine = /^\*\*Tool: (?<name>[^*\n]{1,200})\*\*$/;
/** Older versions put all of it into a fenced block, which the blocks within end early. */
const olderToolLine = /^Tool: (?<name>\S{1,200})$/;

/** The session's id above the messages, which OpenCode alone writes in this form. */
export function readOpenCodeSession(line: string): string | undefined {
  return /^\*\*Session ID:\*\* (?<session>ses_\w{1,80})$/.exec(line.trimEnd())?.groups?.session;
}

/**
 * Takes the messages of OpenCode's Markdown export. Nothing there marks the end of a thought. The answer begins with the first
 * paragraph that is not English where the person does not write English, else after the last paragraph in which the agent
 * speaks of its user, or to itself. Time grows linearly with a message.
 */
export class OpenCodeMarkdown {
  private readonly heard: WordCount = { words: 0, english: 0 };

  /** Learns the person's language from a message. */
  hear(text: string): void {
    const { words, english } = countWords(text);
    this.heard.words += words;
    this.heard.english += english;
  }

  /** The words and calls of an agent's message in their order, without its thoughts. */
  readAnswer(text: string, cwd: string | undefined): AnswerPart[] {
    const lines = text.split('\n');
    const starts = findStarts(lines);
    const parts: AnswerPart[] = [{ text: lines.slice(0, starts[0]).join('\n') }];
    for (const [place, start] of starts.entries()) {
      const next = starts[place + 1];
      const below = lines.slice(start + 1, next);
      const name = toolLine.exec(lines[start] ?? '')?.groups?.name;
      const older = lines[start] === '```' ? olderToolLine.exec(below[0] ?? '')?.groups?.name : undefined;
      if (older !== undefined) parts.push(...readTool(older, withoutOuterFence(below.slice(1)), cwd));
      else if (name !== undefined) parts.push(...readTool(name, below, cwd));
      else parts.push({ text: this.withoutThought(below, next === undefined) });
    }
    return parts;
  }

  /** @param isLast - no call follows: then the agent has said something, if it wrote more than one paragraph. */
  private withoutThought(lines: readonly string[], isLast: boolean): string {
    const paragraphs = listParagraphs(lines);
    const last = isLast ? Math.max(1, paragraphs.length - 1) : paragraphs.length;
    const from = this.findForeign(paragraphs) ?? Math.min(last, findDeliberated(paragraphs));
    return paragraphs.slice(from).join('\n\n');
  }

  /** Where the agent begins to speak the person's language, with the short headings above. */
  private findForeign(paragraphs: readonly string[]): number | undefined {
    if (!isForeign(this.heard)) return undefined;
    let from = paragraphs.findIndex((each) => !isCode(each) && isForeign(countWords(each)));
    if (from < 1) return undefined;
    while (from > 1 && !isCode(paragraphs[from - 1]) && countWords(paragraphs[from - 1] ?? '').english === 0) from -= 1;
    return from;
  }
}

/** The lines that begin a thought or a call; a call with its input is one also where a block before it was never closed. */
function findStarts(lines: readonly string[]): number[] {
  const fence = new MarkdownFence();
  const starts: number[] = [];
  for (const [index, line] of lines.entries()) {
    const isTool = toolLine.test(line);
    const isOlder = line === '```' && olderToolLine.test(lines[index + 1] ?? '');
    const input = index + (isOlder ? 3 : 2);
    const isWhole = (isTool || isOlder) && lines[input - 1] === '' && lines[input] === '**Input:**';
    if (isWhole || (!fence.isOpen && (isTool || line === '_Thinking:_'))) {
      starts.push(index);
      fence.reset();
    } else fence.read(line);
  }
  return starts;
}

/** The lines of an older version's call in the newer form: without the end of the block around them. */
function withoutOuterFence(lines: readonly string[]): string[] {
  const end = lines.findLastIndex((line, index) => line === '```' && lines[index - 1] === '```');
  return lines
    .filter((_, index) => index !== end)
    .flatMap((line, index, kept) =>
      /^\*\*(?:Output|Error):\*\*$/.test(line) && kept[index - 1] === '```' ? ['', line] : line,
    );
}

/** A call from the lines below its name, and what the agent says after it. */
function readTool(name: string, lines: readonly string[], cwd: string | undefined): AnswerPart[] {
  const hasInput = lines[1] === '**Input:**';
  const inputEnd = hasInput ? lines.indexOf('```', 2) : -1;
  const input = inputEnd === -1 ? undefined : asObject(parseLine(lines.slice(3, inputEnd).join('\n')));
  const calls = listOpenCodeCalls(name, input ?? {}, cwd);
  const label = lines[inputEnd + 2];
  if (label !== '**Output:**' && label !== '**Error:**') {
    return [{ calls }, { text: lines.slice(hasInput && inputEnd === -1 ? lines.length : inputEnd + 1).join('\n') }];
  }
  const from = inputEnd + 4;
  const end = findOutputEnd(lines, from);
  const output = lines.slice(from, end).join('\n').trimEnd();
  const outcomeOf = ({ command }: ToolCall) =>
    (command === undefined ? readOutcome : readPrinted)(output, label === '**Error:**');
  return [
    { calls: calls.map((call) => ({ ...call, outcome: outcomeOf(call) })) },
    { text: lines.slice(end + 1).join('\n') },
  ];
}

/** An output may hold fenced blocks itself: then the lines after its first fence leave one open, and it ends with the last. */
function findOutputEnd(lines: readonly string[], from: number): number {
  const first = lines.indexOf('```', from);
  if (first === -1) return lines.length;
  const fence = new MarkdownFence();
  for (const line of lines.slice(first + 1)) fence.read(line);
  return fence.isOpen ? lines.lastIndexOf('```') : first;
}

/** The paragraphs, each fenced block within one. */
function listParagraphs(lines: readonly string[]): string[] {
  const paragraphs: string[][] = [];
  const fence = new MarkdownFence();
  let isNew = true;
  for (const line of lines) {
    const isBlank = !fence.isOpen && line.trim() === '';
    if (!isBlank && isNew) paragraphs.push([]);
    if (!isBlank) paragraphs.at(-1)?.push(line);
    isNew = isBlank;
    fence.read(line);
  }
  return paragraphs.map((each) => each.join('\n'));
}

function isCode(paragraph = ''): boolean {
  return paragraph.startsWith('```');
}

/** The agent speaks of its user, or to itself. */
const deliberation =
  /\bthe user(?:'s (?:request|message|question)| (?:wants?|wanted|asked|asks|is asking|says?|said|just|mentioned|seems|would like|needs me))\b|\b(?:they|let) (?:want|think|said|me(?! know)|them)\b|^(?:wait|hmm|actually)\b/im;

/** The first paragraph after those of a thought: the list after a last "Let me:" is one of them. */
function findDeliberated(paragraphs: readonly string[]): number {
  // Answers have headings, thoughts do not: what an answer says of a user is no thought.
  const heading = paragraphs.findIndex((each, index) => index > 0 && /^#{1,6} /.test(each));
  const before = heading === -1 ? paragraphs : paragraphs.slice(0, heading);
  const last = Math.max(
    0,
    before.findLastIndex((each) => deliberation.test(each)),
  );
  const isOpened = paragraphs[last]?.endsWith(':') && /^(?:\d{1,2}\.|[-*]) /.test(paragraphs[last + 1] ?? '');
  return isOpened ? last + 2 : last + 1;
}

interface WordCount {
  words: number;
  english: number;
}

/** So much of a text shows its language. */
const languageCharactersMax = 2_000;

/** The commonest words of English that are none of its neighbours'. */
const englishWord = /^(?:the|to|of|and|that|this|it|for|with|not|but|are|they|let|need|should|from|now|what|i)$/;

/** Words of another script count one for two characters. Code within backticks has no language. */
function countWords(text: string): WordCount {
  const prose = text.slice(0, languageCharactersMax).replace(/`[^`\n]*`/g, ' ');
  const latin = prose.toLowerCase().match(/\p{Script=Latin}+/gu) ?? [];
  const others = prose.match(/[^\P{L}\p{Script=Latin}]/gu) ?? [];
  return { words: latin.length + others.length / 2, english: latin.filter((word) => englishWord.test(word)).length };
}

/** Whether some words or more are hardly English. */
function isForeign({ words, english }: WordCount): boolean {
  return words >= 5 && english / words < 0.06;
}
