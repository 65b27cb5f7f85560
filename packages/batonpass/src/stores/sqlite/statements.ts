import type { ClaimRequest } from '../../core/store.ts';
import type { ReadRow } from '../handoff-columns.ts';
import type { Claimer, RowsOfList } from '../sql/dialect.ts';
import { contentColumns, deliveryColumns, eventColumns, handoffColumns, originColumns, upTo } from '../sql/dialect.ts';
import { available, beyondLease, createStatements, inScope, queueParameters } from '../sql/statements.ts';
import { all, type Work } from '../sql/work.ts';

/** What SQLite says in its own words. Indexes are named, and asked in their own words: without statistics the planner guesses. */

const isAmong = (column: string, parameter: string) => `${column} IN (SELECT value FROM json_each(:${parameter}))`;

/** By its range: a text may hold a character that ends a text for SQLite's functions. */
const isBelow = (column: string, parameter: string) =>
  `(${column} >= :${parameter} || '/' AND ${column} < :${parameter} || '0')`;

const given = (columns: readonly string[]) => `VALUES (${columns.map((column) => `:${column}`).join(', ')})`;

const assigned = (columns: readonly string[]) => columns.map((column) => `${column} = :${column}`).join(', ');

const guarded = 'WHERE id = :id AND state = :from_state AND version = :from_version';

const addedColumns = [...originColumns, ...contentColumns, ...deliveryColumns];

/** One handoff by its id, which is read from the row itself: an index that is damaged leads to another one's. */
export const selectHandoff = `
SELECT ${handoffColumns} FROM handoffs WHERE seq = (SELECT seq FROM handoffs WHERE id = :id)`;

/** Whether the clock has anything to do; three looks into small indexes. */
export const selectIsDue = `
SELECT EXISTS (SELECT 1 FROM handoffs WHERE state = 'claimed' AND lease_expires_at <= :now)
  OR EXISTS (SELECT 1 FROM handoffs WHERE state = 'claimed' AND ${beyondLease(':now')})
  OR EXISTS (SELECT 1 FROM handoffs WHERE state = 'open' AND expires_at <= :now) AS is_due`;

const unfinished = "INDEXED BY handoffs_unfinished WHERE (state = 'draft' OR state = 'waiting' OR state = 'dead')";

const conditions: Readonly<Record<RowsOfList, string>> = {
  draft: `${unfinished} AND project = :project AND state = 'draft'`,
  open: "INDEXED BY handoffs_open WHERE state = 'open' AND project = :project",
  // What is claimed has a lease: the index of leases is read from its beginning.
  claimed: "INDEXED BY handoffs_leased WHERE lease_expires_at >= 0 AND project = :project AND state = 'claimed'",
  waiting: `${unfinished} AND project = :project AND state = 'waiting'`,
  dead: `${unfinished} AND project = :project AND state = 'dead'`,
  offered: 'INDEXED BY handoffs_offered WHERE project = :project AND offered IS NOT NULL',
  // By the index of ids alone: its entries are small, and only those that match are looked up.
  suffix: `WHERE project = :project
  AND seq IN (SELECT seq FROM handoffs WHERE id >= '' AND substr(id, -length(:id_suffix)) = :id_suffix)`,
  project: 'WHERE project = :project',
  all: 'WHERE true',
};

const claimableBy = (byTask: boolean, target: string) =>
  `FROM handoffs INDEXED BY ${byTask ? 'handoffs_open_by_task' : 'handoffs_open_by_target'} WHERE project = :project
  AND ${byTask ? 'task_id = :task_id AND consumed = 0' : "state = 'open'"} AND ${target} AND ${available(':now')}
  AND (kind = :kind OR :kind IS NULL) AND ${inScope({ isBelow, isAmong })} AND NOT ${isAmong('id', 'excluded')}`;

const claimable = (byTask: boolean) =>
  ['target_agent = :holder', 'target_agent IS NULL'].map((target) => claimableBy(byTask, target));

/**
 * The oldest that the claimer may take: handoffs addressed to it and handoffs without a receiver, merged as both are read.
 *
 * @param isOne - whether it is one alone: a limit that the planner knows is found four times as fast.
 */
export const selectOldest = (byTask: boolean, isOne: boolean) => `
${claimable(byTask)
  .map((rows) => `SELECT ${handoffColumns} ${rows}`)
  .join('\nUNION ALL\n')}
ORDER BY seq ${isOne ? 'LIMIT 1' : upTo('max')}`;

const [ofAny, ofTask] = [false, true].map((byTask) => [selectOldest(byTask, true), selectOldest(byTask, false)]);

function oldest(request: ClaimRequest, claimer: Claimer): Work<readonly ReadRow[]> {
  const { task_id, max } = request;
  const [one = '', many = ''] = (task_id === undefined ? ofAny : ofTask) ?? [];
  return all(max === 1 ? one : many, { ...queueParameters(request, claimer), max });
}

/** Every statement of the store that is not above. */
export const sqliteStatements = createStatements({
  isAmong,
  isBelow,
  holdsText: `(:text IS NULL OR CASE WHEN json_valid(content) THEN
    instr(lower(content ->> '$.title'), :text) > 0 OR instr(lower(content ->> '$.summary'), :text) > 0 END)`,
  namesFile: `(:file IS NULL OR CASE WHEN json_valid(content) THEN EXISTS (
    SELECT 1 FROM json_each(content, '$.files') AS each WHERE instr(each.value ->> '$.path', :file) = 1) END)`,
  place: 'seq',
  line: 'seq',
  from: (rows) => `FROM handoffs ${conditions[rows]}`,
  deliveries: 'handoffs',
  isOpen: "state = 'open'",
  forUpdate: '',
  given,
  selectHandoff,
  lock: (id) => ({ sql: selectHandoff, parameters: { id } }),
  insertHandoffs: `INSERT INTO handoffs (${addedColumns.join(', ')}) ${given(addedColumns)}`,
  updateDeliveries: (columns) => `UPDATE handoffs SET ${assigned(columns)} ${guarded}`,
  updateContents: `UPDATE handoffs SET ${assigned([...deliveryColumns, ...contentColumns])} ${guarded}`,
  insertEvents: `INSERT INTO events (${eventColumns.join(', ')}) ${given(eventColumns)}`,
  deleteFinal: `
DELETE FROM handoffs WHERE id = :id AND version = :version
  AND state IN ('acknowledged', 'dead', 'withdrawn', 'expired') RETURNING id`,
  oldest,
  claimable,
  placeLines: function* () {},
});
