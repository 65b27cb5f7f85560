import { createSurroundings } from '../../../core/surroundings.ts';
import type { Driver } from '../driver.ts';
import { Ledger } from '../ledger.ts';
import { Moving } from '../moving.ts';
import { PreparedStatements } from '../prepared-statements.ts';
import { selectPlace } from '../statements.ts';
import { readSource3Row, selectSource3Rows } from './source-3-row.ts';

/**
 * The database that source 3 describes: one table `handoffs` with six columns, and its indexes. It is taken over as it
 * is opened: its rows in their order, in one transaction with the schema. Its own table stays, under another name.
 */

/** Column types of source 3's table. SQLite has no type JSON: whoever wrote TEXT meant the same. */
const columnTypes: Readonly<Record<string, readonly string[]>> = {
  id: ['TEXT'],
  task_id: ['TEXT'],
  payload: ['JSON', 'TEXT'],
  origin: ['TEXT'],
  created_at: ['INTEGER'],
  consumed: ['INTEGER'],
};

const keptTable = 'handoffs_of_source_3';

/** Rows read at a time. */
const ROWS = 200;

const countOthers = `
SELECT count(*) AS count FROM sqlite_schema
WHERE substr(name, 1, 7) <> 'sqlite_' AND (tbl_name <> 'handoffs' OR type NOT IN ('table', 'index'))`;

const selectTable = `
SELECT count(*) AS count FROM pragma_table_list
WHERE schema = 'main' AND name = 'handoffs' AND type = 'table' AND wr = 0`;

const selectColumns = "SELECT name, upper(type) AS type, pk, hidden FROM pragma_table_xinfo('handoffs')";

const selectIndexes = `
SELECT name FROM sqlite_schema WHERE type = 'index' AND tbl_name = '${keptTable}' AND sql IS NOT NULL`;

/** Places in the order in which source 3 claims: by time, and rows of one time as they were written. */
const createOrder = `
CREATE TEMP TABLE source_3_order (place INTEGER PRIMARY KEY, source_rowid INTEGER NOT NULL);
INSERT INTO source_3_order (source_rowid) SELECT rowid FROM ${keptTable} ORDER BY created_at, rowid`;

/** Whether a database is source 3's own: its table, and nothing else but indexes. */
export function isSource3(driver: Driver): boolean {
  const count = (sql: string) => Number(driver.prepare(sql).get()?.count);
  if (count(selectTable) !== 1 || count(countOthers) !== 0) return false;
  const columns = driver.prepare(selectColumns).all();
  return (
    columns.length === Object.keys(columnTypes).length &&
    columns.every(
      ({ name, type, pk, hidden }) =>
        columnTypes[String(name)]?.includes(String(type)) && pk === (name === 'id' ? 1 : 0) && hidden === 0,
    )
  );
}

/** What to do with a database that has a table of that name and is not source 3's. */
export function adviseOnAlike(driver: Driver): string[] {
  if (Number(driver.prepare(selectTable).get()?.count) === 0) return [];
  const columns = Object.keys(columnTypes).join(', ');
  return [
    `To have its table handoffs taken over, copy it into a file of its own with exactly these columns: ${columns}`,
  ];
}

/** Makes room for the schema. Indexes of the old table go: they hold nothing of their own, and their names may be ours. */
export function setSource3Aside(driver: Driver): void {
  driver.exec(`ALTER TABLE handoffs RENAME TO ${keptTable}`);
  for (const { name } of driver.prepare(selectIndexes).all()) {
    driver.exec(`DROP INDEX "${String(name).replaceAll('"', '""')}"`);
  }
}

/** Copies the rows of the table that was set aside into the present schema. To be run in the transaction that made it. */
export function takeOverSource3(driver: Driver, surroundings = createSurroundings()): void {
  const prepared = new PreparedStatements(driver);
  const moving = new Moving(prepared, new Ledger(prepared));
  const isTaken = (id: string) => prepared.of(selectPlace).get({ id }) !== undefined;
  driver.exec(createOrder);
  const page = driver.prepare(selectSource3Rows(keptTable));
  for (let rows = page.all({ after: 0, limit: ROWS }); rows.length > 0; ) {
    for (const row of rows) moving.import([readSource3Row(row, { surroundings, isTaken })]);
    rows = page.all({ after: rows.at(-1)?.place, limit: ROWS });
  }
  driver.exec('DROP TABLE source_3_order');
}
