import type { Conversation } from '../core/conversation.ts';
import { mergeRows } from './claude-code-merge.ts';
import { type ClaudeCodeRow, isClaudeCodeRow, type OpenCall, personsTitleWeight, readRow } from './claude-code-rows.ts';
import type { SubagentWork } from './claude-code-subagents.ts';
import { asObject, asText, type JsonObject } from './json-value.ts';
import { maskRow, sweepRow } from './mask-row.ts';
import { SecretSweep } from './secret-sweep.ts';
import { readSwitchedBranch } from './switched-branch.ts';
import { parseRow, type ReadLine, type TranscriptReader } from './transcript-reader.ts';
import { countUnread, type Unread } from './unread.ts';

/** What a reader has read of a transcript: plain data, its secrets masked. */
export interface ClaudeCodeReading {
  rows: readonly ClaudeCodeRow[];
  unread: Unread;
}

/** Takes the lines of a Claude Code transcript one by one and gives the conversation at the end. */
export class ClaudeCodeReader implements TranscriptReader {
  private readonly rows: ClaudeCodeRow[] = [];
  private readonly unread: Unread;
  private readonly subagents: readonly SubagentWork[];
  private readonly sweep = new SecretSweep();
  /** Answers whose last row broke off within a private key. */
  private readonly openKeys = new Set<string>();
  private cwd: string | undefined;
  /** The id of the helper agent whose own file this is, by its first message; `false` for a session's transcript. */
  private helper: string | false | undefined;
  /** The last names that a row had. */
  private readonly names: RowNames = {};
  /** Calls that have no result yet, by id. */
  private readonly openCalls = new Map<string, OpenCall & { id: string }>();
  /** The assistant's last row with a text. Looking back for it would take quadratic time where only a user writes. */
  private lastSaid: ClaudeCodeRow | undefined;

  /**
   * @param earlier - what an earlier reader had read of the lines before; it is copied.
   * @param subagents - what the helpers of the session did.
   */
  constructor({ earlier, subagents = [] }: { earlier?: ClaudeCodeReading; subagents?: readonly SubagentWork[] } = {}) {
    if (earlier !== undefined) this.helper = false;
    this.unread = { lines: earlier?.unread.lines ?? 0, reasons: { ...earlier?.unread.reasons } };
    this.subagents = subagents;
    for (const row of earlier?.rows ?? []) this.keep(row);
  }

  addLine(line: ReadLine): void {
    const problem = this.readLine(line);
    if (problem !== undefined) countUnread(this.unread, problem);
  }

  /** All that was read so far; later lines do not change it. */
  async reading(): Promise<ClaudeCodeReading> {
    await this.sweep.run();
    return { rows: [...this.rows], unread: { lines: this.unread.lines, reasons: { ...this.unread.reasons } } };
  }

  /** The conversation of the rows so far. */
  async finish(): Promise<Conversation> {
    await this.sweep.run();
    const { rows } = this;
    const { messages, masked } = mergeRows(rows, this.subagents);
    const times = messages.flatMap((message) => message.at ?? []);
    const last = <K extends 'session' | 'branch'>(key: K) => rows.findLast((row) => row[key] !== undefined)?.[key];
    return {
      host: 'claude-code',
      // A helper's rows have the id of the session that started it, which is another conversation.
      session: this.helper ? `agent-${this.helper}` : last('session'),
      branch: last('branch') ?? readSwitchedBranch({ cwd: this.cwd, messages }),
      cwd: this.cwd,
      ...readTitleAndRecap(rows),
      ...(isInterrupted(rows) && { interrupted: true }),
      started_at: times.reduce<string | undefined>(
        (first, at) => (first === undefined || at < first ? at : first),
        undefined,
      ),
      ended_at: times.reduce<string | undefined>((end, at) => (end === undefined || at > end ? at : end), undefined),
      messages,
      unread: { lines: this.unread.lines, reasons: { ...this.unread.reasons } },
      masked,
    };
  }

  /** Keeps the line's row, or gives the reason why it has none; blank lines and silent rows need none. */
  private readLine(line: ReadLine): string | undefined {
    const object = parseRow(line);
    if (object === undefined || typeof object === 'string') return object;
    if (!isClaudeCodeRow(object)) return 'not a row of a transcript';
    if (asObject(object.message) !== undefined) this.helper ??= readHelper(object);
    // In a helper's own file every row is a side chain, and these rows are the conversation.
    const findCall = (id: string) => this.openCalls.get(id);
    const reading = readRow(this.helper ? { ...object, isSidechain: false } : object, this.cwd, findCall);
    if ('unknown' in reading) return `unknown row type "${reading.unknown.slice(0, 40)}"`;
    if ('row' in reading) {
      const isKeyOpen = this.openKeys.has(reading.row.message_id ?? '');
      const row = maskRow(reading.row, { isKeyOpen, question: this.questionBefore(reading.row) });
      sweepRow(this.keep(row), this.sweep);
    }
    return undefined;
  }

