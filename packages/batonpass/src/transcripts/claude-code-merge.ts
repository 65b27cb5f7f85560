import type { Message, ToolCall, ToolOutcome } from '../core/conversation.ts';
import type { ClaudeCodeRow } from './claude-code-rows.ts';
import type { SubagentWork } from './claude-code-subagents.ts';
import { addCounts, type SecretCounts } from './mask-conversation.ts';

/** A call of the conversation, with what was masked in it, and in the outcome that it has so far. */
interface MergedCall {
  call: ToolCall;
  /** The message that contains it. */
  message: Message;
  /** The kind of helper that it started. */
  agent?: string;
  masked: SecretCounts;
  outcomeMasked: SecretCounts;
}

/** One for all calls in which nothing was masked: of a long transcript's memory counts of nothing would be a tenth. */
const noCounts: SecretCounts = {};

/** Rows of one answer become one message; rows that only carry results become none. Rows stay as they are. */
export function mergeRows(
  rows: readonly ClaudeCodeRow[],
  subagents: readonly SubagentWork[],
): { messages: Message[]; masked: SecretCounts } {
  const merge = new RowMerge();
  const hasSides = rows.some(({ side }) => side !== undefined);
  const main = hasSides ? rows.filter(({ side }) => side === undefined) : rows;
  const current = selectCurrentBranch(main);
  const followers = hasSides ? findFollowers(rows, new Set(current)) : new Map<ClaudeCodeRow, ClaudeCodeRow[]>();
  for (const row of current) {
    merge.add(row);
    for (const side of followers.get(row) ?? []) merge.addSide(side);
  }
  const launches = subagents.length === 0 ? new Map<string, string>() : findLaunches(main);
  for (const work of [...subagents].sort((a, b) => (a.at ?? '').localeCompare(b.at ?? ''))) {
    const launch = work.tool_use_id ?? launches.get(work.agent);
    // What was started by a prompt that was rewound is not part of the conversation either.
    if (launch === undefined) merge.addWorkByTime(work);
    else merge.addWork(work, launch);
  }
  return merge.finish();
}

/** The call that started each helper, by the helper's id, as its result names it. */
function findLaunches(rows: readonly ClaudeCodeRow[]): Map<string, string> {
  const launches = new Map<string, string>();
  for (const { results } of rows) {
    for (const { agent, id } of results) if (agent !== undefined) launches.set(agent, id);
  }
  return launches;
}

/** Rows of helpers in the transcript itself, by the row of the conversation that they follow in the file. */
function findFollowers(
  rows: readonly ClaudeCodeRow[],
  current: ReadonlySet<ClaudeCodeRow>,
): Map<ClaudeCodeRow, ClaudeCodeRow[]> {
  const followers = new Map<ClaudeCodeRow, ClaudeCodeRow[]>();
  let before: ClaudeCodeRow | undefined;
  for (const row of rows) {
    if (current.has(row)) before = row;
    if (row.side === undefined || before === undefined) continue;
    const list = followers.get(before);
    if (list === undefined) followers.set(before, [row]);
    else list.push(row);
  }
  return followers;
}

class RowMerge {
  private readonly callsById = new Map<string, MergedCall>();
  /** The calls that started background commands, by the host's names of these. */
  private readonly background = new Map<string, MergedCall>();
  private readonly messages: Message[] = [];
  private readonly masked: SecretCounts = {};
  private readonly answers = new Map<string, Message>();
  private readonly calls: MergedCall[] = [];
  /** The last call that started a helper. */
  private launch: MergedCall | undefined;

  add(row: ClaudeCodeRow): void {
    this.readResults(row);
    if (row.role === undefined) return;
    addCounts(this.masked, row.masked ?? {});
    const isPlan = row.calls.some(({ call }) => call.plan !== undefined);
    const open = row.message_id === undefined || isPlan ? undefined : this.answers.get(row.message_id);
    // A plan is a message of its own: the person approves or rejects nothing else of the answer.
    const message = open ?? this.open(isPlan ? { ...row, message_id: undefined } : row);
    if (open !== undefined) open.text = joinTexts(open.text, row.text);
    for (const { id, call, agent, masked } of row.calls) {
      const merged = this.use(
        { call: { ...call }, message, agent, masked: masked ?? noCounts, outcomeMasked: noCounts },
        id,
      );
      message.tool_calls.push(merged.call);
      if (agent !== undefined) this.launch = merged;
    }
  }

