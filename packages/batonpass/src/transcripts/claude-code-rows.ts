import type { ToolCall, ToolOutcome } from '../core/conversation.ts';
import { ownText } from '../core/own-text.ts';
import {
  interruptions,
  isApprovedPlan,
  questionTool,
  readAssistantText,
  readSpokenResult,
  readUserText,
  tagged,
  withoutSpoken,
} from './claude-code-text.ts';
import { asObject, asObjects, asText, type JsonObject } from './json-value.ts';
import type { SecretCounts } from './mask-conversation.ts';
import { describeQuestions } from './question-tool.ts';
import { toBranch } from './switched-branch.ts';
import { readBackgroundName, readCommand, readOutcome, readPrinted, readToolCall } from './tool-calls.ts';

/** The rows of Claude Code's transcripts as seen up to 2.1.23x; the format is internal and changes without notice. */
const silentTypes: ReadonlySet<string> = new Set([
  'summary',
  'custom-title',
  'ai-title',
  'agent-name',
  'agent-color',
  'agent-setting',
  'system',
  'attachment',
  'file-history-snapshot',
  'queue-operation',
  'mode',
  'permission-mode',
  'last-prompt',
  'pr-link',
  'progress',
  'tag',
  'worktree-state',
  'bridge-session',
  'atis-latch',
  'file-history-delta',
]);

/** The tools that start a helper agent. */
const launchers: ReadonlySet<string> = new Set(['Task', 'Agent']);

/**
 * One row, cut down to what a conversation needs, so that a long transcript fits into memory. Kept on disk between
 * two readings of a growing transcript: a change of its fields must raise the version of the progress.
 */
export interface ClaudeCodeRow {
  uuid?: string;
  parent?: string;
  session?: string;
  cwd?: string;
  branch?: string;
  at?: string;
  /** Absent for rows that only hold the chain together. */
  role?: 'user' | 'assistant' | 'system';
  /** Rows of one answer share it. */
  message_id?: string;
  /** Of a message; without a role, what the host wrote of the session so far. */
  text: string;
  /** Secrets that were masked in the text, by kind; absent where there were none, as in calls and results. */
  masked?: SecretCounts;
  /**
   * The session's name, from a row of its own, and its rank: a name that the person gave is first. `leaf` is the message that
   * a summary is of: files begin with summaries of other sessions.
   */
  title?: { text: string; weight: number; leaf?: string };
  /** Whether the person stopped the agent's answer here. */
  interrupted?: true;
  /** Whether the text breaks off within a private key, which the answer's next row may go on with. */
  key_open?: true;
  /** Of a row of a helper agent its id; such a row has no text, only what it did. */
  side?: string;
  /** `agent` is the kind of helper that the call started, `waits_for` the background command that it asks about. */
  calls: { id: string; call: ToolCall; agent?: string; waits_for?: string; masked?: SecretCounts }[];
  /**
   * `agent` is the id of the helper whose work ended with this result; `ended` is the background command whose result it
   * is, instead of the call's own.
   */
  results: { id: string; outcome: ToolOutcome; agent?: string; ended?: string; masked?: SecretCounts }[];
}

/** A row, `silent` for one that is known and has no content, or an unknown type. */
export type RowReading = { row: ClaudeCodeRow } | { silent: true } | { unknown: string };

/** Whether an object is a row of a Claude Code transcript, by its fields alone. */
export function isClaudeCodeRow(value: JsonObject): boolean {
  const type = asText(value.type);
  if (type === undefined) return false;
  return silentTypes.has(type) || asObject(value.message) !== undefined || asText(value.sessionId) !== undefined;
}

/** What is known of a call that has no result yet: its tool, and the background command that it asks about. */
export interface OpenCall {
  name: string;
  waits_for?: string;
}

type FindCall = (id: string) => OpenCall | undefined;

/**
 * Reads one row; its secrets are not yet masked.
 *
 * @param cwd - the session's folder, once it is known.
 * @param findCall - without it no result of a tool holds words of the user or the end of a background command.
 */
export function readRow(given: JsonObject, cwd: string | undefined, findCall: FindCall = () => undefined): RowReading {
  const value = asPrompt(given);
  const type = asText(value.type);
  const title = readRowTitle(value);
  if (title !== undefined) return { row: { text: '', calls: [], results: [], title } };
  const spoken = type === 'user' || type === 'assistant';
  if (!spoken && (type === undefined || !silentTypes.has(type))) return { unknown: type ?? '' };
  const row: ClaudeCodeRow = {
    uuid: asText(value.uuid),
    parent: asText(value.parentUuid),
    session: asText(value.sessionId),
    cwd: asText(value.cwd),
    branch: toBranch(asText(value.gitBranch)),
    at: readInstant(value.timestamp),
    text: '',
    calls: [],
    results: [],
  };
  const message = asObject(value.message);
  row.results.push(...readNotifications(value));
  if (type === 'system' && value.subtype === 'away_summary') row.text = readRecap(value);
  if (!spoken || message === undefined) {
    return row.uuid === undefined && row.results.length === 0 ? { silent: true } : { row };
  }
  readMessage(row, value, message, { cwd: cwd ?? row.cwd, findCall });
  return value.isSidechain === true ? asSideRow(row, value) : { row };
}

