import { appendFileSync, mkdirSync, readFileSync, renameSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { z } from 'zod';
import { limits } from '../../core/limits.ts';

const hookRunSchema = z.strictObject({
  /** ISO 8601. */
  at: z.string(),
  event: z.string(),
  session: z.string().optional(),
  /** The folder that it worked in. */
  cwd: z.string().optional(),
  took_ms: z.number(),
  /** Its result, in words. */
  outcome: z.string(),
  handoff_id: z.string().optional(),
  /** Absent where all went well. */
  error: z.strictObject({ code: z.string(), message: z.string() }).optional(),
});

/** One run of a hook, as it recorded it: hosts drop errors silently. */
export type HookRun = z.infer<typeof hookRunSchema>;

/** Adds a run to the log of a workspace. @param own - the folder of Baton's own files for it. */
export function logHookRun(own: string, run: HookRun): void {
  appendLine(pathIn(own), JSON.stringify(run), { bytes_max: limits.hook_log_bytes_max, mode: 0o600 });
}

/** The runs that are still in the log, oldest first; torn lines are left out. */
export function readHookRuns(own: string): HookRun[] {
  return [`${pathIn(own)}.1`, pathIn(own)].flatMap((path) => readLines(path).flatMap(parseRun));
}

function pathIn(own: string): string {
  return join(own, 'hooks.jsonl');
}

function readLines(path: string): string[] {
  try {
    return readFileSync(path, 'utf8').split('\n');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return [];
    throw error;
  }
}

function parseRun(line: string): HookRun[] {
  try {
    return [hookRunSchema.parse(JSON.parse(line))];
  } catch {
    // A line that a crash left torn, or one of another version, is skipped.
    return [];
  }
}

/**
 * Adds a line to a file that never grows much beyond a size: a full one moves aside, in place of the one that moved
 * before it. Not synced: a power cut loses the newest lines.
 *
 * @param mode - permissions of the file; its folder, where it is absent, is for its owner alone.
 */
function appendLine(path: string, line: string, { bytes_max, mode }: { bytes_max: number; mode: number }): void {
  mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
  const { size = 0 } = statSync(path, { throwIfNoEntry: false }) ?? {};
  if (size > bytes_max) renameSync(path, `${path}.1`);
  appendFileSync(path, `${line}\n`, { mode });
}