  /** What a helper did within this transcript belongs to the message that started it. */
  addSide(row: ClaudeCodeRow): void {
    this.readResults(row);
    const { launch } = this;
    if (launch === undefined) return;
    for (const { id, call, masked } of row.calls) {
      const made = { ...call, agent: launch.agent ?? row.side };
      const merged = { call: made, message: launch.message, masked: masked ?? noCounts, outcomeMasked: noCounts };
      launch.message.tool_calls.push(this.use(merged, id).call);
    }
  }

  /** The work of a helper comes directly after the call that started it. */
  addWork(work: SubagentWork, launch_id: string): void {
    const launch = this.callsById.get(launch_id);
    if (launch === undefined) return;
    const { tool_calls } = launch.message;
    const at = tool_calls.indexOf(launch.call);
    tool_calls.splice(at + 1, 0, ...this.made(work, launch.message, launch.agent));
    const { outcome } = launch.call;
    const isAnswered = outcome !== undefined && !outcome.text.startsWith('Async agent launched');
    if (isAnswered || work.report === undefined) return;
    launch.call.outcome = { is_error: false, text: work.report.text };
    launch.outcomeMasked = work.report.masked ?? noCounts;
  }

  /** Without the call that started it, a helper's work belongs to the answer before it. */
  addWorkByTime(work: SubagentWork): void {
    const isBefore = ({ role, at }: Message) =>
      role === 'assistant' && (work.at === undefined || (at ?? '') <= work.at);
    const message = this.messages.findLast(isBefore);
    if (message !== undefined) message.tool_calls.push(...this.made(work, message, undefined));
  }

  finish(): { messages: Message[]; masked: SecretCounts } {
    for (const call of this.calls) {
      addCounts(this.masked, call.masked);
      addCounts(this.masked, call.outcomeMasked);
    }
    return { messages: this.messages, masked: this.masked };
  }

  private made(work: SubagentWork, message: Message, kind: string | undefined): ToolCall[] {
    return work.calls.map(({ call, masked = noCounts, outcome_masked: outcomeMasked = noCounts }) => {
      const made = { ...call, agent: work.kind ?? kind ?? work.agent };
      return this.use({ call: made, message, masked, outcomeMasked }, '').call;
    });
  }

  private use(merged: MergedCall, id: string): MergedCall {
    this.calls.push(merged);
    if (id !== '') this.callsById.set(id, merged);
    return merged;
  }

  private open(row: ClaudeCodeRow): Message {
    const message: Message = {
      index: this.messages.length,
      role: row.role ?? 'system',
      text: row.text,
      tool_calls: [],
    };
    if (row.at !== undefined) message.at = row.at;
    this.messages.push(message);
    if (row.message_id !== undefined) this.answers.set(row.message_id, message);
    return message;
  }

  private readResults(row: ClaudeCodeRow): void {
    for (const result of row.results) {
      const { id, ended, outcome } = result;
      const merged = ended === undefined ? this.callsById.get(id) : this.background.get(ended);
      if (merged === undefined) continue;
      if (outcome.background !== undefined) this.background.set(outcome.background, merged);
      merged.call.outcome = outcome;
      if (merged.call.plan !== undefined) merged.call.plan = readVerdict(outcome);
      merged.outcomeMasked = result.masked ?? noCounts;
    }
  }
}

/** Added, not written out again: an answer of very many rows would take quadratic time. */
function joinTexts(before: string, added: string): string {
  return before === '' || added === '' ? before + added : `${before}\n\n${added}`;
}

/** What the person said to a plan, as the host reports it. */
function readVerdict({ is_error, text }: ToolOutcome): ToolCall['plan'] {
  if (!is_error && text.startsWith('User has approved')) return 'approved';
  return /^The user doesn't want to|rejected by the user/.test(text) ? 'rejected' : 'proposed';
}

/** No row, where a row is named by its place. */
const none = -1;

/**
 * The rows of the current conversation: a prompt that was rewound, and all that followed it, is not a part of it.
 * Rows keep the file's order, except that none comes before its parent, and none comes twice. Time and memory grow
 * linearly with the rows.
 *
 * Each tree of rows (a session that was compacted has several) is followed from its last row upwards. Rows next to
 * that path stay where they are no branch: parts of one answer, and results of tools that ran at the same time.
 */
