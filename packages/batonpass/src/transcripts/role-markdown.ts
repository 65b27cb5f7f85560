import type { Conversation, Message } from '../core/conversation.ts';
import { isCompactionSummary, readUserText } from './claude-code-text.ts';
import { ConversationBuilder } from './conversation-builder.ts';
import { MarkdownFence } from './markdown-fence.ts';
import { type HeadingStyle, type RoleHeading, readRoleHeading } from './role-headings.ts';
import { readQuestions, readToolBlock } from './specstory-tools.ts';
import type { ReadLine, TranscriptReader } from './transcript-reader.ts';
import { countUnread } from './unread.ts';

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
  private current: RoleHeading | undefined;
  private lines: string[] = [];
  private block: { kind: 'tool' | 'think' | 'old-tool'; lines: string[]; characters: number } | undefined;
  /** The last line that was not blank: a rule there ends a fence that its writer forgot. */
  private before = '';

  addLine({ text: line }: ReadLine): void {
    if (line === undefined) {
      countUnread(this.conversation.unread, 'line too long');
      return;
    }
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
    if (isWithin && this.before !== '---') return undefined;
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

  private readPreamble(line: string): void {
    this.host ??= readHost(line);
    const { session } = /<!-- .{1,60} Session (?<session>[\w-]{8,80})/.exec(line.slice(0, 300))?.groups ?? {};
    this.conversation.session ??= session;
    const isExpected = /^\s*(?:$|#|<!--|---|_Exported on|\*\*(?:Project|Session ID|Started|Date|Model)\b)/.test(line);
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
    else if (isTool && /^(?:Read|Edit|Create|Delete) file: \S/.test(line)) this.use(line);
    else {
      this.fence.read(line);
      this.lines.push(line);
    }
  }

  private openBlock(kind: 'tool' | 'think' | 'old-tool', line: string): void {
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
      (block.kind === 'think' && line.includes('</think>'))
    ) {
      this.closeBlock();
    }
  }

  private closeBlock(): void {
    const { block } = this;
    this.block = undefined;
    if (block !== undefined && block.kind !== 'think') this.use(block.lines.join('\n'));
  }

  /** The text before a tool call comes before the call. */
  private use(block: string): void {
    this.say();
    const call = readToolBlock(block, this.conversation.cwd);
    const agent = this.current?.isSidechain === true ? { agent: 'sidechain' } : {};
    this.conversation.use([{ ...call, ...agent }], { at: this.current?.at });
    if (this.current?.isSidechain === true) return;
    for (const { role, text } of readQuestions(call.name, block)) {
      this.conversation.say({ role, text, ...(this.current?.at !== undefined && { at: this.current.at }) });
    }
  }

  private endMessage(): void {
    this.closeBlock();
    this.say();
  }

  private say(): void {
    const said = trimRules(withoutEmptyFences(this.lines));
    this.lines = [];
    const { current } = this;
    // Messages from and to a helper are not part of this conversation; its tool calls are.
    if (current === undefined || current.isSidechain || current.isHostsOwn) return;
    const isTyped = current.role === 'user' && current.style === 'emphasis';
    const text = isTyped ? readUserText(said) : said;
    if (text === '') return;
    const role = isTyped && isCompactionSummary(text) ? 'system' : current.role;
    this.conversation.say({ role, text, ...(current.at !== undefined && { at: current.at }) });
  }
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
