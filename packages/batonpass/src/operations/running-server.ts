import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { z } from 'zod';
import { removeFile, writeWhole } from '../disk/write-whole.ts';
import type { OperationContext } from './context.ts';
import { databasePath } from './doctor/diagnose-place.ts';

const runningServerSchema = z.strictObject({
  url: z.url(),
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
    return runningServerSchema.parse(JSON.parse(readFileSync(path, 'utf8')));
  } catch {
    // Absent, or of another version: a server that nobody finds is no failure, another one is begun.
    return null;
  }
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
