import type { Conversation, ToolCall } from '../core/conversation.ts';
import { joinBroken } from './broken-lines.ts';
import { interruptions, isHostsSummary, questionTool, readAssistantText, readUserText } from './claude-code-text.ts';
import { ConversationBuilder } from './conversation-builder.ts';
import { describeAnswer } from './question-tool.ts';
import { readCommand, readOutcome, readPrinted, readToolCall } from './tool-calls.ts';
import type { ReadLine, TranscriptReader } from './transcript-reader.ts';
import { countUnread } from './unread.ts';

/** Whether a line is in the banner that begins what `/export` of Claude Code writes. @param first - the file's first line with a text; absent where this is it. */
export function opensClaudeCodeExport(line: string, first: string | undefined): boolean {
  if (first !== undefined) return /^╭─+╮\s*$/.test(first) && line.startsWith('│ ✻ Welcome to Claude Code');
  return /^[ *]{0,4}▐▛███[▜▛][▌█][ *]{1,9}Claude Code v\d|^╭─{1,9} Claude Code v\d/.test(line);
}

/** Whether two lines show a call of the agent and what it printed, as in a copy of the screen without its banner. @param before - the last line with a text before. */
export function showsCall(line: string, before: string): boolean {
  return /^[⏺●] \S/.test(before) && /^ {2}⎿ /.test(line);
}

/** The folder in a banner: behind the mascot's feet, in the left column of the box, or as `cwd:`; `~` is no whole path. */
const folder =
  /^(?:[ *]{0,4}▘▘ ▝▝[ *]+| ▝▝ {3}▝▝ +|│ +cwd: |│ +(?!\/help for help))(?<path>(?:\/|[A-Za-z]:\\)[^│…]{1,400}?) *(?:│|$)/;

/** What begins a part at the left edge: the agent, the person, his shell, or a notice, thought or rule of the host. */
const partStart = /^(?:(?<agent>[⏺●])\s?|(?<person>[❯>])(?:\s|$)|(?<shell>!)\s|[✻✢✽✳✶∴※▎]|─{10})/u;

/** The mark before what a tool or the host printed below a part. */
const printedStart = /^(?: {2})?⎿\s{0,2}/;

/** At the end of a line that stands for hidden ones. */
const expands = /\(ctrl\+[a-z] to [a-z ]{1,20}\)$/;

/** Below a note of several helper agents: one of them, and its state. */
const helper = /^ {3}(?:[├└]─ |[│ ] {2}⎿)/;

