import { createHmac } from 'node:crypto';
import { lstatSync, readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { z } from 'zod';
import { removeFile, writeWhole } from '../disk/write-whole.ts';
import type { OperationContext } from './context.ts';
import { databasePath } from './store/store-file.ts';

const runningServerSchema = z.strictObject({
  /** On this machine: a server that is found by its file always listens here. */
  url: z.string().regex(/^http:\/\/(?:127(?:\.\d{1,3}){3}|localhost|\[::1\]):\d{1,5}$/),
  pid: z.int().min(1),
  /** The token of this user's programs. */
  token: z.string().min(1),
});

/** The address of this user's server of a store; readable by its user alone (0600). */
export type RunningServer = z.output<typeof runningServerSchema>;

type StorePlace = Pick<OperationContext, 'store_url'>;

/** The file in which a server records its address, next to its store; undefined for a store that is no file. */
function runningServerPath(context: StorePlace): string | undefined {
  const path = databasePath(context);
  return path === undefined ? undefined : `${resolve(path)}.server.json`;
}

/** The record of the last server of this store, or null. Only an answer of the server shows whether it still runs. */
export function readRunningServer(context: StorePlace): RunningServer | null {
  const path = runningServerPath(context);
  try {
    if (path === undefined || !isOwnFile(path)) return null;
    return runningServerSchema.parse(JSON.parse(readFileSync(path, 'utf8')));
  } catch {
    // Absent, or of another version: a server that is not found is no failure, another one is started.
    return null;
  }
}

/** Whether only this user can have written it: a repository or a shared folder may contain a file of this name. */
function isOwnFile(path: string): boolean {
  const file = lstatSync(path);
  return file.isFile() && file.uid === process.getuid?.() && (file.mode & 0o077) === 0;
}

/**
 * The answer to a challenge that only the server that wrote the file can give, without the token being sent: its token is
 * the secret of this one start. The port is part of it, so that nobody can forward another server's answer.
 */
export function proveServer(token: string, { port, nonce }: { port: number; nonce: string }): string {
  return createHmac('sha256', token).update(`baton server ${port} ${nonce}`).digest('base64url');
}

/** Writes a server's record. A crash of the server leaves the file, which then leads nowhere. */
export function writeRunningServer(context: StorePlace, server: RunningServer): void {
  const path = runningServerPath(context);
  if (path !== undefined) writeWhole(path, Buffer.from(`${JSON.stringify(server)}\n`), 0o600);
}

/** Removes the record, unless a later server has written its own. */
export function forgetRunningServer(context: StorePlace, { token }: RunningServer): void {
  const path = runningServerPath(context);
  if (path !== undefined && readRunningServer(context)?.token === token) removeFile(path);
}
