import { execFileSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, expect } from 'vitest';
import { parseGuide, withoutChance } from '../../scripts/readme-guide.ts';
import { openStage, type Stage } from '../doors/stage.ts';
import { root } from '../tidy/source-files.ts';
import { verifies } from '../verifies.ts';

/** The end of the id of the handoff that the document shows. */
const shownId = 'HRQKR4QP';

const document = readFileSync(join(root, 'docs/handoff-files.md'), 'utf8');
const stages: Stage[] = [];

afterEach(() => {
  for (const stage of stages.splice(0)) stage.close();
});

verifies(
  ['FILE.document'],
  'the commands of the document run in order, print what it shows, and write the file that it shows',
  async () => {
    const stage = openStage({ git: false });
    stages.push(stage);
    const [, shown = ''] = /```markdown\n([\s\S]*?)```/.exec(document) ?? [];
    writeFileSync(join(stage.folder, 'notes.md'), shown.split('---\n').at(-1) ?? '');
    const steps = parseGuide(document);
    expect(steps.length).toBe(7);
    let id = '';
    for (const { line, output } of steps) {
      const { stdout, stderr, code } = await stage.baton(line.replace(shownId, id).split(' ').slice(1));
      const told = `${stdout}${stderr}`.trimEnd();
      id = /^[0-9A-Z]{8}(?= {2}draft)/.exec(told)?.[0] ?? id;
      const expected = withoutChance(output.replaceAll(shownId, id));
      expect([line, code, withoutChance(told)]).toEqual([line, 0, expected]);
    }
    expect(withoutChance(readFileSync(join(stage.folder, 'handoffs/findings-001.md'), 'utf8'))).toBe(
      withoutChance(shown),
    );
  },
);

verifies(['FILE.document'], 'the program of the document runs', async () => {
  const stage = openStage({ git: false });
  stages.push(stage);
  const [, program = ''] = /```js\n([\s\S]*?)```/.exec(document) ?? [];
  const library = JSON.stringify(join(root, 'packages/batonpass/src/files.ts'));
  const file = join(stage.folder, 'example.mjs');
  const told = 'process.stdout.write(JSON.stringify([path, frontmatter.version, body, repairs ?? null]));';
  writeFileSync(
    file,
    `process.chdir(${JSON.stringify(stage.folder)});\n${program.replace("'batonpass/files'", library)}${told}`,
  );

  expect(JSON.parse(execFileSync(process.execPath, [file], { encoding: 'utf8' }))).toEqual([
    join(stage.folder, 'handoffs/problem-001.md'),
    '001',
    '# No database\n',
    null,
  ]);
});
