import { createReadStream } from 'node:fs';
import { open, readdir, stat } from 'node:fs/promises';
import type { Conversation } from '../core/conversation.ts';
import { asObject, type JsonObject, parseLine } from './json-value.ts';
import { readTranscript } from './read-transcript.ts';
import { toRequestTitle } from './session-title.ts';
import { readLines } from './transcript-lines.ts';

/** A transcript of a project, as a list shows it. */
export interface FoundSession {
  path: string;
  host: string;
  session: string;
  /** The folder that it was held in: the project, a folder below it, or a worktree. */
  cwd: string;
  /** ISO 8601; of the first row that has a time. */
  started_at?: string;
  /** ISO 8601; of the file, or of the last message of an export that has its times. */
  modified_at: string;
  bytes: number;
  /** The user's first words in one line, secrets masked; empty where the file's beginning has none. */
  title: string;
}

/** Of each file only this much is read: the first rows name the folder and what was asked. */
export const headBytes = 256 * 1024;

/** A file as the list needs it. */
export interface SessionFile {
  path: string;
  bytes: number;
  modified_at: string;
}

/** The file, or nothing where it is none or cannot be read. */
export async function lookAt(path: string): Promise<SessionFile | undefined> {
  const file = await stat(path).catch(() => undefined);
  if (file === undefined || !file.isFile()) return undefined;
  return { path, bytes: file.size, modified_at: file.mtime.toISOString() };
}

/** The names in a folder; one that is not there, or not ours to read, holds no session of this project. */
export async function listNames(folder: string): Promise<string[]> {
  return await readdir(folder).catch(() => []);
}

/** The conversation that the whole lines of a file's beginning hold; nothing where they hold none. */
export async function readHeadConversation({ path, bytes }: SessionFile): Promise<Conversation | undefined> {
  const parts: Buffer[] = [];
  const stream = createReadStream(path, { end: headBytes - 1 });
  try {
    for await (const part of stream) parts.push(part as Buffer);
  } catch {
    // It was there when the folder was listed, and was removed since: it is no longer a session.
    return undefined;
  }
  const head = Buffer.concat(parts);
  const end = bytes > head.byteLength ? head.lastIndexOf(10) + 1 : head.byteLength;
  return await readText(head.toString('utf8', 0, end), path);
}

/** The last bytes of a file as text, from the first place where a pattern matches; empty where it does not. */
export async function readTail({ path, bytes }: SessionFile, from: RegExp): Promise<string> {
  const handle = await open(path, 'r').catch(() => undefined);
  if (handle === undefined) return '';
  try {
    const length = Math.min(headBytes, bytes);
    const { buffer, bytesRead } = await handle.read(Buffer.alloc(length), 0, length, bytes - length);
    const text = buffer.toString('utf8', 0, bytesRead);
    const at = text.search(from);
    return at === -1 ? '' : text.slice(at);
  } finally {
    await handle.close();
  }
}

/** The row that a file of JSON lines begins with; nothing where it is none or cannot be read. */
export async function readFirstRow(path: string): Promise<JsonObject | undefined> {
  try {
    for await (const { text } of readLines(createReadStream(path, { end: headBytes - 1 }))) {
      return asObject(parseLine(text ?? ''));
    }
  } catch {
    // As above: it is no longer a session.
  }
  return undefined;
}

/** The conversation of a text; nothing where it holds none. */
export async function readText(text: string, name: string): Promise<Conversation | undefined> {
  // A list shows what can be read; an import reports what cannot.
  return await readTranscript({ text, name }).catch(() => undefined);
}

/** A conversation's first request of the user that names the work, as a title. */
export function titleOf(conversation: Conversation | undefined): string {
  return toRequestTitle(conversation?.messages.flatMap(({ role, text }) => (role === 'user' ? text : [])) ?? []);
}

/** Whether a folder is one of these or below one. */
export function isInside(cwd: string, roots: readonly string[]): boolean {
  return roots.some((root) => cwd === root || cwd.startsWith(`${root}/`) || cwd.startsWith(`${root}\\`));
}
