/**
 * For SQL written for source 3's table, which asks for `task_id = ? AND consumed = 0`: the index that serves the claim
 * of a task answers it too, so that no create or claim pays for another one.
 */
export const taskReadsMigration = `
DROP INDEX handoffs_open_by_task;
CREATE INDEX handoffs_open_by_task ON handoffs (task_id, project, target_agent, seq)
  WHERE consumed = 0 AND task_id IS NOT NULL;
`;
