import type { TodoChange, TodoItem, ToolCall, ToolOutcome } from '../core/conversation.ts';
import { readInstant } from './claude-code-rows.ts';
import { removeBlocks } from './claude-code-text.ts';
import { ConversationBuilder } from './conversation-builder.ts';
import { asObject, asObjects, asText, type JsonObject } from './json-value.ts';
import { readTask } from './todo-lists.ts';
import { readBackgroundName, readOutcome, readPatch, readToolCall } from './tool-calls.ts';
import { parseRow, type ReadLine, type TranscriptReader } from './transcript-reader.ts';
import { countUnread } from './unread.ts';

/** How the names of events begin, as in `session.start`; newer versions of the host add events that begin so. */
const eventNames =
  /^(?:session|user|system|assistant|tool|hook|subagent|model|permission|skill|command|agent|mcp|elicitation|user_input|exit_plan_mode|workflow|abort)(?:\.|$)/;

/** Whether an object is an event of a session of Copilot CLI, by its fields alone. */
export function isCopilotRow(value: JsonObject): boolean {
  const type = asText(value.type) ?? '';
  return (
    eventNames.test(type) && asObject(value.data) !== undefined && asText(value.id) !== undefined && 'parentId' in value
  );
}

/** Takes the events of a session of Copilot CLI one by one. Of its helper agents only files and commands count. */
export class CopilotReader implements TranscriptReader {
  private readonly conversation = new ConversationBuilder('copilot-cli');
  /** How many messages there were before each event of a message, for a session that is rewound. */
  private readonly places = new Map<string, number>();
  /** The kinds of helper agents, by the call that started them. */
  private readonly helpers = new Map<string, string>();

  addLine(line: ReadLine): void {
    const problem = this.readLine(line);
    if (problem !== undefined) countUnread(this.conversation.unread, problem);
  }

  async finish() {
    return await this.conversation.finish();
  }

  private readLine(line: ReadLine): string | undefined {
    const row = parseRow(line);
    if (row === undefined || typeof row === 'string') return row;
    if (!isCopilotRow(row)) return 'not a row of a transcript';
    this.readRow(row, asObject(row.data) ?? {});
    return undefined;
  }

  private readRow(row: JsonObject, data: JsonObject): void {
    const { conversation } = this;
    const at = readInstant(row.timestamp);
    const helper = this.helperOf(row, data);
    if (row.type === 'session.start' || row.type === 'session.resume') this.readFacts(data);
    else if (row.type === 'subagent.started')
      this.helpers.set(asText(data.toolCallId) ?? '', asText(data.agentName) ?? '');
    else if (row.type === 'tool.execution_complete')
      conversation.conclude(asText(data.toolCallId) ?? '', outcomeOf(data));
    else if (row.type === 'assistant.message') this.readAnswer(row, data, helper);
    else if (helper !== undefined) return;
    else if (row.type === 'user.message' && isSaid(data)) this.say(row, 'user', readTyped(asText(data.content) ?? ''));
    else if (row.type === 'session.snapshot_rewind')
      conversation.cutTo(this.places.get(asText(data.upToEventId) ?? ''));
    else if (row.type === 'agent.interrupted' || row.type === 'abort') conversation.interrupted = true;
    else if (row.type === 'user_input.requested') this.say(row, 'assistant', asText(data.question) ?? '');
    else if (row.type === 'user_input.completed') this.say(row, 'user', asText(data.answer) ?? '');
    else if (row.type === 'session.task_complete')
      conversation.say({ role: 'assistant', text: asText(data.summary) ?? '', at });
  }

  private helperOf({ agentId }: JsonObject, { parentToolCallId }: JsonObject): string | undefined {
    const call = asText(parentToolCallId);
    const known = call === undefined ? undefined : this.helpers.get(call);
    return known ?? asText(agentId) ?? call;
  }

  private readFacts(data: JsonObject): void {
    const context = asObject(data.context);
    this.conversation.session ??= asText(data.sessionId);
    this.conversation.cwd ??= asText(context?.cwd);
    this.conversation.branch = asText(context?.branch) ?? this.conversation.branch;
  }

  private say(row: JsonObject, role: 'user' | 'assistant', text: string): void {
    this.places.set(asText(row.id) ?? '', this.conversation.size);
    this.conversation.say({ role, text, at: readInstant(row.timestamp) });
  }

  private readAnswer(row: JsonObject, data: JsonObject, helper: string | undefined): void {
    const { conversation } = this;
    if (helper === undefined) this.say(row, 'assistant', asText(data.content) ?? '');
    for (const request of asObjects(data.toolRequests)) {
      const name = asText(request.name) ?? '';
      const calls = callsOf(name, request.arguments, conversation.cwd);
      const used = helper === undefined ? calls : calls.map((call) => ({ ...call, agent: helper }));
      const waits_for = readBackgroundName(asObject(request.arguments) ?? {});
      conversation.use(used, { id: asText(request.toolCallId), at: readInstant(row.timestamp), waits_for });
    }
  }
}

/** Text that the host writes in the person's name is not the person's. */
function isSaid({ source, isAutopilotContinuation }: JsonObject): boolean {
  return (source === undefined || source === 'user') && isAutopilotContinuation !== true;
}