function selectCurrentBranch(given: readonly ClaudeCodeRow[]): ClaudeCodeRow[] {
  const { unique, parents } = dropRepeated(given);
  const isInOrder = parents.every((parent, place) => parent < place);
  const rows = isInOrder ? unique : orderByParents(unique, parents);
  const current = markCurrent(rows, isInOrder ? parents : findParents(rows, placesOf(rows)));
  const answers = new Set<string>();
  for (const [place, row] of rows.entries()) {
    if (row.message_id !== undefined && current[place] === 1) answers.add(row.message_id);
  }
  const calls = new Set<string>();
  return rows.filter((row, place) => {
    const isPart = row.message_id !== undefined && answers.has(row.message_id);
    const isResult = row.results.some(({ id }) => calls.has(id));
    if (current[place] !== 1 && !isPart && !isResult) return false;
    for (const { id } of row.calls) calls.add(id);
    return true;
  });
}

/** The rows, each once, and their parents' places: a session that is taken up again may repeat rows. */
function dropRepeated(rows: readonly ClaudeCodeRow[]): { unique: readonly ClaudeCodeRow[]; parents: Int32Array } {
  const places = new Map<string, number>();
  const repeated = new Set<ClaudeCodeRow>();
  for (const [place, row] of rows.entries()) {
    if (row.uuid === undefined) continue;
    const twin = rows[places.get(row.uuid) ?? none];
    if (twin !== undefined && isSame(twin, row)) repeated.add(row);
    else places.set(row.uuid, place);
  }
  // One table for both: that of a long transcript takes ten megabytes.
  if (repeated.size === 0) return { unique: rows, parents: findParents(rows, places) };
  const unique = rows.filter((row) => !repeated.has(row));
  return { unique, parents: findParents(unique, placesOf(unique)) };
}

function isSame(one: ClaudeCodeRow, other: ClaudeCodeRow): boolean {
  return one.role === other.role && one.text === other.text && one.parent === other.parent && one.at === other.at;
}

function placesOf(rows: readonly ClaudeCodeRow[]): Map<string, number> {
  const places = new Map<string, number>();
  for (const [place, { uuid }] of rows.entries()) if (uuid !== undefined) places.set(uuid, place);
  return places;
}

/** For each row the place of its parent: numbers, because a map of rows would need as much memory as they do. */
function findParents(rows: readonly ClaudeCodeRow[], places: ReadonlyMap<string, number>): Int32Array {
  return Int32Array.from(rows, ({ parent }) => (parent === undefined ? none : (places.get(parent) ?? none)));
}

/** The rows with each after its parent: concurrent writers may append a row late. */
function orderByParents(rows: readonly ClaudeCodeRow[], parents: Int32Array): ClaudeCodeRow[] {
  const placed = new Set<number>();
  for (const start of rows.keys()) {
    const chain = new Set<number>();
    let next = start;
    while (next !== none && !placed.has(next) && !chain.has(next)) {
      chain.add(next);
      next = parents[next] ?? none;
    }
    // A circle has no first row: its rows stay where they are.
    for (const place of chain.has(next) ? [start] : [...chain].reverse()) placed.add(place);
  }
  return [...placed].flatMap((place) => rows[place] ?? []);
}

/** From the last row to the first: a row whose tree is not yet followed starts that tree's path. 1 is on a path. */
function markCurrent(rows: readonly ClaudeCodeRow[], parents: Int32Array): Uint8Array {
  const roots = findRoots(parents);
  const followed = new Uint8Array(rows.length);
  const current = new Uint8Array(rows.length);
  for (let leaf = rows.length - 1; leaf >= 0; leaf -= 1) {
    const root = roots[leaf] ?? leaf;
    if (rows[leaf]?.role === undefined || followed[root] === 1) continue;
    followed[root] = 1;
    for (let place = leaf; place !== none && current[place] !== 1; place = parents[place] ?? none) current[place] = 1;
  }
  return current;
}

/** The topmost known row above each row; a circle, which only a broken file has, ends where it closes. */
function findRoots(parents: Int32Array): Int32Array {
  const roots = new Int32Array(parents.length).fill(none);
  for (const [place, parent] of parents.entries()) {
    if (roots[place] !== none) continue;
    const known = parent === none ? place : (roots[parent] ?? none);
    if (known === none) followCircle(place, parents, roots);
    else roots[place] = known;
  }
  return roots;
}

/** Parents come before their rows, except in a circle. */
function followCircle(start: number, parents: Int32Array, roots: Int32Array): void {
  const path = new Set<number>();
  let top = start;
  while (roots[top] === none && !path.has(top)) {
    path.add(top);
    const parent = parents[top] ?? none;
    if (parent !== none) top = parent;
  }
  const known = roots[top] ?? none;
  for (const place of path) roots[place] = known === none ? top : known;
}
