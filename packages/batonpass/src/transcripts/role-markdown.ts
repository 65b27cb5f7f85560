import type { Conversation, Message, ToolCall } from '../core/conversation.ts';
import { MarkdownFence } from '../formats/markdown-fence.ts';
import {
  interruptions,
  isHostsSummary,
  isTurnedDown,
  questionTool,
  readAssistantText,
  readSpokenResult,
  readUserText,
  withoutSpoken,
} from './claude-code-text.ts';
import { readCode } from './codex-items.ts';
import { ConversationBuilder } from './conversation-builder.ts';
import { OpenCodeMarkdown, readOpenCodeSession } from './opencode-markdown.ts';
import { describeAnswer } from './question-tool.ts';
import { type HeadingStyle, type RoleHeading, readRoleHeading } from './role-headings.ts';
import { TaggedCalls } from './tagged-calls.ts';
import { readCommand, readOutcome, relativePath } from './tool-calls.ts';
import type { ReadLine, TranscriptReader } from './transcript-reader.ts';
import { countUnread } from './unread.ts';
import { readWrappedWords } from './wrapped-words.ts';

/** This much of a tool's block is read; a tool's answer is longer, and none of it is kept. */
const blockCharactersMax = 16_384;

/** Which host a line before the first message names, or nothing. */
function readHost(line: string): string | undefined {
  if (line.includes('SpecStory')) return 'specstory';
  return /^_Exported on .* from Cursor \(/.test(line) ? 'cursor' : undefined;
}

/**
 * Takes the lines of a Markdown transcript in which headings name the speaker: SpecStory, Cursor's export, and what
 * people copy. The first heading's style is the file's; others are text.
 */
export class RoleMarkdownReader implements TranscriptReader {
  private host: string | undefined;
  private style: HeadingStyle | undefined;
  /** The level and name of each role's first heading: another one, as `### Response`, is an answer's own. */
  private readonly spellings = new Map<Message['role'], string>();
  private readonly fence = new MarkdownFence();
  private readonly conversation = new ConversationBuilder('markdown');
  private readonly openCode = new OpenCodeMarkdown();
  private readonly tagged = new TaggedCalls();
  private current: RoleHeading | undefined;
  private lines: string[] = [];
  /** What the agent said as its thoughts since the person's last message. */
  private thought = '';
  /** Whether the lines so far hold thoughts. */
  private isThought = false;
  private block: { kind: BlockKind; lines: string[]; characters: number } | undefined;
  /** The last line that was not blank: a rule there ends a fence that its writer forgot. */
  private before = '';

  addLine({ text: line }: ReadLine): void {
    if (line === undefined) {
      countUnread(this.conversation.unread, 'line too long');
      return;
    }
    if (this.isFact(line)) this.forget();
    const heading = this.readHeading(line);
    if (heading !== undefined) this.begin(heading);
    else if (this.current === undefined) this.readPreamble(line);
    else this.readBody(line);
    if (line.trim() !== '') this.before = line.trim();
  }

  async finish(): Promise<Conversation> {
    this.endMessage();
    return { ...(await this.conversation.finish()), host: this.host ?? 'markdown' };
  }

  private readHeading(line: string): RoleHeading | undefined {
    const heading = readRoleHeading(line, this.style);
    if (heading === undefined) return undefined;
    const isWithin = this.fence.isOpen || this.block !== undefined;
    // OpenCode writes a rule above each heading.
    if ((isWithin || this.host === 'opencode') && this.before !== '---') return undefined;
    const spelling = this.spellings.get(heading.role);
    return spelling === undefined || spelling === spell(heading) ? heading : undefined;
  }

  private begin(heading: RoleHeading): void {
    this.endMessage();
    this.style ??= heading.style;
    if (heading.style === 'emphasis') this.host ??= 'specstory';
    if (heading.name === 'cursor' && heading.style === 'bold') this.host ??= 'cursor';
    this.spellings.set(heading.role, spell(heading));
    this.current = heading;
    this.fence.reset();
    if (heading.rest !== '') this.lines.push(heading.rest);
  }

  /** "**User:** sam" above "**Created:** today" is a fact of the document. */
  private isFact(line: string): boolean {
    const { current, conversation, lines } = this;
    return (
      current?.style === 'bold' &&
      conversation.size === 0 &&
      lines.length === 1 &&
      lines[0] === current.rest &&
      /^\*\*\p{Lu}[\p{L} ]{1,20}:\*\* \S/u.test(line) &&
      readRoleHeading(line) === undefined
    );
  }

  private forget(): void {
    this.current = undefined;
    this.style = undefined;
    this.lines = [];
    this.spellings.clear();
  }

  private readPreamble(line: string): void {
    this.host ??= readHost(line);
    this.conversation.title ??= /^# (?<title>.+)$/.exec(line.slice(0, 300))?.groups?.title;
    const { session } = /<!-- .{1,60} Session (?<session>[\w-]{8,80})/.exec(line.slice(0, 300))?.groups ?? {};
    const openCode = readOpenCodeSession(line);
    if (openCode !== undefined) this.host = 'opencode';
    this.conversation.session ??= session ?? openCode;
    const isExpected =
      /^\s*(?:$|#|<!--|---|_Exported on|\*\*(?:Project|Session ID|Started|Date|Model|Created|Updated|Exported|Link)\b)/.test(
        line,
      );
    if (!isExpected) countUnread(this.conversation.unread, 'text before the first speaker');
  }

  private readBody(line: string): void {
    if (this.block !== undefined) {
      this.readBlockLine(line);
      return;
    }
    const isTool = /^\s*[<TRECD]/.test(line) && !this.fence.isOpen && this.current?.role === 'assistant';
    if (isTool && /^\s*<tool-use\b/.test(line)) this.openBlock('tool', line);
    else if (isTool && /^\s*<think>/.test(line)) this.openBlock('think', line);
    else if (isTool && /^Tool use: \*\*[^*]+\*\*\s*$/.test(line)) this.openBlock('old-tool', line);
    else if (isTool && /^<details><summary>(?:Read|Edit|Create|Delete) file: \S/.test(line))
      this.openBlock('details', line);
    else if (isTool && /^(?:Read|Edit|Create|Delete) file: \S/.test(line)) this.use(line);
    else {
      this.fence.read(line);
      this.lines.push(line);
    }
  }

  private openBlock(kind: BlockKind, line: string): void {
    this.block = { kind, lines: [], characters: 0 };
    this.readBlockLine(line);
  }

  private readBlockLine(line: string): void {
    const { block } = this;
    if (block === undefined) return;
    const isRule = block.kind === 'old-tool' && line.trim() === '---';
    if (!isRule && block.characters < blockCharactersMax) {
      block.lines.push(line.slice(0, blockCharactersMax));
      block.characters += line.length + 1;
    }
    if (
      isRule ||
      (block.kind === 'tool' && line.includes('</tool-use>')) ||
      (block.kind === 'details' && line.includes('</details>')) ||
      (block.kind === 'think' && line.includes('</think>'))
    ) {
      this.closeBlock();
    }
  }

  private closeBlock(): void {
    const { block } = this;
    this.block = undefined;
    if (block === undefined) return;
    if (block.kind !== 'think') this.use(block.lines.join('\n'));
    else if (this.current?.saysInThoughts) {
      const said = block.lines.map((line) => line.replace(thoughtFrame, ''));
      this.lines.push(...said);
      this.isThought = true;
      this.thought += said.join('\n');
    }
  }

  /** The text before a tool call comes before the call. */
  private use(block: string): void {
    this.say();
    const calls = readToolBlock(block, this.conversation.cwd);
    const agent = this.current?.isSidechain === true ? { agent: 'sidechain' } : {};
    this.conversation.use(
      calls.map((call) => ({ ...call, ...agent })),
      { at: this.current?.at },
    );
    if (this.current?.isSidechain === true) return;
    for (const { role, text } of readSpoken(calls[0]?.name ?? '', block)) {
      this.conversation.say({ role, text, ...(this.current?.at !== undefined && { at: this.current.at }) });
    }
  }

  private endMessage(): void {
    this.closeBlock();
    this.say();
  }

  private say(): void {
    const { current, isThought, lines } = this;
    const isOpenCodes = this.host === 'opencode' && current?.role === 'assistant';
    const said = trimRules(isOpenCodes ? lines : withoutEmptyFences(lines));
    this.lines = [];
    this.isThought = false;
    // Messages from and to a helper are not part of this conversation; its tool calls are.
    if (current === undefined || current.isSidechain || current.isHostsOwn) return;
    const isTyped = current.role === 'user' && current.style === 'emphasis';
    if (isTyped && interruptions.includes(said)) this.conversation.interrupted = true;
    const text = readOwn(said, current).replace(ofEditor, '').trim();
    if (current.role === 'user') this.thought = '';
    if (current.role === 'assistant' && current.style !== 'emphasis') {
      const written = isOpenCodes ? this.openCode : this.tagged;
      this.conversation.answer(written.readAnswer(text, this.conversation.cwd), current.at);
      return;
    }
    if (current.role === 'user') {
      this.openCode.hear(text);
      this.tagged.hear(said, this.conversation);
    }
    // What VS Code's agent said between its steps may stand there once more as its answer.
    if (text === '' || (!isThought && this.thought.includes(text))) return;
    const role = isTyped && isHostsSummary(text) ? 'system' : current.role;
    this.conversation.say({ role, text, ...(current.at !== undefined && { at: current.at }) });
  }
}

/** What SpecStory writes around thoughts. */
const thoughtFrame = /<\/?(?:think|details)>|<summary>Thought Process<\/summary>/g;

/** What VS Code asks after many steps, and what its button answers in the person's name. */
const ofEditor =
  /^@agent Continue: "Continue to iterate\?"$|^@agent Try Again$|(?:^|(?<=[.:!?]) )Copilot has been working on this problem for a while\. It can continue to iterate, or you can send a new message to refine your prompt\.[^\n]*(?:\n+Continue to iterate\?)?$/gm;

/** A side's words without what the host added to them. */
function readOwn(said: string, { role, style }: RoleHeading): string {
  if (role === 'user') return style === 'emphasis' ? readUserText(said) : readWrappedWords(said);
  return role === 'assistant' ? readAssistantText(said) : said;
}

/** What exports of SpecStory wrap, by how it ends; older ones have tools between rules, or edits in details. */
type BlockKind = 'tool' | 'think' | 'old-tool' | 'details';

/** SpecStory names one side in several ways, and its format is unique. */
function spell({ style, level, name }: RoleHeading): string {
  return style === 'emphasis' ? style : `${level} ${name}`;
}

/** The lines without fenced blocks that hold nothing: exporters leave them where a tool was used. */
function withoutEmptyFences(lines: readonly string[]): string[] {
  const kept: string[] = [];
  const fence = new MarkdownFence();
  /** Where among the kept lines the open block begins, while it holds nothing. */
  let opened: number | undefined;
  for (const line of lines) {
    const wasOpen = fence.isOpen;
    fence.read(line);
    if (!wasOpen && fence.isOpen) opened = kept.length;
    else if (wasOpen && !fence.isOpen && opened !== undefined) {
      kept.length = opened;
      opened = undefined;
      continue;
    } else if (line.trim() !== '') opened = undefined;
    kept.push(line);
  }
  return kept;
}

/** The lines as a text, without the rules and blank lines around it. */
function trimRules(lines: readonly string[]): string {
  const isEmpty = (line: string) => line.trim() === '' || line.trim() === '---';
  const from = lines.findIndex((line) => !isEmpty(line));
  if (from === -1) return '';
  return lines
    .slice(from, lines.findLastIndex((line) => !isEmpty(line)) + 1)
    .join('\n')
    .trim();
}

/** What SpecStory calls the kinds of tools, and older exports the tools. */
const effects: ReadonlyMap<string, ToolCall['effect']> = new Map([
  ['read', 'read'],
  ['write', 'write'],
  ['edit', 'write'],
  ['read_file', 'read'],
  ['code_edit', 'write'],
  ['edit_file', 'write'],
  ['search_replace', 'write'],
  ['create_file', 'write'],
  ['delete_file', 'delete'],
  ['apply_patch', 'write'],
  // VS Code
  ['replace_string_in_file', 'write'],
  ['multi_replace_string_in_file', 'write'],
  ['insert_edit_into_file', 'write'],
  ['edit_notebook_file', 'write'],
]);

const shells: ReadonlySet<string> = new Set(['shell', 'command', 'run_terminal_cmd', 'run_in_terminal']);

/** A tool's block in an export of SpecStory as calls: code has as many as it makes. @param cwd - paths below it become relative. */
function readToolBlock(block: string, cwd: string | undefined): ToolCall[] {
  const kind = /data-tool-type="([^"]{1,40})"/.exec(block)?.[1] ?? '';
  const label = /Tool use: \*\*([^*\n]{1,80})\*\*/.exec(block)?.[1];
  const name = /data-tool-name="([^"]{1,80})"/.exec(block)?.[1] ?? label ?? 'unknown';
  const ran =
    name === 'exec' ? /^Input(?<cut> \(truncated\))?: ```\n(?<code>[\s\S]*?)\n```/m.exec(block)?.groups : undefined;
  const made = ran?.code === undefined ? [] : readCode(ran.code, cwd);
  // Of code that is cut, the commands alone: a list of tasks or of files would not be the last.
  const known = ran?.cut === undefined ? made : made.filter(({ command: run }) => run !== undefined);
  if (known.length > 0) return known;
  const command = shells.has(kind) || shells.has(name) || shells.has(label ?? '') ? readCommandOf(block) : undefined;
  const call = command === undefined ? readFile({ block, name, kind, label }, cwd) : readCommand(name, command, cwd);
  const result = lastFence(block);
  if (result === undefined || result === command) return [call];
  const isError = /^\s*(?:<tool_use_error>|(?:Error: )?Exit code [1-9])/.test(result) || isTurnedDown(result);
  if (command !== undefined || isError) call.outcome = readOutcome(withoutSpoken(result), isError);
  return [call];
}

