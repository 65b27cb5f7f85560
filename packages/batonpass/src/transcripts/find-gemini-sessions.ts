import { readFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { asText } from './json-value.ts';
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
 * The chat files of Gemini CLI of a project. Each folder of chats names the folder that it belongs to; helpers of a
 * session have files of their own, which are that session's.
 *
 * @param folder - the host's folder, `~/.gemini`.
 */
export async function findGeminiSessions(folder: string, roots: readonly string[]): Promise<FoundSession[]> {
  const sessions: FoundSession[] = [];
  for (const name of await listNames(join(folder, 'tmp'))) {
    const own = join(folder, 'tmp', name);
    const cwd = (await readFile(join(own, '.project_root'), 'utf8').catch(() => '')).trim();
    if (cwd === '' || !isInside(cwd, roots)) continue;
    for (const chat of await listNames(join(own, 'chats'))) {
      const file = /^session-.*\.jsonl$/.test(chat) ? await lookAt(join(own, 'chats', chat)) : undefined;
      const facts = file && (await readFirstRow(file.path));
      if (
        file === undefined ||
        asText(facts?.projectHash) === undefined ||
        (facts?.kind !== undefined && facts.kind !== 'main')
      )
        continue;
      const started_at = asText(facts?.startTime);
      sessions.push({
        ...file,
        host: 'gemini-cli',
        session: asText(facts?.sessionId) ?? basename(chat, '.jsonl'),
        cwd,
        ...(started_at !== undefined && { started_at }),
        title: titleOf(await readHeadConversation(file)),
      });
    }
  }
  return sessions;
}
