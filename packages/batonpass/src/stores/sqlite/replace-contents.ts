import type { DatabaseSync } from 'node:sqlite';
import { listColumns, listTables, quoted } from './tables.ts';

/** What a store holds after its contents were replaced. */
export interface Replacement {
  handoffs: number;
  /** How many lines of history subscribers are told, because their handoffs are not as they were. */
  told_again: number;
}

/**
 * Gives a database the contents of another one of the same schema, attached as `restored`. To be run inside one write
 * transaction: every other process sees the old contents or the new ones.
 *
 * Tokens of the HTTP door stay as they are: a backup would bring back those that were revoked since.
 *
 * Places in the history never go back, for whoever follows it stands at one of them: a handoff that is not just as it
 * was has all of its lines behind the last place, so that it is told anew; the lines of all others keep their places.
 * Fences never go back either: what a later holder wrote elsewhere stays the later.
 */
export function replaceContents(database: DatabaseSync): Replacement {
  const count = (sql: string) => Number(Object.values(database.prepare(sql).get() ?? {})[0]);
  const last = count('SELECT coalesce(max(seq), 0) FROM main.events');
  noteDifferences(database);
  const tables = listTables(database, 'restored').filter((table) => table !== 'tokens');
  for (const table of tables) database.exec(`DELETE FROM main.${quoted(table)}`);
  for (const table of tables.filter((each) => each !== 'events')) insertAll(database, table);
  const told_again = insertEvents(database, last);
  const wanted = count('SELECT count(*) FROM restored.handoffs');
  const handoffs = count('SELECT count(*) FROM main.handoffs');
  if (handoffs !== wanted) throw new Error(`Of ${wanted} handoffs ${handoffs} were restored.`);
  database.exec('DROP TABLE temp.differing; DROP TABLE temp.newest; DROP TABLE temp.later_fences');
  return { handoffs, told_again };
}

/** Moves all of a database's history behind a place, where nobody can tell any more what was known before. */
export function moveHistoryBehind(database: DatabaseSync, last: number): void {
  // Downwards from a place that no line has: each line is free to go where it goes.
  database.exec(`UPDATE events SET seq = -seq; UPDATE events SET seq = ${last} - seq`);
}

function noteDifferences(database: DatabaseSync): void {
  const lines = listColumns(database, 'main', 'events').map(quoted).join(', ');
  const linesOf = (schema: string) => `SELECT ${lines} FROM ${schema}.events`;
  database.exec(`
    CREATE TEMP TABLE differing AS
      SELECT handoff_id FROM (${linesOf('restored')} EXCEPT ${linesOf('main')})
      UNION SELECT handoff_id FROM (${linesOf('main')} EXCEPT ${linesOf('restored')});
    CREATE TEMP TABLE newest AS SELECT ${lines} FROM main.events ORDER BY seq DESC LIMIT 1;
    CREATE TEMP TABLE later_fences AS
      SELECT present.id AS id, present.fence AS fence, former.fence AS former
      FROM main.handoffs AS present JOIN restored.handoffs AS former ON former.id = present.id
      WHERE present.fence > former.fence;`);
}

function insertAll(database: DatabaseSync, table: string): void {
  const columns = listColumns(database, 'main', table);
  const values = table === 'handoffs' ? columns.map(valueOfHandoff) : columns.map((name) => `each.${quoted(name)}`);
  database.exec(
    `INSERT INTO main.${quoted(table)} (${columns.map(quoted).join(', ')})
     SELECT ${values.join(', ')} FROM restored.${quoted(table)} AS each ORDER BY each.rowid`,
  );
}

const laterFence = '(SELECT fence FROM temp.later_fences AS later WHERE later.id = each.id)';

function valueOfHandoff(column: string): string {
  if (column === 'fence') return `coalesce(${laterFence}, each.fence)`;
  // An offer belongs to the present claim while both have one fence.
  if (column === 'offered') {
    return `CASE WHEN each.offered ->> '$.fence' = each.fence AND ${laterFence} IS NOT NULL
      THEN json_set(each.offered, '$.fence', ${laterFence}) ELSE each.offered END`;
  }
  return `each.${quoted(column)}`;
}

/** @returns how many lines went behind the last place. */
function insertEvents(database: DatabaseSync, last: number): number {
  const columns = listColumns(database, 'main', 'events');
  const others = columns.filter((name) => name !== 'seq').map(quoted);
  const insert = `INSERT INTO main.events (seq, ${others.join(', ')})`;
  const isDiffering = 'each.handoff_id IN (SELECT handoff_id FROM temp.differing)';
  const rest = others.map((name) => `each.${name}`).join(', ');
  database.exec(
    `${insert} SELECT each.seq, ${rest} FROM restored.events AS each WHERE NOT ${isDiffering} ORDER BY each.seq`,
  );
  const told = database
    .prepare(
      `${insert} SELECT :last + row_number() OVER (ORDER BY each.seq), ${rest}
       FROM restored.events AS each WHERE ${isDiffering} ORDER BY each.seq`,
    )
    .run({ last });
  // Where nothing came behind it, the newest line of all stays, as it does when handoffs are removed.
  database.exec(`${insert} SELECT each.seq, ${rest} FROM temp.newest AS each
    WHERE each.seq > (SELECT coalesce(max(seq), 0) FROM main.events)`);
  return Number(told.changes);
}
