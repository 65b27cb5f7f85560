import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { join, parse } from 'node:path';
import type { Conversation } from '../core/conversation.ts';
import { limits } from '../core/limits.ts';
import { readInstant } from './claude-code-rows.ts';
import { asObject, asObjects, asText, type JsonObject, parseLine } from './json-value.ts';
import {
  type FoundSession,
  isInside,
  listNames,
  lookAt,
  readFirstRow,
  readHeadConversation,
  readText,
  type SessionFile,
  titleOf,
} from './session-head.ts';

/** Of an older chat's messages only so many are read for its title. */
const titleMessagesMax = 20;

/**
 * The chat files of Gemini CLI of a project. Each folder of chats names the folder that it belongs to; an older one has
 * the hash of that folder as its name. Helpers of a session have files of their own, which are that session's.
 *
 * @param folder - the host's folder, `~/.gemini`.
 */
export async function findGeminiSessions(folder: string, roots: readonly string[]): Promise<FoundSession[]> {
  const rootByHash = new Map(roots.map((root) => [createHash('sha256').update(root).digest('hex'), root]));
  const sessions = new Map<string, FoundSession>();
  for (const name of await listNames(join(folder, 'tmp'))) {
    const own = join(folder, 'tmp', name);
    const named = (await readFile(join(own, '.project_root'), 'utf8').catch(() => '')).trim();
    const cwd = named === '' ? rootByHash.get(name) : named;
    if (cwd === undefined || !isInside(cwd, roots)) continue;
    for (const chat of await listNames(join(own, 'chats'))) {
      const found = await readChat(join(own, 'chats', chat), cwd);
      if (found === undefined) continue;
      // The host copies older chats to their folder's new name, and continues one in a file of the newer form.
      const same = sessions.get(found.session);
      if (same === undefined || same.modified_at < found.modified_at) sessions.set(found.session, found);
    }
  }
  return [...sessions.values()];
}

async function readChat(path: string, cwd: string): Promise<FoundSession | undefined> {
  const { name, ext } = parse(path);
  const isRows = ext === '.jsonl';
  if (!name.startsWith('session-') || (!isRows && ext !== '.json')) return undefined;
  const file = await lookAt(path);
  const facts = file && (isRows ? await readFirstRow(path) : await readDocument(file));
  if (file === undefined || facts === undefined || asText(facts.projectHash) === undefined) return undefined;
  if (facts.kind !== undefined && facts.kind !== 'main') return undefined;
  const started_at = asText(facts.startTime);
  return {
    ...file,
    // A copy has the time of the copying.
    modified_at: (isRows ? undefined : readInstant(facts.lastUpdated)) ?? file.modified_at,
    host: 'gemini-cli',
    session: asText(facts.sessionId) ?? name,
    cwd,
    ...(started_at !== undefined && { started_at }),
    title: titleOf(isRows ? await readHeadConversation(file) : await readBeginning(facts, path)),
  };
}

/** An older chat: one document, which holds the session's facts and the list of its messages. */
async function readDocument({ path, bytes }: SessionFile): Promise<JsonObject | undefined> {
  if (bytes > limits.transcript_line_bytes_max) return undefined;
  return asObject(parseLine(await readFile(path, 'utf8').catch(() => '')));
}

async function readBeginning(document: JsonObject, path: string): Promise<Conversation | undefined> {
  const messages = asObjects(document.messages).slice(0, titleMessagesMax);
  return await readText(JSON.stringify({ ...document, messages }), path);
}
