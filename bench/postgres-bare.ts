import { createHash } from 'node:crypto';
import pg from 'pg';
import { limits } from '../packages/batonpass/src/core/limits.ts';
import { acknowledgeHeld, claimOldest } from '../packages/batonpass/src/stores/postgres/claim-statements.ts';
import { lease_ms, project, receiver, task_id } from './sample-work.ts';

type Values = Record<string, unknown>;

/** What a claim gave. */
export type BareClaimed = Record<string, unknown>;

const claimOfTask = claimOldest({ task: true, kind: false, excluded: false, scope: false }, 200);

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
  async claim(): Promise<BareClaimed> {
    this.#tokens += 1;
    const claimed = await this.#transact(claimOfTask, {
      project,
      task_id,
      holder: receiver.name,
      holder_type: receiver.type,
      now: Date.now(),
      backoff_max: limits.backoff_ms_max,
      floor: 0,
      max: 1,
      tokens: [`token-number-${this.#tokens}`],
      counted: 1,
      lease_ms,
    });
    return read(claimed);
  }

  /** One transaction. */
  async acknowledge({ id, lease_token }: BareClaimed): Promise<void> {
    const acknowledged = await this.#transact(acknowledgeHeld, {
      id: [id],
      token: [lease_token],
      holder: receiver.name,
      holder_type: receiver.type,
      now: Date.now(),
    });
    read(acknowledged);
  }

  async close(): Promise<void> {
    await this.#client.end();
  }

  async #transact(sql: string, values: Values): Promise<BareClaimed | undefined> {
    const { text, name, names } = prepare(sql);
    const { rows } = await this.#client.query<BareClaimed>({
      text,
      name,
      values: names.map((each) => values[each] ?? null),
    });
    return rows[0];
  }
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
