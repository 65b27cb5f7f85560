import { createHash } from 'node:crypto';
import pg from 'pg';
import { limits } from '../packages/batonpass/src/core/limits.ts';
import { transitions } from '../packages/batonpass/src/core/transitions.ts';
import * as statements from '../packages/batonpass/src/stores/postgres/statements.ts';
import { lease_ms, project, receiver, task_id } from './sample-work.ts';

type Row = Record<string, unknown>;
type Values = Record<string, unknown>;

/** What a claim gave: the row's columns, its delivery as it is after the claim, and where its history goes on. */
export interface BareClaimed {
  row: Row;
  delivery: Record<string, unknown>;
  version: number;
}

/**
 * What a program of one's own would do at its best: the store's statements on its schema, prepared, sent without waiting
 * where the driver can, and nothing else. One connection, one transaction a call.
 */
export class BarePostgresQueue {
  readonly #client: pg.Client;
  #tokens = 0;

  constructor(url: string) {
    this.#client = new pg.Client({ connectionString: url, pipeline: true });
  }

  async open(schema: string): Promise<void> {
    await this.#client.connect();
    await this.#client.query(`SET search_path = "${schema}"; SET plan_cache_mode = force_generic_plan`);
  }

  /** One transaction: the oldest of the one task, its content read. */
  async claim(): Promise<BareClaimed> {
    const now = Date.now();
    const begun = this.#client.query('BEGIN');
    const queue = {
      project,
      task_id,
      holder: receiver.name,
      now,
      backoff_max: limits.backoff_ms_max,
      floor: 0,
      max: 1,
    };
    const narrowing = { task: true, kind: false, excluded: false, scope: false };
    const [{ rows }] = await Promise.all([this.#run(statements.lockOldest(narrowing, 200), queue), begun]);
    const [row] = rows;
    if (row === undefined) throw new Error('The bare queue has no handoff left.');
    JSON.parse(String(row.content));
    const former = JSON.parse(String(row.delivery));
    this.#tokens += 1;
    const fence = former.fence + 1;
    const attempts = former.attempts + 1;
    const lease = {
      holder: receiver.name,
      holder_type: receiver.type,
      token: `token-number-${this.#tokens}`,
      fence,
      expires_at: new Date(now + lease_ms).toISOString(),
    };
    const version = former.version + 1;
    const delivery = { ...former, state: 'claimed', version, lease, fence, attempts, consumed: 1 };
    await this.#write('claim', { row, delivery, version }, { now, details: JSON.stringify({ fence, attempts }) });
    return { row, delivery, version };
  }

  /** One transaction. */
  async acknowledge({ row, delivery }: BareClaimed): Promise<void> {
    const now = Date.now();
    const begun = this.#client.query('BEGIN');
    const [{ rows }] = await Promise.all([this.#run(statements.lockHandoffs, { ids: [row.id] }), begun]);
    const { lease: _lease, ...held } = delivery;
    JSON.parse(String(rows[0]?.delivery));
    const version = Number(held.version) + 1;
    const ended = {
      state: 'acknowledged',
      acknowledged_by: receiver.name,
      acknowledged_at: new Date(now).toISOString(),
    };
    const after = { row: rows[0] as Row, delivery: { ...held, ...ended, version }, version };
    await this.#write('acknowledge', after, { now });
  }

  async close(): Promise<void> {
    await this.#client.end();
  }

  async #write(step: 'claim' | 'acknowledge', after: BareClaimed, { now, details = null }: Line): Promise<void> {
    const { row, delivery, version } = after;
    const to_state = step === 'claim' ? 'claimed' : 'acknowledged';
    const moved = {
      id: row.id,
      from_state: row.state,
      from_version: version - 1,
      from_lease: null,
      state: to_state,
      version,
      delivery: JSON.stringify(delivery),
      available_at: row.created_at,
      expires_at: null,
      lease_expires_at: step === 'claim' ? now + lease_ms : null,
      is_offered: false,
    };
    const event = {
      line: row.next_line,
      handoff_id: row.id,
      project,
      name: transitions[step].event,
      at: now,
      actor_name: receiver.name,
      actor_type: receiver.type,
      from_state: row.state,
      to_state,
      reason: null,
      details,
    };
    await Promise.all([
      this.#run(statements.updateDeliveries, { ...inArrays(moved), moved_count: 1 }),
      this.#run(statements.insertEvents, inArrays(event)),
      this.#client.query('COMMIT'),
    ]);
  }

  #run(sql: string, values: Values): Promise<pg.QueryResult<Row>> {
    const { text, name, names } = prepare(sql);
    return this.#client.query<Row>({ text, name, values: names.map((each) => values[each] ?? null) });
  }
}

interface Line {
  now: number;
  details?: string | null;
}

function inArrays(values: Values): Values {
  return Object.fromEntries(Object.entries(values).map(([name, value]) => [name, [value]]));
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
