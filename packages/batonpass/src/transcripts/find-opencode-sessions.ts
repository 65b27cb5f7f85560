import { join } from 'node:path';
import { listStored } from './opencode-store.ts';
import { type FoundSession, isInside } from './session-head.ts';
import { toTitle } from './session-title.ts';

/**
 * The sessions of OpenCode in a project, each by a path within the host's database.
 *
 * @param folder - the folder of programs' data, `~/.local/share`.
 */
export async function findOpenCodeSessions(folder: string, roots: readonly string[]): Promise<FoundSession[]> {
  const database = join(folder, 'opencode', 'opencode.db');
  const sessions = (await listStored(database)).filter(({ directory }) => isInside(directory, roots));
  return sessions.map(({ id, directory, created_ms, updated_ms, bytes, first }) => ({
    path: join(database, id),
    bytes,
    modified_at: new Date(updated_ms).toISOString(),
    host: 'opencode',
    session: id,
    cwd: directory,
    started_at: new Date(created_ms).toISOString(),
    title: toTitle(first),
  }));
}
