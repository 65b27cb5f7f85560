import { existsSync, statSync } from 'node:fs';
import type { DatabaseSync } from 'node:sqlite';
import type { State } from '../../core/state.ts';
import { Reader } from '../sql/reader.ts';
import { runNow } from '../sql/work.ts';
import { listFaults, type StoredFault } from '../stored-faults.ts';
import { adapt, createRunner, openDriver } from './driver.ts';
import { explainFailure, isDamage, untilFree } from './failure.ts';
import { needsMigration } from './migrate.ts';
import { withReadable } from './place.ts';
import { SCHEMA_VERSION } from './schema.ts';
import { sqliteStatements } from './statements.ts';
import { firstNumber, listComplaints } from './tables.ts';

interface DatabaseFault {
  rule: StoredFault['rule'] | 'file' | 'columns' | 'unreadable';
  id?: string;
  says: string;
}

type DatabaseSize = ReturnType<typeof measure>;

/** What a database of the present schema holds. */
export interface DatabaseContents {
  states: Partial<Record<State, number>>;
  oldest_open?: { id: string; created_at: string };
  /** History whose handoffs are gone: deleted by foreign SQL, or moved to an archive but for the newest line of all. */
  dropped: { handoffs: number; lines: number };
}

interface CheckOptions {
  onProgress?: (progress: { done: number; total: number }) => void;
  /** Aborted, the check ends early, with what it found. */
  signal?: AbortSignal;
}

const countStates = 'SELECT state, count(*) AS count FROM handoffs GROUP BY state';

const selectOldestOpen = `
SELECT id, strftime('%Y-%m-%dT%H:%M:%fZ', created_at / 1000.0, 'unixepoch') AS created_at
FROM handoffs WHERE state = 'open' ORDER BY seq LIMIT 1`;

const countDropped = `
SELECT count(DISTINCT handoff_id) AS handoffs, count(*) AS lines FROM events
WHERE handoff_id NOT IN (SELECT id FROM handoffs)`;

const listPlaces = 'SELECT seq, id FROM handoffs WHERE seq > :after ORDER BY seq LIMIT :limit';

/** By these columns claims and lists find a handoff; they repeat what its content says. */
const selectStrayColumns = `
SELECT id FROM handoffs WHERE CASE WHEN json_valid(content) THEN kind IS NOT content ->> '$.kind'
  OR task_id IS NOT content ->> '$.task_id' OR source_agent IS NOT content ->> '$.source_agent'
  OR target_agent IS NOT content ->> '$.target_agent' OR phase IS NOT content ->> '$.phase'
  OR session IS NOT content ->> '$.origin.session' OR branch IS NOT content ->> '$.origin.branch'
  OR payload_sha256 IS NOT content ->> '$.payload_ref.sha256'
  OR (scope IS NULL) <> (content ->> '$.scope' IS NULL) END
ORDER BY seq`;

/**
 * Looks a database through, file and contents, as it is at one instant, without writing to it: nothing that is due happens.
 * @returns what it is and holds, as far as it can be read: no contents where it has no schema yet.
 * @throws HandoffError as opening a store does: `unavailable`, `invalid_input`, `unsupported_version`. So do all below.
 */
export async function checkDatabase(path: string, options: CheckOptions = {}) {
  return withMeasured(path, async (database, size) => {
    database.exec('BEGIN');
    const complaints = listComplaints(database, 'integrity_check');
    const faults: DatabaseFault[] = complaints.map((says) => ({ rule: 'file', says }));
    let contents: DatabaseContents | undefined;
    try {
      if (size.schema_version > 0) {
        contents = readContents(database);
        for (const { id } of database.prepare(selectStrayColumns).all())
          faults.push({ rule: 'columns', id: String(id), says: 'a column of its row is not what its content says' });
        for await (const fault of faultsWithin(database, options)) faults.push(fault);
      }
    } catch (error) {
      if (!(error instanceof Error)) throw error;
      faults.push({ rule: 'file', says: error.message });
    }
    return { ...size, known_schema: SCHEMA_VERSION, contents, faults };
  });
}

/** What a database holds, whether it is sound or not; undefined where it has no schema or is too damaged to be read. */
export async function readDatabase(path: string): Promise<DatabaseContents | undefined> {
  const read = async (database: DatabaseSync, { schema_version }: DatabaseSize) => {
    database.exec('BEGIN');
    try {
      return schema_version === 0 ? undefined : readContents(database);
    } catch {
      // Another program may have taken a table away.
      return undefined;
    }
  };
  return withMeasured(path, read).catch((error: unknown) => {
    if (!isDamage(error)) throw error;
    return undefined;
  });
}

