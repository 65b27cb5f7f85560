import { execFile } from 'node:child_process';
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { expect, it } from 'vitest';
import { useProjectCopies } from './project-copy.ts';
import { root } from './tidy/source-files.ts';

/** What a page says to do with one file, and the commands that it ends with. */
interface Page {
  changes: { path: string; how: 'create' | 'after' | 'before'; place: string; text: string }[];
  commands: string[];
}

const copyProject = useProjectCopies();
const folder = join(root, 'docs/contributing');
const pages = readdirSync(folder).map((name) => ({ name, ...readPage(readFileSync(join(folder, name), 'utf8')) }));

/** A check of all types and a second start of the test runner take their time. */
const timeout = 600_000;

/**
 * Each page by itself, with every command that it shows; the short form: all at once, the new tests, and the types of the
 * sources and of the tests that the pages name.
 */
const isLong = process.env.BATON_CONTRIBUTING === 'all';

it.skipIf(isLong)(
  'what the pages for contributors say can be done together in a copy, and its types agree',
  { timeout },
  async () => {
    const copy = copyProject();
    for (const { changes, commands } of pages) {
      expect([changes.length > 1, commands.length > 1]).toEqual([true, true]);
      for (const change of changes) apply(copy, change);
    }
    const paths = [...new Set(pages.flatMap(({ changes }) => changes.map(({ path }) => path)))];
    const checked = { extends: './tsconfig.json', files: paths, include: ['packages/*/src'] };
    writeFileSync(join(copy, 'tsconfig.short.json'), JSON.stringify(checked));
    writeFileSync(
      join(copy, 'vitest.config.ts'),
      `export default { test: { setupFiles: ['test/setup.ts'], isolate: false, maxWorkers: 1 } };\n`,
    );
    const tests = paths.filter((path) => path.endsWith('.test.ts'));
    await run(copy, 'tsc --noEmit --incremental false -p tsconfig.short.json');
    await run(copy, `vitest run ${tests.join(' ')}`);
  },
);

for (const { name, changes, commands } of pages) {
  it.runIf(isLong)(`what ${name} says is done in a copy, and its commands pass`, { timeout }, async () => {
    const copy = copyProject();
    for (const change of changes) apply(copy, change);
    for (const command of commands) await run(copy, command);
  });
}

/** @throws what the command printed, where it fails. */
async function run(cwd: string, command: string): Promise<void> {
  const [program = '', ...words] = command.split(' ');
  const env = { ...process.env, PATH: `${join(root, 'node_modules/.bin')}:${process.env.PATH}` };
  const ran = promisify(execFile)(program, words, { cwd, env });
  await ran.catch(({ stdout, stderr }) => expect(`${command}\n${stdout}${stderr}`).toBe('passed'));
}

function readPage(text: string): Page {
  const blocks = [...text.matchAll(/^```ts (\S+)(?: (after|before) (.+))?\n([\s\S]*?)^```$/gm)];
  return {
    changes: blocks.map(([, path = '', how, place = '', body = '']) => ({
      path,
      how: (how ?? 'create') as Page['changes'][number]['how'],
      place,
      text: body,
    })),
    commands: [...text.matchAll(/^\$ (.+)$/gm)].map(([, command = '']) => command),
  };
}

/** Makes a file, or puts lines next to the one line that holds the place. */
function apply(copy: string, { path, how, place, text }: Page['changes'][number]): void {
  const file = join(copy, path);
  if (how === 'create') {
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, text);
    return;
  }
  const lines = readFileSync(file, 'utf8').split('\n');
  const found = lines.findIndex((line) => line.includes(place));
  expect([path, place, lines.filter((line) => line.includes(place)).length]).toEqual([path, place, 1]);
  lines.splice(how === 'after' ? found + 1 : found, 0, text.trimEnd());
  writeFileSync(file, lines.join('\n'));
}
