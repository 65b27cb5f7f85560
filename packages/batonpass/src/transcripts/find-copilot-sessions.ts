import { basename, dirname, join } from 'node:path';
import { type FoundSession, isInside, listNames, lookAt, readHeadConversation, titleOf } from './session-head.ts';

/**
 * The sessions of Copilot CLI in a project: those whose first event names its folder.
 *
 * @param folder - the host's folder, `~/.copilot`.
 */
export async function findCopilotSessions(folder: string, roots: readonly string[]): Promise<FoundSession[]> {
  const states = join(folder, 'session-state');
  const sessions: FoundSession[] = [];
  for (const name of await listNames(states)) {
    const file = await lookAt(join(states, name, 'events.jsonl'));
    const conversation = file && (await readHeadConversation(file));
    const cwd = conversation?.cwd;
    if (file === undefined || cwd === undefined || !isInside(cwd, roots)) continue;
    const { started_at, session = basename(dirname(file.path)) } = conversation ?? {};
    const title = titleOf(conversation);
    sessions.push({
      ...file,
      host: 'copilot-cli',
      session,
      cwd,
      ...(started_at !== undefined && { started_at }),
      title,
    });
  }
  return sessions;
}