  /** What the assistant said last, before a row of the user's. */
  private questionBefore({ role }: ClaudeCodeRow): string | undefined {
    return role === 'user' ? this.lastSaid?.text : undefined;
  }

  /** Keeps a row, and gives it as it is kept. */
  private keep(row: ClaudeCodeRow): ClaudeCodeRow {
    this.cwd ??= row.cwd;
    if (row.message_id !== undefined) {
      if (row.key_open === true) this.openKeys.add(row.message_id);
      else this.openKeys.delete(row.message_id);
    }
    const kept = toKept(row, this.names, this.rows.at(-1));
    for (const { id, call, waits_for } of kept.calls) this.openCalls.set(id, { id, name: call.name, waits_for });
    for (const result of kept.results) {
      result.id = this.openCalls.get(result.id)?.id ?? result.id;
      this.openCalls.delete(result.id);
    }
    if (kept.role === 'assistant' && kept.text !== '') this.lastSaid = kept;
    this.rows.push(kept);
    return kept;
  }
}

function readHelper({ isSidechain, agentId }: JsonObject): string | false {
  return isSidechain === true ? (asText(agentId) ?? false) : false;
}

type RowNames = Pick<ClaudeCodeRow, 'session' | 'cwd' | 'branch'>;

/**
 * The row as it is kept, without fields that add nothing: a name is there only where it differs from the one before, the link
 * to the row before is that row's own text, and only messages and calls have a time. Of a long transcript's memory
 * the rest would be half.
 */
function toKept(row: ClaudeCodeRow, names: RowNames, before: ClaudeCodeRow | undefined): ClaudeCodeRow {
  const { uuid, at, role, text, masked, key_open, side, calls, results, title, interrupted } = row;
  const parent = row.parent === before?.uuid ? before?.uuid : row.parent;
  const message_id = row.message_id === before?.message_id ? before?.message_id : row.message_id;
  const isNote = title !== undefined || interrupted !== undefined;
  const isPlain = masked === undefined && key_open === undefined && side === undefined && !isNote;
  const news = takeNews(row, names);
  if (isPlain && news === undefined) {
    if (role === undefined) return { uuid, parent, text, calls, results };
    if (message_id === undefined) return { uuid, parent, at, role, text, calls, results };
    return { uuid, parent, at, role, message_id, text, calls, results };
  }
  const notes = isNote ? { title, interrupted } : undefined;
  return { uuid, parent, ...news, at, role, message_id, text, masked, key_open, side, calls, results, ...notes };
}

/** A recap replaces a title that the host made: the title is about the session's beginning. */
function readTitleAndRecap(rows: readonly ClaudeCodeRow[]): Pick<Conversation, 'title' | 'recap'> {
  const title = titleOf(rows);
  const recap = recapOf(rows);
  const isNamed = title !== undefined && (title.weight === personsTitleWeight || recap === undefined);
  return { ...(isNamed && { title: title.text }), ...(recap && { recap }) };
}

/** The name that counts most; of equals the last. */
function titleOf(rows: readonly ClaudeCodeRow[]): ClaudeCodeRow['title'] {
  const ids = new Set(rows.map(({ uuid }) => uuid));
  const titles = rows.flatMap(({ title }) =>
    title === undefined || (title.leaf !== undefined && !ids.has(title.leaf)) ? [] : title,
  );
  return titles.reduce<(typeof titles)[number] | undefined>(
    (kept, title) => (kept === undefined || title.weight >= kept.weight ? title : kept),
    undefined,
  );
}

/** The host's last recap. */
function recapOf(rows: readonly ClaudeCodeRow[]): Conversation['recap'] {
  const at = rows.findLastIndex(({ role, text, side }) => role === undefined && side === undefined && text !== '');
  const recap = rows[at];
  if (recap === undefined) return undefined;
  const requests_since = rows.slice(at).filter(({ role, text }) => role === 'user' && text !== '').length;
  return { text: recap.text, requests_since };
}

function isInterrupted(rows: readonly ClaudeCodeRow[]): boolean {
  return rows.findLast(({ role, interrupted }) => role !== undefined || interrupted === true)?.interrupted === true;
}

/** The names that differ from the last ones, which they become. */
function takeNews({ session, cwd, branch }: ClaudeCodeRow, names: RowNames): RowNames | undefined {
  const news: RowNames = {};
  if (session !== undefined && session !== names.session) news.session = session;
  if (cwd !== undefined && cwd !== names.cwd) news.cwd = cwd;
  if (branch !== undefined && branch !== names.branch) news.branch = branch;
  Object.assign(names, news);
  return Object.keys(news).length === 0 ? undefined : news;
}
