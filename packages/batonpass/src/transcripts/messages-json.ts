import type { Conversation, Message } from '../core/conversation.ts';
import { readInstant } from './claude-code-rows.ts';
import { ConversationBuilder } from './conversation-builder.ts';
import { asObject, asObjects, asText, type JsonObject } from './json-value.ts';
import { TaggedCalls } from './tagged-calls.ts';
import { readOutcome, readToolCall } from './tool-calls.ts';
import { countUnread } from './unread.ts';
import { readWrappedWords } from './wrapped-words.ts';

/** Other programs' names of the three roles. */
const roles: ReadonlyMap<string, Message['role']> = new Map([
  ['user', 'user'],
  ['human', 'user'],
  ['assistant', 'assistant'],
  ['ai', 'assistant'],
  ['model', 'assistant'],
  ['system', 'system'],
  ['developer', 'system'],
]);

const toolBlocks: ReadonlySet<string> = new Set(['tool_use', 'tool-call', 'toolCall', 'dynamic-tool']);

/** Whether a value is a message in the form of chat APIs, by its role. */
export function isMessage(value: unknown): boolean {
  return asText(asObject(value)?.role) !== undefined;
}

/** Takes messages in the form of chat APIs or of AI SDK interfaces one by one. */
export class MessagesReader {
  private readonly conversation = new ConversationBuilder('messages');
  private readonly tagged = new TaggedCalls();

  /** Facts of the document around the messages; paths below its `cwd` become relative from here on. */
  readAbout(about: JsonObject): void {
    const { conversation } = this;
    conversation.session ??= asText(about.session) ?? asText(about.id);
    conversation.branch ??= asText(about.branch);
    conversation.title ??= asText(about.title);
    conversation.cwd ??= asText(about.cwd);
  }

  /** Adds one message; what is none is counted as unread. */
  add(entry: unknown): void {
    const value = asObject(entry);
    const name = asText(value?.role);
    if (value === undefined || name === undefined) {
      countUnread(this.conversation.unread, 'not a message');
      return;
    }
    if (name === 'tool') {
      this.readAnswers(asObjects(value.content));
      return;
    }
    if (name === 'toolResult') {
      this.readAnswers([{ ...value, type: 'tool_result', content: toText(textsOf(value.content) ?? value.content) }]);
      return;
    }
    const role = roles.get(name.toLowerCase());
    if (role === undefined) {
      countUnread(this.conversation.unread, `unknown role "${name.slice(0, 40)}"`);
      return;
    }
    const at = readInstant(value.createdAt ?? value.created_at ?? value.timestamp);
    if (typeof value.content === 'string' && !Array.isArray(value.parts)) {
      this.say(role, value.content.trim(), at);
      return;
    }
    const parts = asObjects(Array.isArray(value.parts) ? value.parts : value.content);
    const texts = parts.flatMap((part) => (isTextPart(part) ? (asText(part.text)?.trim() ?? '') : []));
    this.say(role, texts.filter((text) => text !== '').join('\n\n'), at);
    for (const part of parts) this.readToolPart(part, at);
    this.readAnswers(parts);
  }

  /** Counts what never became a value: an entry that is too long. */
  countUnread(reason: string): void {
    countUnread(this.conversation.unread, reason);
  }

  /** The conversation of the messages so far, its secrets masked. */
  async finish(): Promise<Conversation> {
    return await this.conversation.finish();
  }

  private say(role: Message['role'], text: string, at: string | undefined): void {
    if (role === 'user') this.tagged.hear(text, this.conversation);
    const parts = role === 'assistant' ? this.tagged.readAnswer(text, this.conversation.cwd) : [];
    if (parts.length > 1) {
      this.conversation.answer(parts, at);
      return;
    }
    const said = role === 'user' ? readWrappedWords(text) : text;
    if (said !== '' || role === 'assistant')
      this.conversation.say({ role, text: said, ...(at !== undefined && { at }) });
  }

  /** A part `tool-NAME` or `dynamic-tool` of the AI SDK, or a `tool_use`, `tool-call` or `toolCall` block. */
  private readToolPart(part: JsonObject, at: string | undefined): void {
    const type = asText(part.type) ?? '';
    const isBlock = toolBlocks.has(type);
    const isUse = isBlock || (type.startsWith('tool-') && type !== 'tool-result');
    if (!isUse) return;
    const name = isBlock ? (asText(part.toolName) ?? asText(part.name) ?? 'unknown') : type.slice('tool-'.length);
    const call = readToolCall(name, asObject(part.input ?? part.args ?? part.arguments) ?? {}, this.conversation.cwd);
    if (part.errorText !== undefined) call.outcome = readOutcome(String(part.errorText), true);
    else if (part.output !== undefined) call.outcome = readOutcome(toText(part.output), false);
    this.conversation.use([call], { id: asText(part.toolCallId) ?? asText(part.id), at });
  }

  /** Results in messages or parts of their own go to the calls that they answer. */
  private readAnswers(parts: readonly JsonObject[]): void {
    for (const part of parts) {
      if (part.type !== 'tool_result' && part.type !== 'tool-result') continue;
      const isError = part.is_error === true || part.isError === true;
      const outcome = readOutcome(toText(part.content ?? part.output ?? part.result), isError);
      this.conversation.conclude(asText(part.tool_use_id) ?? asText(part.toolCallId) ?? '', outcome, {
        overrides: true,
      });
    }
  }
}

/** The texts of a message's parts; nothing where it has none. */
function textsOf(content: unknown): string | undefined {
  const texts = asObjects(content).flatMap((part) => (isTextPart(part) ? (asText(part.text) ?? []) : []));
  return texts.length === 0 ? undefined : texts.join('\n');
}

function isTextPart({ type }: JsonObject): boolean {
  return type === 'text' || type === 'input_text' || type === 'output_text';
}

function toText(value: unknown): string {
  return typeof value === 'string' ? value : (JSON.stringify(value) ?? '');
}
