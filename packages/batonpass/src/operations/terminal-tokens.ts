import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join, parse } from 'node:path';
import { z } from 'zod';
import { sha256Hex } from '../core/canonical-json.ts';
import type { Handoff } from '../core/handoff.ts';
import { replaceFile } from '../disk/replace-file.ts';
import { stateFolder } from '../workspace/place.ts';

/** Tokens are kept only for a terminal's last claims: older leases have long ended. */
const KEPT_MAX = 20;

/** The claims at a terminal, the newest first. */
const keptSchema = z.array(z.object({ id: z.string(), token: z.string() }));

/**
 * Keeps the token of a claimed handoff for the terminal that this process reads from, so that a person there need not
 * type it. Only its owner can read the file; where it cannot be written, and without a terminal, nothing is kept.
 *
 * @returns whether the next command at this terminal finds it.
 */
export function keepToken({ id, delivery }: Handoff, environment: NodeJS.ProcessEnv): boolean {
  const file = fileOfTerminal(environment);
  const token = delivery.lease?.token;
  if (file === undefined || token === undefined) return false;
  const others = readTokens(file).filter((each) => each.id !== id);
  try {
    replaceFile(file, `${JSON.stringify([{ id, token }, ...others].slice(0, KEPT_MAX))}\n`, 0o600);
    return true;
  } catch {
    // The answer of the claim shows the token: nothing is lost.
    return false;
  }
}

/** The token of a handoff that was claimed at this terminal; `id` may be the last characters of one. */
export function findToken(id: string, environment: NodeJS.ProcessEnv): string | undefined {
  const file = fileOfTerminal(environment);
  if (file === undefined) return undefined;
  return readTokens(file).find((each) => each.id.endsWith(id.toUpperCase()))?.token;
}

function readTokens(file: string): z.output<typeof keptSchema> {
  try {
    return keptSchema.parse(JSON.parse(readFileSync(file, 'utf8')));
  } catch {
    // No token was kept, or a power cut left part of the file: then the person types the token.
    return [];
  }
}

/** Undefined where standard input is no terminal, or the system has no `tty`, as Windows. */
function fileOfTerminal(environment: NodeJS.ProcessEnv): string | undefined {
  if (!process.stdin.isTTY) return undefined;
  const { stdout, status } = spawnSync('tty', {
    // A relative entry of the PATH, and on Windows any program's name, is looked up here first: never in the repository.
    cwd: parse(process.execPath).root,
    stdio: ['inherit', 'pipe', 'ignore'],
    encoding: 'utf8',
  });
  if (status !== 0) return undefined;
  return join(stateFolder(environment), 'terminals', `${sha256Hex(stdout.trim()).slice(0, 32)}.json`);
}