/** Blocks that the host adds to what the person typed: contents of files, and reminders. */
const addedBlocks = ['attachments', 'attachment', 'reminder', 'system_reminder'] as const;

/** The person's own words; where the host wraps them, all else is the host's. */
export function readTyped(text: string): string {
  const open = text.indexOf('<userRequest>');
  const close = text.lastIndexOf('</userRequest>');
  if (open !== -1 && close > open) return text.slice(open + '<userRequest>'.length, close).trim();
  const cleaned = addedBlocks.reduce(removeBlocks, text);
  return cleaned === text ? text : cleaned.trim();
}

/** A call from a tool's name and input; a patch is one for each of its files. @param cwd - paths below it become relative. */
export function callsOf(name: string, given: unknown, cwd: string | undefined): ToolCall[] {
  if (name === 'apply_patch') {
    const patch = asText(given) ?? asText(asObject(given)?.input) ?? '';
    return readPatch(name, patch, cwd);
  }
  const input = asObject(given) ?? {};
  const todos = name === 'sql' ? readSqlTodos(asText(input.query) ?? '') : undefined;
  return [todos === undefined ? readToolCall(name, input, cwd) : { name, effect: 'none' as const, todos }];
}

/** What a tool gave. A command that failed is no failure of its tool: its exit code shows it. */
export function outcomeOf(data: JsonObject): ToolOutcome {
  const text = asText(asObject(data.result)?.content) ?? asText(asObject(data.error)?.message) ?? '';
  const named = /<(?:exited|shellId: \S{1,80} completed) with exit code (?<code>\d{1,3})>\s*$/.exec(text)?.groups?.code;
  const code = asObject(data.shellExecution)?.exitCode ?? (named === undefined ? undefined : Number(named));
  const outcome = readOutcome(text, data.success === false);
  return typeof code === 'number' ? { ...outcome, is_error: outcome.is_error || code !== 0, exit_code: code } : outcome;
}

/**
 * What an agent's SQL makes of its list of tasks: Copilot CLI gives it a table `todos` with `id`, `title`, `description` and
 * `status`. Read are rows that are inserted with literal values, updates and deletions of tasks that are named by their ids.
 * Nothing of it is ever run. Undefined for every other statement.
 */
function readSqlTodos(query: string): TodoChange | undefined {
  const items = splitStatements(query).flatMap((tokens) => readInsert(tokens) ?? readChange(tokens) ?? []);
  return items.length === 0 ? undefined : { items, replaces: false };
}

/** A literal text, a word, or a single sign. */
type Token = { text: string } | { word: string };

function splitStatements(query: string): Token[][] {
  const statements: Token[][] = [[]];
  for (const [found] of query.slice(0, queryCharactersMax).matchAll(/'(?:[^']|'')*'|"[^"]*"|[\w.]+|--.*|[^\s\w]/g)) {
    if (found === ';') statements.push([]);
    else if (found.startsWith("'")) statements.at(-1)?.push({ text: found.slice(1, -1).replaceAll("''", "'") });
    else if (!found.startsWith('--')) statements.at(-1)?.push({ word: found.replaceAll('"', '').toLowerCase() });
  }
  return statements;
}

const queryCharactersMax = 64 * 1_024;

function readInsert(tokens: readonly Token[]): TodoItem[] | undefined {
  const words = tokens.map((token) => ('word' in token ? token.word : ''));
  const at = words.indexOf('into');
  const values = words.indexOf('values');
  if (words[0] !== 'insert' || words[at + 1] !== 'todos' || values === -1) return undefined;
  const named = words.slice(at + 3, words.indexOf(')', at)).filter((word) => word !== ',');
  const names = words[at + 2] === '(' ? named : ['id', 'title', 'description', 'status'];
  const rows: (string | undefined)[][] = [];
  for (const token of tokens.slice(values + 1)) {
    if ('text' in token) rows.at(-1)?.push(token.text);
    else if (token.word === '(') rows.push([]);
    else if (token.word === 'on') break;
    else if (token.word !== ',' && token.word !== ')') rows.at(-1)?.push(undefined);
  }
  return rows.map((row) => toItem(Object.fromEntries(names.map((name, index) => [name, row[index]]))));
}

function readChange(tokens: readonly Token[]): TodoItem[] | undefined {
  const words = tokens.map((token) => ('word' in token ? token.word : ''));
  const where = words.indexOf('where');
  const isUpdate = words[0] === 'update' && words[1] === 'todos';
  const isDelete = words[0] === 'delete' && words[2] === 'todos';
  if ((!isUpdate && !isDelete) || where === -1 || words[where + 1] !== 'id') return undefined;
  const ids = tokens.slice(where + 2).flatMap((token) => ('text' in token ? token.text : []));
  const set: Record<string, string> = isDelete ? { status: 'deleted' } : {};
  for (const [index, token] of tokens.slice(0, where).entries()) {
    if ('text' in token && words[index - 1] === '=') set[words[index - 2] ?? ''] = token.text;
  }
  return set.status === undefined && set.title === undefined ? [] : ids.map((id) => toItem({ ...set, id }));
}

function toItem({ title, ...task }: Record<string, string | undefined>): TodoItem {
  return readTask({ ...task, content: title });
}
