import { createHash } from 'node:crypto';
import pg from 'pg';
import { limits } from '../packages/batonpass/src/core/limits.ts';
import { transitions } from '../packages/batonpass/src/core/transitions.ts';
import { lockOldest } from '../packages/batonpass/src/stores/postgres/claims.ts';
import { insertEvents, lockHandoffs, updateDeliveries } from '../packages/batonpass/src/stores/postgres/statements.ts';
import { movedBy } from './bare-queue.ts';
import { lease_ms, project, receiver, task_id } from './sample-work.ts';

type Values = Record<string, unknown>;

/** What a claim gave. */
export type BareClaimed = Record<string, unknown>;

const updates = { claim: updateDeliveries(movedBy.claim), acknowledge: updateDeliveries(movedBy.acknowledge) };
const oldestOfTask = lockOldest(true);

/**
 * What a program of one's own would do at its best: the store's statements on its schema, prepared, each a transaction by
 * itself, and nothing else. One connection.
 */
export class BarePostgresQueue {
  readonly #client: pg.Client;
  #tokens = 0;

  constructor(url: string) {
    this.#client = new pg.Client({ connectionString: url, pipeline: true });
  }

  async open(schema: string): Promise<void> {
    await this.#client.connect();
    await this.#client.query(
      `SET search_path = "${schema}"; SET plan_cache_mode = force_generic_plan; SET enable_seqscan = off`,
    );
  }

  /** One transaction: the oldest of the one task, its content read. */
  claim(): Promise<BareClaimed> {
    this.#tokens += 1;
    const now = Date.now();
    const { name: holder } = receiver;
    const asked = { project, task_id, holder, excluded: [], scope_ancestors: [] };
    const values = { ...asked, now, backoff_max: limits.backoff_ms_max, watermark: 0, max: 1 };
    return this.#move('claim', oldestOfTask, values, (row) => ({
      state: 'claimed',
      fence: Number(row.fence) + 1,
      attempts: Number(row.attempts) + 1,
      lease_holder: holder,
      lease_holder_type: receiver.type,
      lease_token: `token-number-${this.#tokens}`,
      lease_expires_at: now + lease_ms,
      available_at: row.created_at,
    }));
  }

  /** One transaction. */
  async acknowledge({ id }: BareClaimed): Promise<void> {
    const ended = { lease_holder: null, lease_holder_type: null, lease_token: null, lease_expires_at: null };
    await this.#move('acknowledge', lockHandoffs, { ids: [id] }, () => ({
      ...ended,
      state: 'acknowledged',
      acknowledged_by: receiver.name,
      acknowledged_at: Date.now(),
    }));
  }

  async close(): Promise<void> {
    await this.#client.end();
  }

  /** Locks a row, moves it and writes the history; the last two are sent together with the commit. */
  async #move(
    step: 'claim' | 'acknowledge',
    lock: string,
    values: Values,
    change: (row: BareClaimed) => Values,
  ): Promise<BareClaimed> {
    const [, [row]] = await Promise.all([this.#client.query('BEGIN'), this.#send(lock, values)]);
    const found = read(row);
    const moved: BareClaimed = { ...found, version: Number(found.version) + 1, ...change(found) };
    const event = {
      handoff_id: found.id,
      project,
      name: transitions[step].event,
      at: Date.now(),
      actor_name: receiver.name,
      actor_type: receiver.type,
      from_state: found.state,
      to_state: moved.state,
    };
    const guard = { from_state: found.state, from_version: found.version };
    await Promise.all([
      this.#send(updates[step], { ...inLists({ ...moved, ...guard }), rows_count: 1 }),
      this.#send(insertEvents, inLists(event)),
      this.#client.query('COMMIT'),
    ]);
    return moved;
  }

  async #send(sql: string, values: Values): Promise<BareClaimed[]> {
    const { text, name, names } = prepare(sql);
    const given = names.map((each) => values[each] ?? null);
    return (await this.#client.query<BareClaimed>({ text, name, values: given })).rows;
  }
}

/** Each value as a list of one, as the statements for many rows need it. */
function inLists(values: Values): Values {
  return Object.fromEntries(Object.entries(values).map(([name, value]) => [name, [value ?? null]]));
}

function read(row: BareClaimed | undefined): BareClaimed {
  if (row === undefined) throw new Error('The bare queue did not move a handoff.');
  JSON.parse(String(row.content));
  return row;
}

interface Prepared {
  text: string;
  name: string;
  names: readonly string[];
}

const prepared = new Map<string, Prepared>();

/** Parameters by place, and a name that is the text's own. */
function prepare(sql: string): Prepared {
  const known = prepared.get(sql);
  if (known !== undefined) return known;
  const names = [...new Set([...sql.matchAll(/(?<!:):([a-z][a-z0-9_]*)/g)].map(([, name = '']) => name))];
  const text = sql.replace(/(?<!:):([a-z][a-z0-9_]*)/g, (_, name: string) => `$${names.indexOf(name) + 1}`);
  const made = { text, name: createHash('sha256').update(text).digest('hex').slice(0, 40), names };
  prepared.set(sql, made);
  return made;
}
