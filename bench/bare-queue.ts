import { DatabaseSync, type SQLInputValue } from 'node:sqlite';
import { limits } from '../packages/batonpass/src/core/limits.ts';
import type { NewHandoff } from '../packages/batonpass/src/core/store.ts';
import { transitions } from '../packages/batonpass/src/core/transitions.ts';
import * as statements from '../packages/batonpass/src/stores/sqlite/statements.ts';
import { encodeHandoff, type HandoffRows } from './encoded-rows.ts';
import { lease_ms, project, receiver, task_id } from './sample-work.ts';

type Values = Record<string, SQLInputValue | undefined>;

/** What a claim gave: the row's columns. */
export type ClaimedRow = Record<string, SQLInputValue>;

const lease = ['lease_holder', 'lease_holder_type', 'lease_token', 'lease_expires_at'];

/** The columns that each step of a bare loop changes, as the store's own do. */
export const movedBy = {
  claim: ['state', 'version', 'attempts', 'fence', ...lease],
  acknowledge: ['state', 'version', ...lease, 'acknowledged_by', 'acknowledged_at'],
};

/** What a program of one's own would do at its best: the store's statements on its schema, and nothing else. */
export class BareQueue {
  readonly #database: DatabaseSync;
  readonly #insertHandoff: Prepared;
  readonly #insertEvent: Prepared;
  readonly #selectFirst: Prepared;
  readonly #selectOldest: Prepared;
  readonly #updateClaimed: Prepared;
  readonly #updateAcknowledged: Prepared;
  #tokens = 0;

  /** @param path - of a database that the store has made: the schema and the write-ahead log are in it. */
  constructor(path: string, durability: 'full' | 'normal') {
    this.#database = new DatabaseSync(path, { timeout: 10_000 });
    const settings = 'PRAGMA wal_autocheckpoint = 4000; PRAGMA cache_size = -16000';
    this.#database.exec(`PRAGMA synchronous = ${durability}; ${settings}`);
    const { dialect } = statements.sqliteStatements;
    this.#insertHandoff = prepare(this.#database, dialect.insertHandoffs);
    this.#insertEvent = prepare(this.#database, dialect.insertEvents);
    this.#selectFirst = prepare(this.#database, statements.selectOldest(true, true));
    this.#selectOldest = prepare(this.#database, statements.selectOldest(true, false));
    const update = (columns: readonly string[]) => prepare(this.#database, dialect.updateDeliveries(columns));
    this.#updateClaimed = update(movedBy.claim);
    this.#updateAcknowledged = update(movedBy.acknowledge);
  }

  /** The rows of handoffs, encoded before anything is timed. */
  encode(handoffs: readonly NewHandoff[]): HandoffRows[] {
    return handoffs.map((handoff) => {
      const { columns, event } = encodeHandoff(handoff);
      return { columns: this.#insertHandoff.arrange(columns), event: this.#insertEvent.arrange(event) };
    });
  }

  /** One transaction. */
  create(rows: readonly HandoffRows[]): void {
    this.#write(() => {
      for (const { columns, event } of rows) {
        this.#insertHandoff.statement.run(...columns);
        this.#insertEvent.statement.run(...event);
      }
    });
  }

  /** One transaction: the oldest of the one task, at most `max`, their content read. */
  claim(max: number): ClaimedRow[] {
    return this.#write(() => this.#claim(max));
  }

  /** One transaction. */
  acknowledge(rows: readonly ClaimedRow[]): void {
    this.#write(() => {
      for (const row of rows) this.#acknowledge(row);
    });
  }

  /** One transaction: what is done is acknowledged, and the next is claimed. */
  acknowledgeAndClaim(row: ClaimedRow): ClaimedRow[] {
    return this.#write(() => {
      this.#acknowledge(row);
      return this.#claim(1);
    });
  }

  close(): void {
    this.#database.close();
  }

  #write<T>(body: () => T): T {
    this.#database.exec('BEGIN IMMEDIATE');
    const answer = body();
    this.#database.exec('COMMIT');
    return answer;
  }

  #claim(max: number): ClaimedRow[] {
    const now = Date.now();
    const select = max === 1 ? this.#selectFirst : this.#selectOldest;
    const values = {
      project,
      task_id,
      holder: receiver.name,
      now,
      max,
      backoff_max: limits.backoff_ms_max,
      excluded: '[]',
    };
    const rows = select.statement.all(...select.arrange(values)) as ClaimedRow[];
    return rows.map((row) => this.#claimRow(row, now));
  }

  #claimRow(row: ClaimedRow, now: number): ClaimedRow {
    this.#tokens += 1;
    const [fence, attempts] = [Number(row.fence) + 1, Number(row.attempts) + 1];
    const claimed: ClaimedRow = {
      ...row,
      state: 'claimed',
      version: Number(row.version) + 1,
      fence,
      attempts,
      lease_holder: receiver.name,
      lease_holder_type: receiver.type,
      lease_token: `token-number-${this.#tokens}`,
      lease_expires_at: now + lease_ms,
      available_at: row.created_at ?? null,
    };
    const values = { ...claimed, from_state: 'open', from_version: row.version };
    const { changes } = this.#updateClaimed.statement.run(...this.#updateClaimed.arrange(values));
    if (changes !== 1) throw new Error(`The handoff ${row.id} was not claimed.`);
    this.#tell('claim', row, { at: now, from_state: 'open', to_state: 'claimed', details: { fence, attempts } });
    JSON.parse(String(row.content));
    return claimed;
  }

  #acknowledge(row: ClaimedRow): void {
    const now = Date.now();
    const values = {
      ...row,
      state: 'acknowledged',
      version: Number(row.version) + 1,
      lease_holder: null,
      lease_holder_type: null,
      lease_token: null,
      lease_expires_at: null,
      acknowledged_by: receiver.name,
      acknowledged_at: now,
      from_state: 'claimed',
      from_version: row.version,
    };
    const { changes } = this.#updateAcknowledged.statement.run(...this.#updateAcknowledged.arrange(values));
    if (changes !== 1) throw new Error(`The handoff ${row.id} was not acknowledged.`);
    this.#tell('acknowledge', row, { at: now, from_state: 'claimed', to_state: 'acknowledged' });
  }

  #tell(step: keyof typeof transitions, { id }: ClaimedRow, { details, ...event }: Line): void {
    const values = {
      handoff_id: id,
      project,
      name: transitions[step].event,
      actor_name: receiver.name,
      actor_type: receiver.type,
      details: details && JSON.stringify(details),
      ...event,
    };
    this.#insertEvent.statement.run(...this.#insertEvent.arrange(values));
  }
}

interface Line {
  at: number;
  from_state: string;
  to_state: string;
  details?: object;
}

interface Prepared {
  statement: ReturnType<DatabaseSync['prepare']>;
  /** Values in the order of the statement, NULL for those that are absent. */
  arrange: (values: Values) => SQLInputValue[];
}

/** Bound by place: the library takes long to look up names. */
function prepare(database: DatabaseSync, text: string): Prepared {
  const names = [...text.matchAll(/:([a-z0-9_]+)/g)].map(([, name = '']) => name);
  return {
    statement: database.prepare(text.replaceAll(/:[a-z0-9_]+/g, '?')),
    arrange: (values) => names.map((name) => values[name] ?? null),
  };
}
