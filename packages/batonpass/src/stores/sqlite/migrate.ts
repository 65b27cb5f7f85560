import { existsSync } from 'node:fs';
import { HandoffError } from '../../core/errors.ts';
import { otherSchema } from '../sql/failure.ts';
import { backupsFolder, writeCopy } from './backup-place.ts';
import { type Driver, openDriver } from './driver.ts';
import { explainFailure, untilFree } from './failure.ts';
import { APPLICATION_ID, SCHEMA_VERSION, schema } from './schema.ts';
import { adviseOnAlike, isSource3, setSource3Aside, takeOverSource3 } from './source-3.ts';
import { holdsRows, listTables, type SqlReader } from './tables.ts';

/** A file that got its schema. */
export interface Migration {
  from: number;
  to: number;
  /** The copy of source 3's database as it was before; absent where nothing was there. */
  backup?: string;
}

/** In one statement: another process may be making the very schema that is looked for. */
const selectHeader = `
SELECT (SELECT application_id FROM pragma_application_id) AS application_id,
  (SELECT user_version FROM pragma_user_version) AS schema_version,
  (SELECT count(*) FROM sqlite_schema) AS objects`;

/** Whether a database is new, or source 3's own. @throws HandoffError `invalid_input` for another's, `unsupported_version`. */
export function needsMigration(database: SqlReader, path: string): boolean {
  const read = () => database.prepare(selectHeader).all()[0] ?? {};
  // Before the header: what another process migrates in between has its own header by then.
  const isOfSource3 = read().application_id !== APPLICATION_ID && isSource3(database);
  const { application_id, schema_version, objects } = read();
  if (application_id === APPLICATION_ID) {
    if (schema_version === SCHEMA_VERSION) return false;
    const known = { path, schema_version: Number(schema_version), known: SCHEMA_VERSION };
    throw otherSchema(path, known, 'Use another store: BATON_STORE=sqlite:/path/to/baton.db');
  }
  if (application_id === 0 && schema_version === 0 && (objects === 0 || isOfSource3)) return true;
  throw new HandoffError('invalid_input', `The file ${path} is a database of another program.`, {
    details: { path, application_id, schema_version },
    alternatives: ['Name another file: BATON_STORE=sqlite:/path/to/baton.db', ...adviseOnAlike(database)],
  });
}

/**
 * Makes the schema in one transaction, after a synced copy of what is there: `backups/baton-before-schema-N.db`. A crash
 * leaves what was there. @returns what was done; undefined where another process had done it.
 * @throws HandoffError `unavailable` where the copy cannot be made; nothing is changed then.
 */
export async function migrateSafely(
  driver: Driver,
  path: string,
  write: (body: () => Migration | undefined) => Promise<Migration | undefined>,
): Promise<Migration | undefined> {
  // A database in memory, or on a disk that only its driver knows, has no folder for a copy.
  const isFile = existsSync(path) && (await untilFree(path, () => listTables(driver).length > 0));
  // SQLite copies no database from within a transaction, and the transaction's body cannot wait for another connection.
  const reader = isFile ? await openDriver(path) : undefined;
  try {
    return await write(() => {
      if (!needsMigration(driver, path)) return undefined;
      const backup = reader && holdsRows(driver) ? backUp(reader, path) : undefined;
      const isOfSource3 = isSource3(driver);
      if (isOfSource3) setSource3Aside(driver);
      driver.exec(schema);
      if (isOfSource3) takeOverSource3(driver);
      driver.exec(`PRAGMA application_id = ${APPLICATION_ID}; PRAGMA user_version = ${SCHEMA_VERSION}`);
      return { from: 0, to: SCHEMA_VERSION, ...(backup && { backup }) };
    });
  } finally {
    reader?.close();
  }
}

function backUp(reader: Driver, path: string): string {
  const folder = backupsFolder(path);
  try {
    return writeCopy(reader, folder, `baton-before-schema-${SCHEMA_VERSION}`);
  } catch (error) {
    const cause = explainFailure(error, folder);
    const text = `The store ${path} was not brought up to date, because no backup of it could be made first: ${(cause as Error).message}`;
    throw new HandoffError('unavailable', text, {
      details: { path, folder },
      cause,
      alternatives: [`Make room in ${folder}, or make it writable, and run the command again; the store is as it was.`],
    });
  }
}
