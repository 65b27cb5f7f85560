import { HandoffError } from '../../../core/errors.ts';
import type { Driver } from '../driver.ts';
import { adviseOnAlike, isSource3, setSource3Aside, takeOverSource3 } from './adopt-source-3.ts';
import { migrations } from './migrations.ts';

/** The mark of a Baton database ("BTON"), by which another program's file is told apart. */
const APPLICATION_ID = 0x42544f4e;

/** What a database says of itself. */
interface Header {
  application_id: number;
  schema_version: number;
  isEmpty: boolean;
}

/**
 * Whether a database is older than this program, or new. One that is not Baton's or is newer is refused, before
 * anything is written to it.
 *
 * @throws HandoffError `invalid_input`, `unsupported_version`.
 */
export function needsMigration(driver: Driver, path: string, known = migrations.length): boolean {
  const { application_id, schema_version, isEmpty } = readHeader(driver);
  const isUnmarked = application_id === 0 && schema_version === 0;
  if (application_id !== APPLICATION_ID && !(isUnmarked && (isEmpty || isSource3(driver)))) {
    throw new HandoffError('invalid_input', `The file ${path} is a database of another program.`, {
      details: { path, application_id, schema_version },
      alternatives: ['Name another file: BATON_STORE=sqlite:/path/to/baton.db', ...adviseOnAlike(driver)],
    });
  }
  if (schema_version > known) {
    throw new HandoffError(
      'unsupported_version',
      `The store ${path} was written by a newer Baton: its schema is ${schema_version}, this one knows ${known}.`,
      {
        details: { path, schema_version, known },
        alternatives: [
          'Update this Baton: npm install --global batonpass@latest',
          'Use another store: BATON_STORE=sqlite:/path/to/baton.db',
        ],
      },
    );
  }
  return schema_version < known;
}

/**
 * Brings the schema up to date. To be run inside one transaction: a crash leaves the old schema whole, and of two
 * processes that open at once the second finds the work done.
 *
 * @param known - the migrations there are; a test passes others.
 */
export function migrate(driver: Driver, path: string, known: readonly string[] = migrations): void {
  if (!needsMigration(driver, path, known.length)) return;
  const { schema_version, isEmpty } = readHeader(driver);
  const isOfSource3 = schema_version === 0 && !isEmpty;
  if (isOfSource3) setSource3Aside(driver);
  for (const sql of known.slice(schema_version)) driver.exec(sql);
  if (isOfSource3) takeOverSource3(driver);
  // Pragmas take no parameters; both values are numbers of this file.
  driver.exec(`PRAGMA application_id = ${APPLICATION_ID}; PRAGMA user_version = ${known.length}`);
}

/** In one statement, and so at one moment: another process may be making the very schema that is looked for. */
const selectHeader = `
SELECT (SELECT application_id FROM pragma_application_id) AS application_id,
  (SELECT user_version FROM pragma_user_version) AS schema_version,
  (SELECT count(*) FROM sqlite_schema) AS objects`;

function readHeader(driver: Driver): Header {
  const { application_id, schema_version, objects } = driver.prepare(selectHeader).get() ?? {};
  return {
    application_id: Number(application_id),
    schema_version: Number(schema_version),
    isEmpty: Number(objects) === 0,
  };
}