/** A prompt that the person types while the agent works is an attachment: it is given as the row of any other prompt. */
function asPrompt(value: JsonObject): JsonObject {
  const { type, prompt, commandMode = 'prompt', origin } = asObject(value.attachment) ?? {};
  const isTyped =
    type === 'queued_command' && commandMode === 'prompt' && (asObject(origin)?.kind ?? 'human') === 'human';
  return isTyped ? { ...value, type: 'user', message: { role: 'user', content: prompt } } : value;
}

/** The weight of a title that the person gave. */
export const personsTitleWeight = 3;

/** The rows that name a session, and their fields; a later one replaces an earlier one of the same kind. */
const titleFields: ReadonlyMap<string, { field: string; weight: number }> = new Map([
  ['summary', { field: 'summary', weight: 1 }],
  ['ai-title', { field: 'aiTitle', weight: 2 }],
  ['custom-title', { field: 'customTitle', weight: personsTitleWeight }],
]);

const titleCharactersMax = 200;

function readRowTitle(value: JsonObject): ClaudeCodeRow['title'] {
  const known = titleFields.get(asText(value.type) ?? '');
  const text = known === undefined ? undefined : (asText(value[known.field]) ?? asText(value.title))?.trim();
  if (known === undefined || text === undefined || text === '') return undefined;
  const leaf = asText(value.leafUuid);
  return {
    text: ownText(text.slice(0, titleCharactersMax).toWellFormed()),
    weight: known.weight,
    ...(leaf !== undefined && { leaf }),
  };
}

/** The host's recap for a person who comes back, without its hint on how to switch recaps off. */
function readRecap({ content }: JsonObject): string {
  return ownText((asText(content) ?? '').replace(/\s*\(disable recaps in [^()]{1,40}\)\s*$/, ''));
}

/** A helper agent's messages and its instructions are not part of the conversation; its tool calls are. */
function asSideRow(row: ClaudeCodeRow, value: JsonObject): RowReading {
  if (row.calls.length === 0 && row.results.length === 0) return { silent: true };
  const { calls, results, at } = row;
  return { row: { at, text: '', calls, results, side: asText(value.agentId) ?? 'sidechain' } };
}

interface Surroundings {
  cwd: string | undefined;
  findCall: FindCall;
}

function readMessage(
  row: ClaudeCodeRow,
  value: JsonObject,
  message: JsonObject,
  { cwd, findCall }: Surroundings,
): void {
  const isUser = value.type === 'user';
  if (value.isMeta === true || value.isApiErrorMessage === true || message.model === '<synthetic>') return;
  const clean = isUser ? readUserText : readAssistantText;
  const texts: string[] = [];
  const blocks = typeof message.content === 'string' ? [{ type: 'text', text: message.content }] : message.content;
  for (const block of asObjects(blocks)) {
    if (block.type === 'text') {
      texts.push(clean(asText(block.text) ?? ''));
      if (isUser && texts.at(-1) === '') readShellMode(row, asText(block.text) ?? '', cwd);
    }
    if (block.type === 'tool_use') texts.push(readToolUse(row, block, cwd));
    if (block.type === 'tool_result') {
      const call = findCall(asText(block.tool_use_id) ?? '');
      const spoken = readToolResult(row, block, asObject(value.toolUseResult), call?.waits_for);
      texts.push(readSpokenResult(spoken, call?.name));
    }
  }
  if (isUser && isInterruption(blocks)) row.interrupted = true;
  row.text = ownText(texts.filter((text) => text !== '').join('\n\n'));
  row.message_id = isUser ? undefined : asText(message.id);
  if (row.text === '' && row.calls.length === 0) return;
  const isHosts = value.isCompactSummary === true || (isUser && isApprovedPlan(row.text));
  row.role = isHosts ? 'system' : isUser && row.text !== '' ? 'user' : 'assistant';
}

