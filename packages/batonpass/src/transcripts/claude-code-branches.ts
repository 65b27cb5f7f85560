import type { ClaudeCodeRow } from './claude-code-rows.ts';

/**
 * The rows that belong to the conversation as it stands: a prompt that was rewound, and all that followed it, does not.
 * Rows keep the file's order. Time and memory grow linearly with the rows.
 *
 * Each tree of rows (a session that was compacted has several) is followed from its last row upwards. Rows beside
 * that path stay where they are no branch: parts of one answer, and results of tools that ran at the same time.
 */
export function selectCurrentBranch(rows: readonly ClaudeCodeRow[]): ClaudeCodeRow[] {
  const byId = new Map<string, ClaudeCodeRow>();
  for (const row of rows) if (row.uuid !== undefined) byId.set(row.uuid, row);
  const current = markCurrent(rows, byId);
  const answers = new Set(rows.flatMap((row) => (current.has(row) && row.message_id ? [row.message_id] : [])));
  const calls = new Set<string>();
  return rows.filter((row) => {
    const isPart = row.message_id !== undefined && answers.has(row.message_id);
    const isResult = row.results.some(({ id }) => calls.has(id));
    if (!current.has(row) && !isPart && !isResult) return false;
    for (const { id } of row.calls) calls.add(id);
    return true;
  });
}

/** From the last row to the first: a row whose tree is not yet followed starts that tree's path. */
function markCurrent(rows: readonly ClaudeCodeRow[], byId: ReadonlyMap<string, ClaudeCodeRow>): Set<ClaudeCodeRow> {
  const roots = findRoots(rows, byId);
  const followed = new Set<ClaudeCodeRow>();
  const current = new Set<ClaudeCodeRow>();
  for (const leaf of rows.toReversed()) {
    const root = roots.get(leaf);
    if (leaf.role === undefined || root === undefined || followed.has(root)) continue;
    followed.add(root);
    let row: ClaudeCodeRow | undefined = leaf;
    while (row !== undefined && !current.has(row)) {
      current.add(row);
      row = row.parent === undefined ? undefined : byId.get(row.parent);
    }
  }
  return current;
}

/** The topmost known row above each row; a circle, which only a broken file has, ends where it closes. */
function findRoots(
  rows: readonly ClaudeCodeRow[],
  byId: ReadonlyMap<string, ClaudeCodeRow>,
): Map<ClaudeCodeRow, ClaudeCodeRow> {
  const roots = new Map<ClaudeCodeRow, ClaudeCodeRow>();
  for (const start of rows) {
    const path = new Set<ClaudeCodeRow>();
    let top = start;
    while (!roots.has(top) && !path.has(top)) {
      path.add(top);
      top = (top.parent === undefined ? undefined : byId.get(top.parent)) ?? top;
    }
    const root = roots.get(top) ?? top;
    for (const row of path) roots.set(row, root);
  }
  return roots;
}
