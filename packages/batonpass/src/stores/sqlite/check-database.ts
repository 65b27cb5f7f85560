import { existsSync, statSync } from 'node:fs';
import type { State } from '../../core/state.ts';
import type { StoredHandoff } from '../../core/store.ts';
import { Reader } from '../sql/reader.ts';
import { runNow } from '../sql/work.ts';
import { listFaults, type StoredFault } from '../stored-faults.ts';
import { createRunner, type Driver, openDriver } from './driver.ts';
import { explainFailure, isDamage, untilFree } from './failure.ts';
import { needsMigration } from './migrate.ts';
import { openReadable } from './place.ts';
import { SCHEMA_VERSION } from './schema.ts';
import { sqliteStatements } from './statements.ts';
import { complaintsOf, integrityComplaints, readPragma } from './tables.ts';

/** Something that is wrong with a database or with a handoff in it. */
export interface DatabaseFault {
  rule: StoredFault['rule'] | 'file' | 'columns' | 'unreadable';
  /** The handoff; absent where it is the file. */
  id?: string;
  says: string;
}

/** Which schema a database has, and how much of the disk it takes. */
export interface DatabaseSize {
  /** 0 where it has none yet: the next command makes it, or takes over what is there. */
  schema_version: number;
  /** With what is in its log still. */
  bytes: number;
  log_bytes: number;
  /** Inside the file, for new handoffs; the disk gets them back by `giveBackSpace` alone. */
  free_bytes: number;
}

/** What a database is and holds, as far as it can be read. */
export interface DatabaseFacts extends DatabaseSize {
  known_schema: number;
  /** Absent where it has no schema yet. */
  contents?: DatabaseContents;
  faults: DatabaseFault[];
}

/** What a database of the present schema holds. */
export interface DatabaseContents {
  states: Partial<Record<State, number>>;
  oldest_open?: { id: string; created_at: string };
  /** History whose handoffs are gone: deleted by foreign SQL, or moved to an archive but for the newest line of all. */
  dropped: { handoffs: number; lines: number };
}

