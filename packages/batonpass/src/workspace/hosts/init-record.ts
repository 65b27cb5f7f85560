import { mkdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { z } from 'zod';
import { sha256Hex } from '../../core/canonical-json.ts';
import { removeFile, writeWhole } from '../../disk/write-whole.ts';
import { ownFolder, stateFolder } from '../place.ts';
import type { Workspace } from '../project-identity.ts';

const recordSchema = z.strictObject({
  schema: z.literal(1),
  /** The file that was written, links followed. */
  target: z.string(),
  /** Its bytes before, in base64; null where it did not exist. */
  former: z.string().nullable(),
  /** Of the bytes that were written: while the file still has them, undoing is exact. */
  left_sha256: z.string(),
  /** Folders that were made for it, the outermost first. */
  folders: z.array(z.string()),
});

/** What was done to one file, so that it can be undone. */
export type InitRecord = z.infer<typeof recordSchema>;

/**
 * The path of a file's record. A project's is in git's common folder, or outside git in the user's state folder; a
 * user's own settings have theirs there too, in whatever project the command was run.
 */
export function placeOfRecord(target: string, workspace: Workspace | null, environment: NodeJS.ProcessEnv): string {
  const base = workspace === null ? stateFolder(environment) : ownFolder(workspace, environment);
  return join(base, 'init', `${sha256Hex(target).slice(0, 24)}.json`);
}

/** @returns null where there is none, or none that can be read: undoing then removes entries one by one. */
export function readRecord(place: string): InitRecord | null {
  try {
    return recordSchema.parse(JSON.parse(readFileSync(place, 'utf8')));
  } catch {
    // A record only makes undoing exact; without it nothing is lost that is not Baton's own.
    return null;
  }
}

/**
 * Stores a record, readable by its owner alone, since settings can contain secrets; null removes it.
 *
 * @throws the system's error; the record is as it was then.
 */
export function writeRecord(place: string, record: InitRecord | null): void {
  if (record !== null) {
    mkdirSync(dirname(place), { recursive: true, mode: 0o700 });
    writeWhole(place, Buffer.from(JSON.stringify(record)), 0o600);
  } else if (readRecord(place) !== null) removeFile(place);
}