/** What was asked and answered in a block of the host's own question tool, in the order of speech; else why a call was turned down. */
function readSpoken(name: string, block: string): { role: 'assistant' | 'user'; text: string }[] {
  if (name !== questionTool) {
    const text = readSpokenResult(lastFence(block) ?? '', name);
    return text === '' ? [] : [{ role: 'user', text }];
  }
  const body = block.replace(/<\/?(?:tool-use|details)\b[^>]{0,200}>|<summary>[^\n]{0,500}<\/summary>/g, '');
  const [first = '', ...rest] = body.split(/^\*\*Answer:\*\*[ \t]*/m);
  let asked = first;
  const parts = rest.flatMap((part) => {
    const next = part.search(/^\*\*/m);
    const question = /^\*\*(?<question>[^\n]{1,1000}?)\*\*$/m.exec(asked)?.groups?.question;
    const said = (next === -1 ? part : part.slice(0, next)).trim();
    asked = next === -1 ? '' : part.slice(next);
    return [
      { role: 'user' as const, text: question === undefined ? said : describeAnswer(question, said) },
      { role: 'assistant' as const, text: asked.trim() },
    ];
  });
  return [{ role: 'assistant' as const, text: first.trim() }, ...parts].filter(({ text }) => text !== '');
}

interface NamedBlock {
  block: string;
  name: string;
  kind: string;
  label: string | undefined;
}

