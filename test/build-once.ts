import { execFileSync } from 'node:child_process';
import { existsSync, globSync, statSync } from 'node:fs';
import { join } from 'node:path';

const folder = join(import.meta.dirname, '../packages/batonpass');
const built = join(folder, 'dist/cli/main.cjs');

/** The command's tests run what users run: the built package, built anew where a source is newer. */
export default function buildOnce(): void {
  const sources = globSync(['src/**/*.ts', 'package.json', 'tsdown.config.ts'], { cwd: folder });
  const newest_ms = Math.max(...sources.map((source) => statSync(join(folder, source)).mtimeMs));
  if (existsSync(built) && statSync(built).mtimeMs > newest_ms) return;
  execFileSync(join(import.meta.dirname, '../node_modules/.bin/tsdown'), ['--log-level', 'error'], { cwd: folder });
}