/** Adds the command that the person ran in the shell mode of the host, or what it printed, which is the next row. */
function readShellMode(row: ClaudeCodeRow, text: string, cwd: string | undefined): void {
  const command = tagged(text, 'bash-input');
  if (command !== '') row.calls.push({ id: row.uuid ?? '', call: readCommand('Bash', command, cwd) });
  else if (/^\s*<bash-std(?:out|err)>/.test(text)) {
    const printed = [tagged(text, 'bash-stdout'), tagged(text, 'bash-stderr')].join('\n').trim();
    row.results.push({ id: row.parent ?? '', outcome: readPrinted(printed, false) });
  }
}

function isInterruption(blocks: unknown): boolean {
  return asObjects(blocks).some((block) => interruptions.includes((asText(block.text) ?? '').trim()));
}

/** Adds the call; a plan that the tool shows to the user, or what it asks him, is the assistant's text. */
function readToolUse(row: ClaudeCodeRow, block: JsonObject, cwd: string | undefined): string {
  const name = asText(block.name) ?? 'unknown';
  const input = asObject(block.input) ?? {};
  const agent = launchers.has(name) ? { agent: asText(input.subagent_type) ?? name } : {};
  const waits_for = readBackgroundName(input);
  const call = readToolCall(name, input, cwd);
  if (call.command !== undefined && row.cwd !== undefined && row.cwd !== cwd) call.cwd = row.cwd;
  if (name === 'ExitPlanMode') call.plan = 'proposed';
  row.calls.push({ id: asText(block.id) ?? '', call, ...agent, ...(waits_for !== undefined && { waits_for }) });
  if (name === 'ExitPlanMode') return asText(input.plan) ?? '';
  return name === questionTool ? describeQuestions(input) : '';
}

/** Adds the outcome. @returns the text that the model got. */
function readToolResult(
  row: ClaudeCodeRow,
  block: JsonObject,
  about: JsonObject | undefined,
  waits_for: string | undefined,
): string {
  const id = asText(block.tool_use_id) ?? '';
  const text = readResultText(block.content);
  const helper = asText(about?.agentId);
  const outcome = readOutcome(withoutSpoken(text), block.is_error === true);
  const background = asText(about?.backgroundTaskId);
  if (background !== undefined) outcome.background = background;
  row.results.push({ id, outcome, ...(helper !== undefined && { agent: helper }) });
  const ended = waits_for === undefined ? undefined : readCommandEnd(text);
  if (ended !== undefined) row.results.push({ id, outcome: ended, ended: waits_for });
  return text;
}

function readResultText(content: unknown): string {
  if (typeof content === 'string') return content;
  return asObjects(content)
    .flatMap((block) => (block.type === 'text' ? (asText(block.text) ?? []) : []))
    .join('\n');
}

/** An instant as ISO 8601, or nothing: a time that cannot be read is no time. */
export function readInstant(value: unknown): string | undefined {
  if (typeof value !== 'string' && typeof value !== 'number') return undefined;
  const milliseconds = new Date(value).getTime();
  return Number.isNaN(milliseconds) ? undefined : new Date(milliseconds).toISOString();
}

/** What a command's state says where it has no exit code. */
const ends: ReadonlyMap<string, string> = new Map([
  ['failed', 'The command failed.'],
  ['killed', 'The command was stopped.'],
  ['stopped', 'The command was stopped.'],
]);

/** How a background command ended, as the tool that asks about it reports; nothing while the command runs. */
function readCommandEnd(text: string): ToolOutcome | undefined {
  const state = tagged(text, 'status');
  const code = tagged(text, 'exit_code') || /\bexit code:? (?<code>\d{1,3})\b/.exec(tagged(text, 'summary'))?.[1];
  if (code === undefined || !/^\d{1,3}$/.test(code)) {
    const end = ends.get(state);
    return end === undefined ? undefined : readOutcome(end, true);
  }
  const printed = tagged(text, 'output') || [tagged(text, 'stdout'), tagged(text, 'stderr')].join('\n');
  return { ...readOutcome(printed.trim(), code !== '0'), exit_code: Number(code) };
}

/** The ends of background commands that the host reports in a message, in its queue or as an attachment. */
function readNotifications(value: JsonObject): { id: string; outcome: ToolOutcome; ended: string }[] {
  const { content } = asObject(value.message) ?? value;
  const prompt = asText(asObject(value.attachment)?.prompt);
  const texts = [asText(content), prompt, ...asObjects(content).map(({ text }) => asText(text))];
  return texts.flatMap((text = '') => {
    if (!text.trimStart().startsWith('<task-notification>')) return [];
    const outcome = readCommandEnd(text);
    const ended = tagged(text, 'task-id');
    return outcome === undefined || ended === '' ? [] : [{ id: tagged(text, 'tool-use-id'), outcome, ended }];
  });
}
