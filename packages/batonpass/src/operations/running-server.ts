import { createHmac } from 'node:crypto';
import { lstatSync, readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { z } from 'zod';
import { removeFile, writeWhole } from '../disk/write-whole.ts';
import type { OperationContext } from './context.ts';
import { databasePath } from './store/store-file.ts';

const runningServerSchema = z.strictObject({
  /** On this machine: a server that is found by its file never listens elsewhere. */
  url: z.string().regex(/^http:\/\/(?:127(?:\.\d{1,3}){3}|localhost|\[::1\]):\d{1,5}$/),
  pid: z.int().min(1),
  /** By which this user's programs are let in. */
  token: z.string().min(1),
});

/** Where this user's server of a store listens; for its user alone (0600). */
export type RunningServer = z.output<typeof runningServerSchema>;

type StorePlace = Pick<OperationContext, 'store_url'>;

/** The file in which a server says where it is, beside its store; undefined for a store that is no file. */
function runningServerPath(context: StorePlace): string | undefined {
  const path = databasePath(context);
  return path === undefined ? undefined : `${resolve(path)}.server.json`;
}

/** What the last server of this store left word of, or null. Whether it still runs only an answer of it can say. */
export function readRunningServer(context: StorePlace): RunningServer | null {
  const path = runningServerPath(context);
  if (path === undefined) return null;
  try {
    if (!isOwnFile(path)) return null;
    return runningServerSchema.parse(JSON.parse(readFileSync(path, 'utf8')));
  } catch {
    // Absent, or of another version: a server that nobody finds is no failure, another one is begun.
    return null;
  }
}

/** Whether nobody else can have written it: a repository or a shared folder may bring a file of this name. */
function isOwnFile(path: string): boolean {
  const file = lstatSync(path);
  return file.isFile() && file.uid === process.getuid?.() && (file.mode & 0o077) === 0;
}

/**
 * What only the server that wrote the file can answer to a challenge, without the token being sent: its token is the
 * secret of this one start. The port is part of it, so that nobody passes on another server's answer.
 */
export function proveServer(token: string, { port, nonce }: { port: number; nonce: string }): string {
  return createHmac('sha256', token).update(`baton server ${port} ${nonce}`).digest('base64url');
}

/** Leaves word of a server. A crash of it leaves the file, which then leads nowhere. */
export function writeRunningServer(context: StorePlace, server: RunningServer): void {
  const path = runningServerPath(context);
  if (path !== undefined) writeWhole(path, Buffer.from(`${JSON.stringify(server)}\n`), 0o600);
}

/** Takes the word back, unless a later server has left its own. */
export function forgetRunningServer(context: StorePlace, { token }: RunningServer): void {
  const path = runningServerPath(context);
  if (path !== undefined && readRunningServer(context)?.token === token) removeFile(path);
}
