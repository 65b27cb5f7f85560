import type { ClaudeCodeRow } from './claude-code-rows.ts';

/** No row, where a row is named by its place. */
const none = -1;

/**
 * The rows of the current conversation: a prompt that was rewound, and all that followed it, is not a part of it.
 * Rows keep the file's order, except that none comes before its parent, and none comes twice. Time and memory grow
 * linearly with the rows.
 *
 * Each tree of rows (a session that was compacted has several) is followed from its last row upwards. Rows next to
 * that path stay where they are no branch: parts of one answer, and results of tools that ran at the same time.
 */
export function selectCurrentBranch(given: readonly ClaudeCodeRow[]): ClaudeCodeRow[] {
  const { unique, parents } = dropRepeated(given);
  const isInOrder = parents.every((parent, place) => parent < place);
  const rows = isInOrder ? unique : orderByParents(unique, parents);
  const current = markCurrent(rows, isInOrder ? parents : findParents(rows, placesOf(rows)));
  const answers = new Set<string>();
  for (const [place, row] of rows.entries()) {
    if (row.message_id !== undefined && current[place] === 1) answers.add(row.message_id);
  }
  const calls = new Set<string>();
  return rows.filter((row, place) => {
    const isPart = row.message_id !== undefined && answers.has(row.message_id);
    const isResult = row.results.some(({ id }) => calls.has(id));
    if (current[place] !== 1 && !isPart && !isResult) return false;
    for (const { id } of row.calls) calls.add(id);
    return true;
  });
}

/** The rows, each once, and their parents' places: a session that is taken up again may repeat rows. */
function dropRepeated(rows: readonly ClaudeCodeRow[]): { unique: readonly ClaudeCodeRow[]; parents: Int32Array } {
  const places = new Map<string, number>();
  const repeated = new Set<ClaudeCodeRow>();
  for (const [place, row] of rows.entries()) {
    if (row.uuid === undefined) continue;
    const twin = rows[places.get(row.uuid) ?? none];
    if (twin !== undefined && isSame(twin, row)) repeated.add(row);
    else places.set(row.uuid, place);
  }
  // One table for both: that of a long transcript takes ten megabytes.
  if (repeated.size === 0) return { unique: rows, parents: findParents(rows, places) };
  const unique = rows.filter((row) => !repeated.has(row));
  return { unique, parents: findParents(unique, placesOf(unique)) };
}

function isSame(one: ClaudeCodeRow, other: ClaudeCodeRow): boolean {
  return one.role === other.role && one.text === other.text && one.parent === other.parent && one.at === other.at;
}

function placesOf(rows: readonly ClaudeCodeRow[]): Map<string, number> {
  const places = new Map<string, number>();
  for (const [place, { uuid }] of rows.entries()) if (uuid !== undefined) places.set(uuid, place);
  return places;
}

/** For each row the place of its parent: numbers, because a map of rows would need as much memory as they do. */
function findParents(rows: readonly ClaudeCodeRow[], places: ReadonlyMap<string, number>): Int32Array {
  return Int32Array.from(rows, ({ parent }) => (parent === undefined ? none : (places.get(parent) ?? none)));
}

/** The rows with each after its parent: concurrent writers may append a row late. */
function orderByParents(rows: readonly ClaudeCodeRow[], parents: Int32Array): ClaudeCodeRow[] {
  const placed = new Set<number>();
  for (const start of rows.keys()) {
    const chain = new Set<number>();
    let next = start;
    while (next !== none && !placed.has(next) && !chain.has(next)) {
      chain.add(next);
      next = parents[next] ?? none;
    }
    // A circle has no first row: its rows stay where they are.
    for (const place of chain.has(next) ? [start] : [...chain].reverse()) placed.add(place);
  }
  return [...placed].flatMap((place) => rows[place] ?? []);
}

/** From the last row to the first: a row whose tree is not yet followed starts that tree's path. 1 is on a path. */
function markCurrent(rows: readonly ClaudeCodeRow[], parents: Int32Array): Uint8Array {
  const roots = findRoots(parents);
  const followed = new Uint8Array(rows.length);
  const current = new Uint8Array(rows.length);
  for (let leaf = rows.length - 1; leaf >= 0; leaf -= 1) {
    const root = roots[leaf] ?? leaf;
    if (rows[leaf]?.role === undefined || followed[root] === 1) continue;
    followed[root] = 1;
    for (let place = leaf; place !== none && current[place] !== 1; place = parents[place] ?? none) current[place] = 1;
  }
  return current;
}

/** The topmost known row above each row; a circle, which only a broken file has, ends where it closes. */
function findRoots(parents: Int32Array): Int32Array {
  const roots = new Int32Array(parents.length).fill(none);
  for (const [place, parent] of parents.entries()) {
    if (roots[place] !== none) continue;
    const known = parent === none ? place : (roots[parent] ?? none);
    if (known === none) followCircle(place, parents, roots);
    else roots[place] = known;
  }
  return roots;
}

/** Parents come before their rows, except in a circle. */
function followCircle(start: number, parents: Int32Array, roots: Int32Array): void {
  const path = new Set<number>();
  let top = start;
  while (roots[top] === none && !path.has(top)) {
    path.add(top);
    const parent = parents[top] ?? none;
    if (parent !== none) top = parent;
  }
  const known = roots[top] ?? none;
  for (const place of path) roots[place] = known === none ? top : known;
}
