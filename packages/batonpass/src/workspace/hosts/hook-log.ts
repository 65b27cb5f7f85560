import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import { limits } from '../../core/limits.ts';
import { appendLine } from '../../disk/append-line.ts';

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