function readFile({ block, name, kind, label }: NamedBlock, cwd: string | undefined): ToolCall {
  const said = /(?<what>Read|Edit|Create|Delete) file: (?<path>[^\n<•]{1,500})/.exec(block)?.groups;
  const spoken =
    said?.what === undefined ? undefined : (({ Read: 'read', Delete: 'delete' } as const)[said.what] ?? 'write');
  const effect = spoken ?? effects.get(kind) ?? effects.get(name) ?? effects.get(label ?? '') ?? 'none';
  const written =
    /File created successfully at: (?<path>[^\n]{1,500}?)(?: \(file state is current[^\n]*)?$/m.exec(block)?.groups
      ?.path ?? /The file (?<path>[^\n]{1,500}?) has been updated/.exec(block)?.groups?.path;
  const parameter =
    /^[ \t]*"(?:file_path|path|target_file|relativeWorkspacePath)": "(?<path>[^"\n]{1,500})"/m.exec(block)?.groups
      ?.path ?? /^- (?:filePath|file_path|path): `(?<path>[^`\n]{1,500})`$/m.exec(block)?.groups?.path;
  const named =
    effect === 'none'
      ? undefined
      : (said?.path ?? written ?? parameter ?? /^[ \t]*`(?<path>[^`\n]{1,500})`[ \t]*$/m.exec(block)?.groups?.path);
  const path = named?.trim().replace(/^\.\//, '');
  if (path === undefined || path === '' || path === 'undefined') return { name, effect: 'none' };
  return { name, effect, path: relativePath(path, cwd) };
}

/** The command in its summary, among its parameters, in a block of a shell, or alone between backticks. */
function readCommandOf(block: string): string | undefined {
  const given = /^- command: `(?<command>[^`\n]{1,4000})`$/m.exec(block)?.groups?.command;
  if (given !== undefined) return given;
  const fenced = /^```(?:bash|sh|shell|zsh)\n(?<command>[\s\S]*?)\n```$/m.exec(block)?.groups?.command;
  const [beforeFence = ''] = block.split('\n```');
  const inline = /^[ \t]*`(?<command>[^`\n]{1,4000})`[ \t]*$/m.exec(beforeFence)?.groups?.command;
  const command = (fenced ?? inline ?? '').trim();
  return command === '' ? undefined : command;
}

/** The text of the last fenced block, by search: a pattern over a long block would be slow. */
function lastFence(block: string): string | undefined {
  const end = block.lastIndexOf('\n```');
  const start = end === -1 ? -1 : block.lastIndexOf('\n```', end - 1);
  if (start === -1) return undefined;
  const textStart = block.indexOf('\n', start + 1) + 1;
  return textStart > end ? '' : block.slice(textStart, end);
}
