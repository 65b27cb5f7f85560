import { basename, join } from 'node:path';
import { limits } from '../core/limits.ts';
import { asObject, asText } from './json-value.ts';
import {
  type FoundSession,
  isInside,
  listNames,
  lookAt,
  readFirstRow,
  readHeadConversation,
  titleOf,
} from './session-head.ts';

/**
 * The Codex rollouts of a project: those whose own facts name its folder. They are stored by days, for all projects together; the
 * newest `limits.codex_rollouts_max` are read.
 *
 * @param folder - the host's folder, `~/.codex`.
 */
export async function findCodexSessions(folder: string, roots: readonly string[]): Promise<FoundSession[]> {
  const sessions: FoundSession[] = [];
  for (const path of await listRollouts(join(folder, 'sessions'))) {
    const row = await readFirstRow(path);
    const meta = row?.type === 'session_meta' ? asObject(row.payload) : undefined;
    const cwd = asText(meta?.cwd);
    // What a helper of another session did is that session's.
    const isHelper = asObject(asObject(meta?.source)?.subagent) !== undefined || meta?.thread_source === 'subagent';
    const file = cwd === undefined || isHelper || !isInside(cwd, roots) ? undefined : await lookAt(path);
    if (cwd === undefined || file === undefined) continue;
    const conversation = await readHeadConversation(file);
    const started_at = conversation?.started_at;
    sessions.push({
      ...file,
      host: 'codex',
      session: asText(meta?.id) ?? basename(path, '.jsonl'),
      cwd,
      ...(started_at !== undefined && { started_at }),
      title: titleOf(conversation),
    });
  }
  return sessions;
}

/** Files at `YYYY/MM/DD`, the newest first. */
async function listRollouts(folder: string): Promise<string[]> {
  const rollouts: string[] = [];
  const descending = async (path: string, pattern: RegExp) =>
    (await listNames(path))
      .filter((name) => pattern.test(name))
      .sort()
      .reverse();
  for (const year of await descending(folder, /^\d{4}$/)) {
    for (const month of await descending(join(folder, year), /^\d\d$/)) {
      for (const day of await descending(join(folder, year, month), /^\d\d$/)) {
        const names = await descending(join(folder, year, month, day), /^rollout-.*\.jsonl$/);
        rollouts.push(...names.map((name) => join(folder, year, month, day, name)));
        if (rollouts.length >= limits.codex_rollouts_max) return rollouts.slice(0, limits.codex_rollouts_max);
      }
    }
  }
  return rollouts;
}
