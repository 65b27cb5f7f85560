import { createReadStream } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { asObject, asText, type JsonObject, parseLine } from './json-value.ts';
import {
  type FoundSession,
  headBytes,
  isInside,
  listNames,
  lookAt,
  readHeadConversation,
  titleOf,
} from './session-head.ts';
import { readLines } from './transcript-lines.ts';

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
      const facts = file === undefined ? undefined : await readFacts(file.path).catch(() => undefined);
      if (file === undefined || facts === undefined || (facts.kind !== undefined && facts.kind !== 'main')) continue;
      const started_at = asText(facts.startTime);
      sessions.push({
        ...file,
        host: 'gemini-cli',
        session: asText(facts.sessionId) ?? basename(chat, '.jsonl'),
        cwd,
        ...(started_at !== undefined && { started_at }),
        title: titleOf(await readHeadConversation(file)),
      });
    }
  }
  return sessions;
}

/** The facts that a chat file begins with. */
async function readFacts(path: string): Promise<JsonObject | undefined> {
  for await (const { text } of readLines(createReadStream(path, { end: headBytes - 1 }))) {
    const row = asObject(parseLine(text ?? ''));
    return asText(row?.projectHash) === undefined ? undefined : row;
  }
  return undefined;
}
