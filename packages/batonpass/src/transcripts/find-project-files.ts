import { basename, join } from 'node:path';
import {
  type FoundSession,
  listNames,
  lookAt,
  readHeadConversation,
  readTail,
  readText,
  titleOf,
} from './session-head.ts';

/**
 * The exports of SpecStory that lie in a folder of the project. When they were said is told by their headings: the time
 * of a file that came with a clone is that of the clone.
 */
export async function findSpecStorySessions(root: string): Promise<FoundSession[]> {
  const folder = join(root, '.specstory', 'history');
  const sessions: FoundSession[] = [];
  for (const name of await listNames(folder)) {
    const file = name.endsWith('.md') ? await lookAt(join(folder, name)) : undefined;
    const conversation = file === undefined ? undefined : await readHeadConversation(file);
    if (file === undefined || conversation === undefined) continue;
    const last = await readText(await readTail(file, /^_\*\*/m), name);
    const { started_at } = conversation;
    sessions.push({
      ...file,
      modified_at: last?.ended_at ?? conversation.ended_at ?? file.modified_at,
      host: conversation.host,
      session: conversation.session ?? basename(name, '.md'),
      cwd: root,
      ...(started_at !== undefined && { started_at }),
      title: titleOf(conversation),
    });
  }
  return sessions;
}

/** aider's history in a folder of the project: one file of all its runs, of which the last counts. */
export async function findAiderSessions(root: string): Promise<FoundSession[]> {
  const file = await lookAt(join(root, '.aider.chat.history.md'));
  if (file === undefined) return [];
  const conversation = await readText(await readTail(file, /^# aider chat started at /m), file.path);
  const session = conversation?.session ?? 'aider';
  return [{ ...file, host: 'aider', session, cwd: root, title: titleOf(conversation) }];
}
