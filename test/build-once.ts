import { execFileSync } from 'node:child_process';
import { existsSync, globSync, statSync } from 'node:fs';
import { join } from 'node:path';

const folder = join(import.meta.dirname, '../packages/batonpass');
/** One build: what it makes, and what it is made of, from the package's folder. */
interface Build {
  outputs: readonly string[];
  sources: readonly string[];
  command: readonly [program: string, ...words: string[]];
  /** Where it runs. */
  place: string;
}

const own = ['src/**', 'package.json', '../../package-lock.json'];

const builds: readonly Build[] = [
  {
    outputs: ['dist/cli/main.cjs', 'dist/library/index.mjs', 'dist/library/index.d.mts'],
    sources: [...own, 'tsdown.config.ts'],
    command: ['tsdown', '--log-level', 'error'],
    place: '.',
  },
  {
    outputs: ['dist/studio/index.html'],
    sources: [...own, '../studio/src/**', '../studio/*.*'],
    command: ['vite', 'build', '--logLevel', 'error'],
    place: '../studio',
  },
];

/**
 * The tests run what users run: the built package with its studio, each rebuilt where a source is newer or was
 * removed. Where `npm ci` has just built them, nothing is done.
 */
export default function buildOnce(): void {
  for (const build of builds) if (!isFresh(build)) run(build);
}

function isFresh({ outputs, sources }: Build): boolean {
  const found = globSync([...sources], { cwd: folder });
  const newest_ms = Math.max(...found.map((source) => statSync(join(folder, source)).mtimeMs));
  return outputs.every((output) => {
    const path = join(folder, output);
    return existsSync(path) && statSync(path).mtimeMs > newest_ms;
  });
}

function run({ command: [program, ...words], place }: Build): void {
  // Under the tests' own name of the environment, libraries would be built in with their warnings.
  const env = { ...process.env, NODE_ENV: 'production' };
  execFileSync(join(import.meta.dirname, '../node_modules/.bin', program), words, { cwd: join(folder, place), env });
}

if (import.meta.main) buildOnce();
