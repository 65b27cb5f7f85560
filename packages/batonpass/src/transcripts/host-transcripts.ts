import type { TranscribedHost } from '../core/hosts.ts';
import { isClaudeCodeRow } from './claude-code-rows.ts';
import { isCodexRow } from './codex.ts';
import { isCopilotRow } from './copilot-cli.ts';
import { isGeminiRow, listSpoken, readHookContext } from './gemini-cli.ts';
import { asObject, asObjects, asText, type JsonObject } from './json-value.ts';
import { isOpenCodeRow } from './opencode.ts';

/** The text of a row that hooks put into the context. */
export interface InjectedContent {
  row_kind: string;
  content: unknown;
}

/** What is known of a host's transcripts, row by row. */
interface HostTranscript {
  /** Whether a row is one of this host's. */
  isRow: (row: JsonObject) => boolean;
  /** What reached the model of a hook, as the host recorded it; never what the hook printed. */
  readInjected: (row: JsonObject) => InjectedContent | undefined;
  /** The message that a row holds, with its `role` and `content`. */
  messageOf: (row: JsonObject) => JsonObject | undefined;
  /** The counts of tokens that make up the context, in the text of a row; most have none. */
  listContextTokens: (row: string) => number[];
}

/** The transcripts of each host. */
export const hostTranscripts: Readonly<Record<TranscribedHost, HostTranscript>> = {
  'claude-code': {
    isRow: isClaudeCodeRow,
    readInjected: readAttachment,
    messageOf: (row) => (row.type === 'user' ? asObject(row.message) : undefined),
    listContextTokens: (row) =>
      row.includes('"usage"')
        ? listCounts(row, /"(?:input_tokens|cache_creation_input_tokens|cache_read_input_tokens)":\s*(\d{1,9})/g, 3)
        : [],
  },
  codex: {
    isRow: isCodexRow,
    readInjected: readDeveloperMessage,
    messageOf: (row) => (row.type === 'response_item' ? asObject(row.payload) : undefined),
    listContextTokens: (row) => listCounts(row, /"last_token_usage":\s*\{[^}]*"input_tokens":\s*(\d{1,9})/g).slice(-1),
  },
  'gemini-cli': {
    isRow: isGeminiRow,
    readInjected: (row) => {
      const content = readHookContext(row);
      return content === undefined ? undefined : { row_kind: 'hook_context', content };
    },
    messageOf: (row) =>
      isGeminiRow(row) && row.type === 'user'
        ? { role: 'user', content: listSpoken(row).map((text) => ({ type: 'text', text })) }
        : undefined,
    listContextTokens: (row) => listCounts(row, /"tokens":\s*\{\s*"input":\s*(\d{1,9})/g).slice(-1),
  },
  'copilot-cli': {
    isRow: isCopilotRow,
    readInjected: readReminders,
    messageOf: (row) => {
      const data = row.type === 'user.message' ? asObject(row.data) : undefined;
      return data && { role: 'user', content: data.content };
    },
    listContextTokens: () => [],
  },
  opencode: {
    isRow: isOpenCodeRow,
    readInjected: (row) => {
      const added = roleOf(row) === 'user' ? asObjects(row.parts).filter(({ synthetic }) => synthetic === true) : [];
      return added.length === 0 ? undefined : { row_kind: 'synthetic', content: added.map(({ text }) => text) };
    },
    messageOf: (row) =>
      Array.isArray(row.parts)
        ? { role: roleOf(row), content: asObjects(row.parts).filter(({ synthetic }) => synthetic !== true) }
        : undefined,
    listContextTokens: () => [],
  },
};

function roleOf(row: JsonObject): string | undefined {
  return Array.isArray(row.parts) ? asText(asObject(row.info)?.role) : undefined;
}

function listCounts(row: string, pattern: RegExp, most?: number): number[] {
  return [...row.matchAll(pattern)].slice(0, most).map(([, count]) => Number(count));
}

/** A kind of row of which a part reaches the model. */
interface RowKind {
  /** The events whose content reaches the model; absent for all. */
  events?: readonly string[];
  /** What reached the model. Never `stdout`: that is what a hook printed, whether it was taken or not. */
  read(attachment: JsonObject): unknown;
}

/**
 * The rows in which Claude Code records what hooks put into the context, as seen up to 2.1.233: an internal format. A
 * hook that prints JSON leaves an empty `hook_success` and its text in `hook_additional_context`; one that prints plain
 * text leaves it as the content of `hook_success`, which reaches the model for two events alone.
 */
const rowKinds: ReadonlyMap<string, RowKind> = new Map([
  ['hook_additional_context', { read: ({ content }) => content }],
  ['hook_success', { events: ['SessionStart', 'UserPromptSubmit'], read: ({ content }) => content }],
]);

/** A row of Claude Code's. */
function readAttachment(row: JsonObject): InjectedContent | undefined {
  if (row.type !== 'attachment' || row.isSidechain === true) return undefined;
  const outer = asObject(row.attachment);
  // Some versions wrap the attachment twice.
  for (const attachment of [outer, asObject(outer?.attachment)]) {
    const row_kind = asText(attachment?.type);
    const kind = row_kind === undefined ? undefined : rowKinds.get(row_kind);
    if (attachment === undefined || row_kind === undefined || kind === undefined) continue;
    if (kind.events !== undefined && !kind.events.includes(readEvent(attachment))) continue;
    return { row_kind, content: kind.read(attachment) };
  }
  return undefined;
}

/** The event of a hook's row; some rows name it only before the source: `SessionStart:startup`. */
function readEvent(attachment: JsonObject): string {
  return asText(attachment.hookEvent) ?? asText(attachment.hookName)?.split(':')[0] ?? '';
}

/** How Codex marks what a hook gave among the developer's messages, as seen in 0.169. */
const hookContext = 'hooks.additional_context';

/** A row of a Codex rollout: the parts of a developer's message are the texts of hooks where the host marks each as such. */
function readDeveloperMessage(row: JsonObject): InjectedContent | undefined {
  const message = row.type === 'response_item' ? asObject(row.payload) : undefined;
  if (message?.type !== 'message' || message.role !== 'developer') return undefined;
  const kinds = asObject(message.internal_chat_message_metadata_passthrough)?.content_item_kinds;
  if (!Array.isArray(kinds) || !kinds.includes(hookContext)) return undefined;
  const parts = asObjects(message.content).filter((_part, index) => kinds[index] === hookContext);
  return { row_kind: hookContext, content: parts.map(({ text }) => text) };
}

/**
 * A row of Copilot CLI's: a prompt as the model got it, which is the person's words and, behind them, what hooks gave, each
 * time within a reminder.
 */
function readReminders(row: JsonObject): InjectedContent | undefined {
  const data = row.type === 'user.message' && row.agentId === undefined ? asObject(row.data) : undefined;
  const said = asText(data?.content);
  const whole = asText(data?.transformedContent);
  const at = said === undefined ? -1 : (whole?.indexOf(said) ?? -1);
  if (said === undefined || whole === undefined || at === -1) return undefined;
  const added = whole.slice(at + said.length);
  const reminders = [...added.matchAll(/<system_reminder>\n([\s\S]*?)\n<\/system_reminder>/g)];
  return reminders.length === 0
    ? undefined
    : { row_kind: 'system_reminder', content: reminders.map(([, text]) => text) };
}
