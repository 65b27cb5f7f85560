import type { ToolOutcome } from '../core/conversation.ts';
import { MarkdownFence } from '../formats/markdown-fence.ts';
import { removeBlocks } from './claude-code-text.ts';
import type { AnswerPart, ConversationBuilder } from './conversation-builder.ts';
import { readOutcome, readToolCall } from './tool-calls.ts';

/** A tool's tag: its name has an underscore, as no word of prose and no element of HTML, and its first field follows. */
const toolTag = /[ \t]*<(?<name>[a-z]+(?:_[a-z]+)+)>(?=\s*<)/y;
const fieldTag = /\s*<(?<name>[a-z_]{1,40})>/y;
const space = /\s*/y;

/** Tags around several fields, as of a tool that reads several files. */
const groups: ReadonlySet<string> = new Set(['args', 'file']);

/** The fields in which a tool says something to the person. */
const spokenFields = ['result', 'question', 'response', 'follow_up'] as const;

/**
 * Takes the messages of Cline and Roo Code, whose agents write their tool calls among their words as tags: `<read_file>
 * <path>a.ts</path></read_file>`. The host answers in the person's name. A call is known by its tool's name until the next of
 * this name. Time grows linearly with a message.
 */
export class TaggedCalls {
  /** Whether the host is one of these: in other transcripts tags are text. */
  private isHosts = false;

  /** Gives the calls of a conversation the result that a text in the person's name begins with. */
  hear(text: string, conversation: ConversationBuilder): void {
    const found = resultStart.exec(text);
    const name = found?.groups?.name;
    this.isHosts ||= name !== undefined || text.includes('<environment_details>');
    if (found !== null && name !== undefined) conversation.conclude(name, readGiven(text.slice(found[0].length)));
  }

  /** An agent's words and calls in their order. What a tool says to the person is the agent's words; its thoughts are not. */
  readAnswer(text: string, cwd: string | undefined): AnswerPart[] {
    if (!this.isHosts) return [{ text }];
    const said = /^\s*<thinking>/.test(text) ? removeBlocks(text, 'thinking') : text;
    const parts: AnswerPart[] = [];
    const fence = new MarkdownFence();
    let from = 0;
    for (let at = 0; at < said.length; ) {
      const tool = fence.isOpen ? undefined : readTool(said, at);
      // What begins and has no end is text, with all below it: looking for an end again and again would take quadratic time.
      if (tool?.end === -1) break;
      if (tool !== undefined) {
        parts.push({ text: said.slice(from, at) }, ...partsOf(tool, cwd));
        from = tool.end;
        at = tool.end;
        continue;
      }
      const stop = said.indexOf('\n', at);
      fence.read(said.slice(at, Math.min(stop === -1 ? said.length : stop, at + fenceCharactersMax)));
      at = stop === -1 ? said.length : stop + 1;
    }
    return [...parts, { text: said.slice(from) }];
  }
}

/** A fence is known by the beginning of its line. */
const fenceCharactersMax = 200;

interface TaggedTool {
  name: string;
  fields: [name: string, text: string][];
  /** The place behind its closing tag; -1 where there is none. */
  end: number;
}

function readTool(text: string, at: number): TaggedTool | undefined {
  toolTag.lastIndex = at;
  const name = toolTag.exec(text)?.groups?.name;
  if (name === undefined) return undefined;
  const close = `</${name}>`;
  const fields: TaggedTool['fields'] = [];
  for (let from = toolTag.lastIndex; ; ) {
    fieldTag.lastIndex = from;
    const field = fieldTag.exec(text)?.groups?.name;
    if (field === undefined) {
      space.lastIndex = from;
      space.test(text);
      const tag = [...groups].map((group) => `</${group}>`).find((each) => text.startsWith(each, space.lastIndex));
      if (tag !== undefined) {
        from = space.lastIndex + tag.length;
        continue;
      }
      const end = text.indexOf(close, from);
      return { name, fields, end: end === -1 ? -1 : end + close.length };
    }
    const start = fieldTag.lastIndex;
    const stop = groups.has(field) ? start : text.indexOf(`</${field}>`, start);
    if (stop === -1) return { name, fields, end: -1 };
    if (stop > start) fields.push([field, text.slice(start, stop).trim()]);
    from = groups.has(field) ? start : stop + field.length + 3;
  }
}

/** What a tool says to the person, and its call: one for each file. */
function partsOf({ name, fields }: TaggedTool, cwd: string | undefined): AnswerPart[] {
  const input = Object.fromEntries(fields.toReversed());
  const spoken = spokenFields.map((field) => input[field] ?? '').filter((text) => text !== '');
  const paths = fields.filter(([field]) => field === 'path').map(([, path]) => ({ ...input, path }));
  const inputs = paths.length === 0 ? [input] : paths;
  const calls = inputs.map((each) => readToolCall(name, each, cwd));
  if (spoken.length === 0) return [{ calls, id: name }];
  const words = spoken
    .join('\n\n')
    .replace(/<suggest(?: [^<>\n]{0,100})?>/g, '- ')
    .replaceAll('</suggest>', '');
  return [{ text: words }, ...(input.command === undefined ? [] : [{ calls, id: name }])];
}

/** How these hosts begin what a tool gave, which names the call; questions in it may have several lines. */
const resultStart = /^\s*\[(?<name>[a-z_]{2,40})(?: [\s\S]{0,8000}?)?\] Result:/;

/** The part of a tool's result that holds words of the person, as the host says above them; what a tool gave never does. */
export function readSpokenResult(text: string): string | undefined {
  const start = resultStart.exec(text)?.[0];
  if (start === undefined) return undefined;
  const given = text.slice(start.length);
  const isSpoken = /^\s*(?:<(?:answer|feedback|user_message)>|The user )/.test(given);
  const from = isSpoken ? 0 : given.search(/^The user (?:provided|approved|denied)[^\n]{0,120}:\s{0,20}<feedback>/m);
  return from === -1 ? '' : given.slice(from);
}

function readGiven(text: string): ToolOutcome {
  const given = removeBlocks(removeBlocks(text, 'environment_details'), 'feedback').trim();
  const ended = commandEnd.exec(given)?.groups?.report;
  const report = ended === undefined ? given : given.slice(given.indexOf(ended));
  const outcome = readOutcome(report, hasFailed.test(report));
  return given.startsWith('Command is still running') ? { ...outcome, background: 'terminal' } : outcome;
}

/** How the host reports the end of a command, above what it printed. */
const commandEnd = /^Command executed[^\n]{0,500}?(?:'\. |\n)(?<report>Exit code: \d)/;

/** How the host reports that a tool failed, or that the person refused it. */
const hasFailed =
  /^(?:Exit code: [1-9]|The tool execution failed|The user denied|<error>|<files>\s*<file><path>[^<]{0,500}<\/path><error>)/;
