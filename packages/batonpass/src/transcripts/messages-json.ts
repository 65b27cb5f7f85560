import type { Conversation, Message, ToolCall } from '../core/conversation.ts';
import { readInstant } from './claude-code-rows.ts';
import { asObject, asObjects, asText, type JsonObject } from './json-value.ts';
import { readOutcome, readToolCall } from './tool-calls.ts';
import { countUnread, type Unread } from './unread.ts';

/** Other programs' names of the three roles. */
const roles: Readonly<Record<string, Message['role']>> = {
  user: 'user',
  human: 'user',
  assistant: 'assistant',
  ai: 'assistant',
  model: 'assistant',
  system: 'system',
  developer: 'system',
};

/** The list of messages in a parsed document: `{messages: […]}` or the list itself; nothing in any other. */
export function findMessages(document: unknown): unknown[] | undefined {
  const list = Array.isArray(document) ? document : asObject(document)?.messages;
  if (!Array.isArray(list)) return undefined;
  const isMessage = (entry: unknown) => asText(asObject(entry)?.role) !== undefined;
  return list.length === 0 || list.some(isMessage) ? list : undefined;
}

/** A conversation from messages in the form of chat APIs or of AI SDK interfaces; secrets are not yet masked. */
export function readMessages(document: unknown, list: readonly unknown[], unread: Unread): Conversation {
  const about = asObject(document) ?? {};
  const messages: Message[] = [];
  const cwd = asText(about.cwd);
  const calls = new Map<string, ToolCall>();
  for (const entry of list) {
    const value = asObject(entry);
    const name = asText(value?.role);
    if (value === undefined || name === undefined) {
      countUnread(unread, 'not a message');
      continue;
    }
    if (name === 'tool') {
      readAnswers(asObjects(value.content), calls);
      continue;
    }
    const role = roles[name.toLowerCase()];
    if (role === undefined) {
      countUnread(unread, `unknown role "${name.slice(0, 40)}"`);
      continue;
    }
    const { text, tool_calls } = readParts(value, cwd, calls);
    if (text === '' && tool_calls.length === 0) continue;
    const message: Message = { index: messages.length, role, text, tool_calls };
    const at = readInstant(value.createdAt ?? value.created_at ?? value.timestamp);
    if (at !== undefined) message.at = at;
    messages.push(message);
  }
  return {
    host: 'messages',
    session: asText(about.session) ?? asText(about.id),
    branch: asText(about.branch),
    cwd,
    started_at: messages.find((message) => message.at)?.at,
    ended_at: messages.findLast((message) => message.at)?.at,
    messages,
    unread,
    masked: {},
  };
}

type Calls = Map<string, ToolCall>;

function readParts(value: JsonObject, cwd: string | undefined, calls: Calls): { text: string; tool_calls: ToolCall[] } {
  if (typeof value.content === 'string' && !Array.isArray(value.parts))
    return { text: value.content.trim(), tool_calls: [] };
  const parts = asObjects(Array.isArray(value.parts) ? value.parts : value.content);
  const texts: string[] = [];
  const tool_calls: ToolCall[] = [];
  for (const part of parts) {
    if (part.type === 'text' || part.type === 'input_text' || part.type === 'output_text')
      texts.push(asText(part.text) ?? '');
    const call = readToolPart(part, cwd, calls);
    if (call !== undefined) tool_calls.push(call);
  }
  readAnswers(parts, calls);
  const text = texts.map((part) => part.trim()).filter((part) => part !== '');
  return { text: text.join('\n\n'), tool_calls };
}

/** A part `tool-NAME` or `dynamic-tool` of the AI SDK, or a `tool_use` or `tool-call` block. */
function readToolPart(part: JsonObject, cwd: string | undefined, calls: Calls): ToolCall | undefined {
  const type = asText(part.type) ?? '';
  const isBlock = type === 'tool_use' || type === 'tool-call' || type === 'dynamic-tool';
  const isUse = isBlock || (type.startsWith('tool-') && type !== 'tool-result');
  if (!isUse) return undefined;
  const name = isBlock ? (asText(part.toolName) ?? asText(part.name) ?? 'unknown') : type.slice('tool-'.length);
  const call = readToolCall(name, asObject(part.input ?? part.args) ?? {}, cwd);
  calls.set(asText(part.toolCallId) ?? asText(part.id) ?? '', call);
  if (part.errorText !== undefined) call.outcome = readOutcome(String(part.errorText), true);
  else if (part.output !== undefined) call.outcome = readOutcome(toText(part.output), false);
  return call;
}

/** Results that stand in messages or parts of their own go to the calls that they answer. */
function readAnswers(parts: readonly JsonObject[], calls: Calls): void {
  for (const part of parts) {
    if (part.type !== 'tool_result' && part.type !== 'tool-result') continue;
    const call = calls.get(asText(part.tool_use_id) ?? asText(part.toolCallId) ?? '');
    const isError = part.is_error === true || part.isError === true;
    if (call !== undefined) call.outcome = readOutcome(toText(part.content ?? part.output ?? part.result), isError);
  }
}

function toText(value: unknown): string {
  return typeof value === 'string' ? value : (JSON.stringify(value) ?? '');
}