/** What the host prints below a call besides its result. */
const hostsNote = /^(?:Waiting…|Running…|\(timeout |(?:Pre|Post)ToolUse:|Allowed by |API Error)/;

/** How a result begins where the call failed. */
const failed =
  /^(?:Error\b|Invalid tool parameters|File (?:must be read|has (?:not )?been)|String to replace not found|Permission )/;

/** How the host notes that the person stopped the agent, or turned a call down. */
const stopped = /^Interrupted (?:by user|· )/;
const turnedDown = /^(?:Tool use rejected|User rejected|No \(tell Claude)/;
const refused = "The user doesn't want to proceed with this tool use.";

/** What the person says where he turns a call down; not what the host says in his name. */
const rejection = /^Tool use rejected with user message: (?!The user wants to clarify)(?<said>[\s\S]+)$/;

/** What the host prints below a prompt without being the output of a command. */
const promptNote = /^(?:Allowed |Interrupted|Read |Referenced |Listed |Loaded |⧉|\w+ hook)/;

/** Commands of the host that print nothing and do not concern the work. */
const ownCommand =
  /^\/(?:clear|exit|quit|compact|model|cost|context|resume|config|status|help|login|logout|memory|export|rename|usage|fast|ide|mcp|permissions|vim|doctor)$/;

/** What the host notes in the agent's name. */
const hostsWords =
  /^(?:(?:Agent|Background command|Task|Monitor|Teammate) "|(?:Task Output|(?:Entered|Exited) plan mode|User declined)\b|(?:Ran|Read|Searched for|Listed|Wrote|Recalled) \d+ (?:shell commands?|files?|patterns?|director(?:y|ies)|memor(?:y|ies))$)/;

const shells: ReadonlySet<string> = new Set(['Bash', 'PowerShell']);

/** The screen's names of tools that are given a file, and the host's own. */
const fileTools: ReadonlyMap<string, string> = new Map([
  ['Read', 'Read'],
  ['Write', 'Write'],
  ['Create', 'Write'],
  ['Update', 'Edit'],
  ['Edit', 'Edit'],
  ['MultiEdit', 'MultiEdit'],
  ['NotebookEdit', 'NotebookEdit'],
]);

/** The least width of a screen that is taken for the one that broke the lines. */
const columnsMin = 70;

/** Of a part so many printed lines are kept. */
const printedLinesMax = 1_000;

interface Part {
  speaker: 'agent' | 'person' | 'shell';
  /** Its words, without the screen's two blanks before each line. */
  lines: string[];
  /** What was printed below, by the marks before it. */
  printed: string[][];
  /** How many characters the last mark takes. */
  indent: number;
  /** Of its first line, with the blanks that fill it up. */
  width: number;
}

/** Takes the lines of the text that Claude Code's `/export` writes: what its screen showed. */
export class ClaudeCodeExportReader implements TranscriptReader {
  private readonly conversation = new ConversationBuilder('claude-code');
  private part: Part | undefined;
  private printedLines = 0;
  private before = '';
  /** The width at which the screen broke lines, as far as it is known. */
  private columns = columnsMin;

  addLine({ text: line }: ReadLine): void {
    if (line === undefined) {
      countUnread(this.conversation.unread, 'line too long');
      return;
    }
    const start = partStart.exec(line);
    const { before, part } = this;
    this.before = line;
    if (start === null) {
      if (part !== undefined) this.readBody(part, line);
      else if (this.conversation.size === 0) this.conversation.cwd ??= folder.exec(line)?.groups?.path;
      return;
    }
    const words = `  ${line.slice(start[0].length)}`;
    // Older versions mark each line of a prompt.
    if (part?.speaker === 'person' && line.startsWith('> ') && before.startsWith('> ')) this.readBody(part, words);
    else this.begin(start.groups ?? {}, words);
  }

  async finish(): Promise<Conversation> {
    this.end();
    return await this.conversation.finish();
  }

  private begin({ agent, person, shell }: Partial<Record<string, string>>, words: string): void {
    this.end();
    const speaker = agent ? 'agent' : person ? 'person' : shell ? 'shell' : undefined;
    if (speaker === undefined) return;
    this.printedLines = 0;
    this.part = { speaker, lines: [], printed: [], indent: 5, width: words.length };
    this.readBody(this.part, words);
  }

  private readBody(part: Part, line: string): void {
    // The screen fills up with blanks what the person typed.
    const isTyped = part.speaker === 'person' && line.length === part.width && line.endsWith('  ');
    const mark = isTyped ? null : printedStart.exec(line);
    if (mark !== null) {
      part.indent = mark[0].length;
      this.keepPrinted(part.printed, [line.slice(part.indent)]);
      return;
    }
    if (helper.test(line) || (/^ {2}\S/.test(line) && expands.test(line.slice(-200).trimEnd()))) return;
    const block = part.printed.at(-1);
    if (block !== undefined) {
      this.keepPrinted(block, line.slice(Math.min(line.search(/\S|$/), part.indent)));
      return;
    }
    const [words = '', result] = part.speaker === 'agent' ? line.split(/\s{2}⎿\s{1,2}/, 2) : [line];
    part.lines.push((words.startsWith('  ') ? words.slice(2) : words).trimEnd());
    this.columns = Math.max(this.columns, words.length);
    if (result !== undefined) this.keepPrinted(part.printed, [result]);
  }

  private keepPrinted<Printed>(list: Printed[], printed: Printed): void {
    this.printedLines += 1;
    if (this.printedLines <= printedLinesMax) list.push(printed);
  }

  private end(): void {
    const { conversation, part } = this;
    this.part = undefined;
    if (part === undefined) return;
    const printed = part.printed.map(toPrinted);
    if (part.speaker === 'person') this.endPrompt(part, printed);
    else if (part.speaker === 'shell') {
      const command = joinBroken(part.lines, this.columns - 2);
      const call = readCommand('Bash', command, conversation.cwd);
      if (command !== '') conversation.use([withOutcome(call, printed)]);
    } else this.endAnswer(part, printed);
    if (printed.some((text) => stopped.test(text))) conversation.interrupted = true;
  }

  private endPrompt({ lines }: Part, printed: readonly string[]): void {
    const text = joinBroken(lines, this.columns - 2).replace(
      /^(\/[\w:-]{1,60}) is (?:running|analyzing your codebase)…$/,
      '$1',
    );
    const [output] = printed;
    const name = /^Session renamed to: (?<name>.+)/.exec(output ?? '')?.groups?.name;
    if (name !== undefined && text.startsWith('/rename')) this.conversation.title = name.trim();
    const isOwn =
      /^\/[a-z][\w:-]{0,60}(?:\s|$)/.test(text) &&
      (output === undefined ? ownCommand.test(text) : !promptNote.test(output));
    const said = isOwn ? '' : readUserText(text);
    if (said !== '') this.conversation.say({ role: isHostsSummary(said) ? 'system' : 'user', text: said });
  }

  private endAnswer(part: Part, printed: readonly string[]): void {
    const { conversation } = this;
    const text = joinBroken(part.lines, this.columns - 2);
    const call = readHead(part, this.columns - 2, conversation.cwd);
    if (text.startsWith("User answered Claude's questions")) this.answer(part.printed[0] ?? []);
    else if (/^(?:User (?:approved|rejected) Claude's plan|Updated plan$)/.test(text)) this.decide(text, part.printed);
    else if (call !== undefined) conversation.use([withOutcome(call, printed)]);
    else {
      const said = text.split(/\n{2,}/).filter((paragraph) => !hostsWords.test(paragraph));
      const words = text === 'Update Todos' ? '' : readAssistantText(said.join('\n\n'));
      if (words !== '') conversation.say({ role: 'assistant', text: words });
    }
    // Some versions show the list of tasks below the words or the call before.
    const below = part.printed.slice(call === undefined ? 0 : 1);
    const todos = readTasks(below.findLast(([first = '']) => /^\s*[☐☒✔◻◼]/u.test(first)) ?? []);
    if (todos.length > 0) conversation.use([readToolCall('TodoWrite', { todos }, undefined)]);
    // The first line that a command or a server prints may have the same words.
    if (call !== undefined && (call.effect !== 'write' || call.command !== undefined)) return;
    for (const each of printed) {
      const said = rejection.exec(each)?.groups?.said?.split('\n');
      if (said !== undefined) conversation.say({ role: 'user', text: joinBroken(said, this.columns - 5) });
    }
  }

  /** Adds questions of the agent, and what the person answered. */
  private answer(lines: readonly string[]): void {
    const items: string[] = [];
    for (const line of lines) {
      if (line.startsWith('· ')) items.push(line.slice(2).trim());
      else if (items.length > 0) items.push(`${items.pop()} ${line.trim()}`);
    }
    const asked: string[] = [];
    const said: string[] = [];
    for (const item of items) {
      const { question = '', answer } = /^(?<question>.*?\?|.*?) → (?<answer>.+)$/.exec(item)?.groups ?? {};
      if (answer === undefined) continue;
      asked.push(`**${question}**`);
      said.push(describeAnswer(question, answer));
    }
    if (asked.length === 0) return;
    this.conversation.say({ role: 'assistant', text: asked.join('\n\n') });
    this.conversation.use([{ name: questionTool, effect: 'none' }]);
    this.conversation.say({ role: 'user', text: said.join('\n') });
  }

  /** Adds a plan of the agent that the person approved or rejected. */
  private decide(text: string, printed: readonly string[][]): void {
    const rejected = printed.find(([first = '']) => first.startsWith('User rejected'));
    const block = rejected ?? (text.startsWith('User') ? printed[0] : undefined) ?? [];
    const isBoxed = block.some((line) => line.trimStart().startsWith('╭'));
    const lines = block
      .filter((line) => !/^\s*[╭╰]|^User rejected/.test(line))
      .map((line) => (isBoxed ? line.trim().replace(/^│ ?|│$/g, '') : line).trimEnd());
    const plan = joinBroken(lines, this.columns - (isBoxed ? 9 : 5))
      .replace(/^Plan saved to: [^·]{1,400}· \/plan\s+to\s+edit/, '')
      .trim();
    if (plan === '') return;
    const isRejected = rejected !== undefined || text.startsWith('User rejected');
    this.conversation.say({ role: 'assistant', text: plan });
    this.conversation.use([{ name: 'ExitPlanMode', effect: 'none', plan: isRejected ? 'rejected' : 'approved' }]);
  }
}

/** Printed lines as a text, without the marks of hidden ones. */
function toPrinted(lines: readonly string[]): string {
  return lines
    .map((line) => line.trimEnd().replace(expands, '').trimEnd())
    .filter((line) => !/^\s*… \+\d+ lines?$/.test(line))
    .join('\n')
    .trim();
}

/** The call that a part begins with; nothing for words. */
function readHead({ lines, printed }: Part, room: number, cwd: string | undefined): ToolCall | undefined {
  const tool = /^[\w:-]{1,60}(?=\()|^Web Search(?=\()|^[^()\n]{1,80} \(MCP\)(?=\()/.exec(lines[0] ?? '')?.[0];
  if (tool === undefined) return undefined;
  const name = fileTools.get(tool);
  const isKnown = name !== undefined || shells.has(tool);
  const text = joinBroken(lines, room, tool.length).replace(/\) timeout: [\dhms ]{1,20}$/, ')');
  if (!text.endsWith(')') || (printed.length === 0 && !isKnown)) return undefined;
  const input = text.slice(tool.length + 1, -1);
  if (shells.has(tool)) return readCommand(tool, input, cwd);
  if (name === undefined) return { name: tool.replace(/ \(MCP\)$/, ''), effect: 'none' };
  const [path = ''] = input.split(' · ', 1);
  return readToolCall(name, { file_path: /^[A-Za-z]:/.test(path) ? path : path.replaceAll('\\', '/') }, cwd);
}

/** A call with what was printed below it; without an outcome where that is nothing. */
function withOutcome(call: ToolCall, printed: readonly string[]): ToolCall {
  const text = printed.find((each) => !hostsNote.test(each));
  if (text === undefined) return call;
  if (stopped.test(text)) return { ...call, outcome: readOutcome(interruptions[0] ?? '', true) };
  if (turnedDown.test(text)) return { ...call, outcome: readOutcome(`${refused} ${text}`, true) };
  const outcome = (call.command === undefined ? readOutcome : readPrinted)(text, failed.test(text));
  if (text.startsWith('Running in the background')) outcome.background = 'unnamed';
  return { ...call, outcome };
}

/** The tasks of a list with a box before each. */
function readTasks(lines: readonly string[]): { content: string; status: string }[] {
  const tasks: { content: string; status: string }[] = [];
  for (const line of lines) {
    const { box, content } = /^\s*(?<box>[☐☒✔◻◼])\s+(?<content>.+)$/u.exec(line)?.groups ?? {};
    const last = tasks.at(-1);
    const status = box === '◼' ? 'in_progress' : box === '☒' || box === '✔' ? 'completed' : 'pending';
    if (content !== undefined) tasks.push({ content: content.trim(), status });
    else if (last !== undefined && line.trim() !== '') last.content += ` ${line.trim()}`;
  }
  return tasks;
}
