import { execFileSync } from 'node:child_process';
import { existsSync, globSync, statSync } from 'node:fs';
import { join } from 'node:path';

const folder = join(import.meta.dirname, '../packages/batonpass');
const outputs = ['dist/cli/main.cjs', 'dist/library/index.mjs', 'dist/library/index.d.mts'];

/**
 * The command's tests run what users run: the built package, built anew where a source is newer or was removed. Where
 * `npm ci` has just built it, nothing is done.
 */
export default function buildOnce(): void {
  const sources = globSync(['src/**', 'package.json', 'tsdown.config.ts', '../../package-lock.json'], { cwd: folder });
  const newest_ms = Math.max(...sources.map((source) => statSync(join(folder, source)).mtimeMs));
  const isFresh = (path: string) => existsSync(path) && statSync(path).mtimeMs > newest_ms;
  if (outputs.every((output) => isFresh(join(folder, output)))) return;
  execFileSync(join(import.meta.dirname, '../node_modules/.bin/tsdown'), ['--log-level', 'error'], { cwd: folder });
}

if (import.meta.main) buildOnce();
