import type { Conversation, Message, ToolCall } from '../core/conversation.ts';
import { MarkdownFence } from '../formats/markdown-fence.ts';
import { interruptions, isHostsSummary, readAssistantText, readUserText } from './claude-code-text.ts';
import { ConversationBuilder } from './conversation-builder.ts';
import { OpenCodeMarkdown, readOpenCodeSession } from './opencode-markdown.ts';
import { type HeadingStyle, type RoleHeading, readRoleHeading } from './role-headings.ts';
import { readApprovedPlan, readSpoken } from './specstory-spoken.ts';
import { readToolBlock } from './specstory-tools.ts';
import { TaggedCalls } from './tagged-calls.ts';
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
  private block: { kind: BlockKind; lines: string[]; characters: number; fence: MarkdownFence } | undefined;
  /** The notebook that was read or written last. */
  private notebook: string | undefined;
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
    // What a tool printed is anybody's, and its block ends by its tag.
    if (this.block?.kind === 'tool' && this.block.fence.isOpen) return undefined;
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
    this.conversation.title ??= /^(?:# |- Title: )(?<title>.+)$/.exec(line.slice(0, 300))?.groups?.title;
    const { session } = /<!-- .{1,60} Session (?<session>[\w-]{8,80})/.exec(line.slice(0, 300))?.groups ?? {};
    const openCode = readOpenCodeSession(line);
    if (openCode !== undefined) this.host = 'opencode';
    this.conversation.session ??= session ?? openCode;
    const isExpected =
      /^\s*(?:$|#|<!--|---|_Exported on|- [A-Z][\w ]{1,30}: |\*\*(?:Project|Session ID|Started|Date|Model|Created|Updated|Exported|Link)\b)/.test(
        line,
      );
    if (!isExpected) countUnread(this.conversation.unread, 'text before the first speaker');
  }

  private readBody(line: string): void {
    if (this.block !== undefined) {
      this.readBlockLine(line);
      return;
    }
    const isTool = /^\s*[<TRECD#]/.test(line) && !this.fence.isOpen && this.current?.role === 'assistant';
    if (isTool && /^\s*<tool-use\b/.test(line)) this.openBlock('tool', line);
    else if (isTool && /^\s*<think>/.test(line)) this.openBlock('think', line);
    else if (isTool && opensTaskList(line)) this.openBlock('todos', line);
    else if (isTool && /^Tool use: \*\*[^*]+\*\*\s*$/.test(line)) this.openBlock('old-tool', line);
    else if (isTool && /^<details>(?:$|<summary>(?:Read|Edit|Create|Delete) file: \S)/.test(line.trim()))
      this.openBlock('details', line);
    else if (isTool && /^(?:Read|Edit|Create|Delete) file: \S/.test(line)) this.use(line);
    else if (this.lines.length > 0 || !/^<!-- message-id: [\w:-]{1,80} -->$/.test(line)) {
      this.fence.read(line);
      this.lines.push(line);
    }
  }

  private openBlock(kind: BlockKind, line: string): void {
    this.block = { kind, lines: [], characters: 0, fence: new MarkdownFence() };
    this.readBlockLine(line);
  }

  private readBlockLine(line: string): void {
    const { block } = this;
    if (block === undefined) return;
    if (block.kind === 'todos' && !opensTaskList(line) && !/^\s*(?:- \[[ xX-]\] .*)?$/.test(line)) {
      this.closeBlock();
      this.readBody(line);
      return;
    }
    block.fence.read(line);
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
    const [first, summary = ''] = block.lines.map((line) => line.trim());
    if (first === '<details>') {
      // What the agent searched shows nothing of the work; other details are its own words.
      if (!/^<summary>(?:Searched|Grep search|Listed)\b/.test(summary)) this.lines.push(...block.lines);
    } else if (block.kind !== 'think') this.use(block.lines.join('\n'));
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
    const plan = readApprovedPlan(block);
    if (plan !== '') this.conversation.say({ role: 'assistant', text: plan, at: this.current?.at });
    const calls = readToolBlock(block, this.conversation.cwd).map((call) => this.withNotebook(call, block));
    const about = {
      ...(this.current?.isSidechain === true && { agent: 'sidechain' }),
      ...(plan !== '' && { plan: 'approved' as const }),
    };
    this.conversation.use(
      calls.map((call) => ({ ...call, ...about })),
      { at: this.current?.at },
    );
    if (this.current?.isSidechain === true) return;
    for (const { role, text } of readSpoken(calls[0]?.name ?? '', block)) {
      this.conversation.say({ role, text, ...(this.current?.at !== undefined && { at: this.current.at }) });
    }
  }

  /** An edit of a cell seldom names its notebook, but the agent has to read that before. */
  private withNotebook(call: ToolCall, block: string): ToolCall {
    const isEdit =
      call.name === 'NotebookEdit' && call.path === undefined && /^(?:Updated|Inserted|Deleted) cell\b/m.test(block);
    const path = isEdit ? this.notebook : call.path;
    if (path?.endsWith('.ipynb')) this.notebook = path;
    return isEdit && path !== undefined ? { ...call, effect: 'write', path } : call;
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
    if (said === noText) return;
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
    const role = isTyped && (isHostsSummary(text) || ofOtherSession.test(text)) ? 'system' : current.role;
    this.conversation.say({ role, text, ...(current.at !== undefined && { at: current.at }) });
  }
}

/** What an export of OpenCode writes for a message of tool calls alone. */
const noText = '_No text content captured for this message._';

/** What SpecStory writes around thoughts. */
const thoughtFrame = /<\/?(?:think|details)>|<summary>Thought Process<\/summary>/g;

/** What VS Code asks after many steps, and what its button and Cursor's for a plan say in the person's name. */
const ofEditor =
  /^@agent Continue: "Continue to iterate\?"$|^@agent Try Again$|(?:^|(?<=[.:!?]) )Copilot has been working on this problem for a while\. It can continue to iterate, or you can send a new message to refine your prompt\.[^\n]*(?:\n+Continue to iterate\?)?$| Do NOT edit the plan file itself\.$|^To-do's from the plan have already been created\. Do not create them again\.[^\n]*$/gm;

/** What an agent of another session of Copilot CLI sent in the person's name. */
const ofOtherSession = /^_Message from (?:another Copilot session|Copilot session `[^`\n]{1,80}`):_/;

/** A side's words without what the host added to them. */
function readOwn(said: string, { role, style }: RoleHeading): string {
  if (role === 'user') return style === 'emphasis' ? readUserText(said) : readWrappedWords(said);
  return role === 'assistant' ? readAssistantText(said) : said;
}

/** What exports of SpecStory wrap, by how it ends; older ones have tools between rules, or edits in details. */
type BlockKind = 'tool' | 'think' | 'old-tool' | 'details' | 'todos';

/** Whether a line is the heading of the agent's list of tasks, which exports of Cursor's sessions repeat after each change. */
function opensTaskList(line: string): boolean {
  return /^## Todo List\s*$/.test(line);
}

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