/** How a check goes on. */
export interface CheckOptions {
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

const PAGE = 200;

/**
 * Looks a database through, file and contents, as it is at one instant, without writing to it: neither what is due
 * happens, nor is its schema brought up to date.
 *
 * @throws HandoffError as opening a store does: `unavailable`, `invalid_input`, `unsupported_version`.
 */
export async function checkDatabase(path: string, options: CheckOptions = {}): Promise<DatabaseFacts> {
  return withReadable(path, async (driver, size) => {
    driver.exec('BEGIN');
    const faults: DatabaseFault[] = integrityComplaints(driver).map((says) => ({ rule: 'file', says }));
    const facts = { ...size, known_schema: SCHEMA_VERSION, faults };
    if (size.schema_version === 0) return facts;
    const contents = attempt(() => readContents(driver), faults);
    if (contents === undefined) return facts;
    faults.push(...(attempt(() => listStrayColumns(driver), faults) ?? []));
    for await (const fault of faultsWithin(driver, options)) faults.push(fault);
    return { ...facts, contents };
  });
}

/**
 * What a database holds, without a look at whether it is sound, and without writing to it.
 *
 * @returns undefined for an older schema, and for a file too damaged to be read.
 * @throws HandoffError as opening a store does.
 */
export async function readDatabase(path: string): Promise<DatabaseContents | undefined> {
  try {
    return await withReadable(path, async (driver, { schema_version }) => {
      driver.exec('BEGIN');
      return schema_version === 0 ? undefined : attempt(() => readContents(driver), []);
    });
  } catch (error) {
    if (isDamage(error)) return undefined;
    throw error;
  }
}

function readContents(driver: Driver): DatabaseContents {
  const states = driver.prepare(countStates).all();
  const oldest = driver.prepare(selectOldestOpen).get();
  const { handoffs, lines } = driver.prepare(countDropped).get() ?? {};
  return {
    states: Object.fromEntries(states.map(({ state, count }) => [state, count])),
    ...(oldest && { oldest_open: { id: String(oldest.id), created_at: String(oldest.created_at) } }),
    dropped: { handoffs: Number(handoffs), lines: Number(lines) },
  };
}

/** Undefined where that cannot be read, which is one more fault. */
function attempt<T>(read: () => T, faults: DatabaseFault[]): T | undefined {
  try {
    return read();
  } catch (error) {
    if (!(error instanceof Error)) throw error;
    faults.push({ rule: 'file', says: error.message });
    return undefined;
  }
}

function listStrayColumns(driver: Driver): DatabaseFault[] {
  const says = 'a column of its row is not what its content says';
  return driver
    .prepare(selectStrayColumns)
    .all()
    .map(({ id }) => ({ rule: 'columns', id: String(id), says }));
}

/** Handoff by handoff, so that one that cannot be read hides no other. */
async function* faultsWithin(driver: Driver, { onProgress, signal }: CheckOptions): AsyncGenerator<DatabaseFault> {
  const run = createRunner(driver);
  const reader = new Reader(sqliteStatements);
  const read: ReadPage = (page) => runNow(reader.export(page), run);
  const total = Number(driver.prepare('SELECT count(*) AS count FROM handoffs').get()?.count);
  let after = 0;
  let done = 0;
  for (;;) {
    const places = run({ sql: listPlaces, parameters: { after, limit: PAGE } });
    yield* places.flatMap(({ seq, id }) => faultsAt(read, Number(seq), String(id)));
    after = Number(places.at(-1)?.seq);
    done += places.length;
    onProgress?.({ done, total });
    if (places.length < PAGE || signal?.aborted === true) return;
    // Lets a terminal draw, and Ctrl-C be heard.
    await new Promise((resolve) => setImmediate(resolve));
  }
}

type ReadPage = (page: { after: number; limit: number }) => StoredHandoff[];

function faultsAt(read: ReadPage, seq: number, id: string): DatabaseFault[] {
  try {
    const stored = read({ after: seq - 1, limit: 1 });
    return stored.flatMap((each) => listFaults(each).map((fault) => ({ ...fault, id: each.handoff.id })));
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    return [{ rule: 'unreadable', id, says: `it cannot be read: ${reason}` }];
  }
}

/** About a second of reading; a person who waits for a diagnosis does not wait longer. */
const checked_bytes_max = 512 * 1024 * 1024;

/**
 * Looks at a database's file without changing it: neither its schema nor its journal.
 *
 * @returns also what SQLite complains of: empty for a sound file, absent where it is too large to be read through. Null
 * where there is no file.
 * @throws HandoffError as opening a store does: `unavailable`, `invalid_input`, `unsupported_version`.
 */
export async function examineDatabase(path: string): Promise<(DatabaseSize & { complaints?: string[] }) | null> {
  if (!existsSync(path)) return null;
  return withReadable(path, async (driver, size) => {
    if (size.bytes > checked_bytes_max) return size;
    return { ...size, complaints: await untilFree(path, () => complaintsOf(driver, 'quick_check', 3)) };
  });
}

/** How large a database is. @throws HandoffError as opening a store does. */
export async function measureDatabase(path: string): Promise<DatabaseSize> {
  return withReadable(path, async (_driver, size) => size);
}

/** Reads a database that nothing is written to, even if a defect of ours tried to. @throws as opening a store does. */
async function withReadable<T>(path: string, body: (driver: Driver, size: DatabaseSize) => Promise<T>): Promise<T> {
  const place = await openReadable(path);
  try {
    const driver = await openDriver(place.path);
    try {
      driver.exec('PRAGMA query_only = ON');
      await untilFree(path, () => needsMigration(driver, path));
      return await body(driver, measure(driver, place.path));
    } finally {
      driver.close();
    }
  } catch (error) {
    throw explainFailure(error, path);
  } finally {
    place.release();
  }
}

function measure(driver: Driver, path: string): DatabaseSize {
  const page_bytes = readPragma(driver, 'page_size');
  return {
    schema_version: readPragma(driver, 'user_version'),
    bytes: readPragma(driver, 'page_count') * page_bytes,
    // A look at the file's length takes no part in SQLite's locks.
    log_bytes: statSync(`${path}-wal`, { throwIfNoEntry: false })?.size ?? 0,
    free_bytes: readPragma(driver, 'freelist_count') * page_bytes,
  };
}

/**
 * Writes a database again without its free pages. Other processes go on reading; their writes wait, for as long as it
 * takes to write the whole file. A crash leaves it as it was.
 *
 * @throws HandoffError `unavailable` where it stays locked or the disk has no room for a second one next to it.
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