function readContents(database: DatabaseSync): DatabaseContents {
  const states = database.prepare(countStates).all();
  const oldest = database.prepare(selectOldestOpen).get();
  const { handoffs, lines } = database.prepare(countDropped).get() ?? {};
  return {
    states: Object.fromEntries(states.map(({ state, count }) => [state, count])),
    ...(oldest && { oldest_open: { id: String(oldest.id), created_at: String(oldest.created_at) } }),
    dropped: { handoffs: Number(handoffs), lines: Number(lines) },
  };
}

/** Handoff by handoff, so that one that cannot be read hides no other. */
async function* faultsWithin(
  database: DatabaseSync,
  { onProgress, signal }: CheckOptions,
): AsyncGenerator<DatabaseFault> {
  const run = createRunner(adapt(database));
  const reader = new Reader(sqliteStatements);
  const total = firstNumber(database, 'SELECT count(*) FROM handoffs');
  const limit = 200;
  let after = 0;
  let done = 0;
  for (;;) {
    const places = run({ sql: listPlaces, parameters: { after, limit } });
    for (const { seq, id } of places) {
      try {
        const stored = runNow(reader.export({ after: Number(seq) - 1, limit: 1 }), run);
        for (const each of stored) yield* listFaults(each).map((fault) => ({ ...fault, id: each.handoff.id }));
      } catch (error) {
        const reason = error instanceof Error ? error.message : String(error);
        yield { rule: 'unreadable', id: String(id), says: `it cannot be read: ${reason}` };
      }
    }
    after = Number(places.at(-1)?.seq);
    done += places.length;
    onProgress?.({ done, total });
    if (places.length < limit || signal?.aborted === true) return;
    // Lets a terminal draw, and Ctrl-C be heard.
    await new Promise((resolve) => setImmediate(resolve));
  }
}

/** A database's size, and what SQLite complains of, unless the file is too large for that; null where there is no file. */
export async function examineDatabase(path: string): Promise<(DatabaseSize & { complaints?: string[] }) | null> {
  if (!existsSync(path)) return null;
  return withMeasured(path, async (database, size) => {
    // About a second of reading; a person who waits for a diagnosis does not wait longer.
    if (size.bytes > 512 * 1024 ** 2) return size;
    return { ...size, complaints: await untilFree(path, () => listComplaints(database, 'quick_check', 3)) };
  });
}

/** How large a database is. */
export const measureDatabase = (path: string) => withMeasured(path, async (_database, size) => size);

async function withMeasured<T>(
  path: string,
  body: (database: DatabaseSync, size: DatabaseSize) => Promise<T>,
): Promise<T> {
  return withReadable(path, async (database, readable) => {
    await untilFree(path, () => needsMigration(database, path));
    return body(database, measure(database, readable));
  });
}

function measure(database: DatabaseSync, path: string) {
  const pragma = (name: string) => firstNumber(database, `PRAGMA ${name}`);
  const page_bytes = pragma('page_size');
  return {
    /** 0 where it has none yet: the next command makes it, or takes over what is there. */
    schema_version: pragma('user_version'),
    /** With what is in its log still. */
    bytes: pragma('page_count') * page_bytes,
    // A look at the file's length takes no part in SQLite's locks.
    log_bytes: statSync(`${path}-wal`, { throwIfNoEntry: false })?.size ?? 0,
    /** Inside the file, for new handoffs; the disk gets them back by `giveBackSpace` alone. */
    free_bytes: pragma('freelist_count') * page_bytes,
  };
}

/**
 * Writes a database again without its free pages. Meanwhile other processes read, and their writes wait. A crash leaves it
 * as it was. @throws HandoffError `unavailable` where it stays locked or the disk has no room for a second one next to it.
 */
export async function giveBackSpace(path: string): Promise<void> {
  const driver = await openDriver(path);
  try {
    await untilFree(path, () => driver.exec('VACUUM'));
    // The file shrinks when the log is written back; where somebody is reading just now, a later commit does it.
    driver.prepare('PRAGMA wal_checkpoint(TRUNCATE)').get();
  } catch (error) {
    throw explainFailure(error, path);
  } finally {
    driver.close();
  }
}
