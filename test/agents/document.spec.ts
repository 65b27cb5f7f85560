import { spawnSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { describe, expect } from 'vitest';
import { limits } from '../../packages/batonpass/src/index.ts';
import { HandOffService } from '../../packages/batonpass/src/queue.ts';
import { createFolders } from '../stores/folders.ts';
import { root } from '../tidy/source-files.ts';
import { verifies } from '../verifies.ts';
import { rowsOf, withDatabase } from './source-3-database.ts';

const newFolder = createFolders();
const document = readFileSync(join(root, 'docs/agents/handoff.md'), 'utf8');

/** The document's blocks in one language. */
const blocksOf = (language: string) =>
  [...document.matchAll(new RegExp(`^\`\`\`${language}\\n([\\s\\S]*?)^\`\`\``, 'gm'))].map(([, text = '']) => text);

describe('docs/agents/handoff.md', () => {
  verifies(
    ['TAS-039.docs.examples', 'TAS-039.docs.polling', 'TAS-039.docs.reference'],
    'has examples that run and print the output shown below each line',
    () => {
      expect(document).toContain('[TAS-039]');
      const blocks = blocksOf('js');
      expect(blocks.join()).toMatch(/createHandoff[\s\S]*claimHandoff[\s\S]*consume\([\s\S]*subscribe\(/);
      const cwd = newFolder();
      const entry = (name: string) => JSON.stringify(join(root, `packages/batonpass/src/${name}.ts`));
      for (const block of blocks) {
        const file = join(cwd, 'example.mjs');
        writeFileSync(file, block.replace("'batonpass'", entry('index')).replace("'batonpass/queue'", entry('queue')));
        const { stdout, stderr, status } = spawnSync(process.execPath, [file], { cwd, encoding: 'utf8' });
        const shown = [...block.matchAll(/^ *\/\/ (.+)$/gm)].map(([, line]) => line);
        expect([status, stdout.trimEnd().split('\n'), status !== 0 && stderr]).toEqual([0, shown, false]);
      }
    },
  );

  verifies(['TAS-039.docs.retention'], 'explains the retention that there is', () => {
    const section = /## How long data is kept\n([\s\S]*?)\n## /.exec(document)?.[1] ?? '';
    expect(section).toMatch(/`baton store prune`[\s\S]*`retention`[\s\S]*90 days[\s\S]*archive/);
    const configuration = readFileSync(join(root, 'packages/batonpass/src/workspace/configuration.ts'), 'utf8');
    expect(configuration).toMatch(/retention: z[\s\S]{0,300}\.default\('90d'\)/);
    expect([limits.payload_inline_bytes_max, limits.content_bytes_max]).toEqual([64 * 1024, 4 * 1024 * 1024]);
  });

  verifies(['TAS-039.docs.examples'], 'has SQL that runs, and says what SQLite says', async () => {
    const file = join(newFolder(), 'handoffs.db');
    await using service = new HandOffService(file, { logLevel: 'silent' });
    await service.createHandoff('task-42', {}, 'a');
    withDatabase(file, (database) => {
      const [selects = ''] = blocksOf('sql');
      const answers = selects
        .trim()
        .split('\n')
        .map((sql) => rowsOf(database, sql));
      expect(answers.map(({ length }) => length)).toEqual([1, 1, 0]);
      expect(answers[1]).toEqual([{ task_id: 'task-42', waiting: 1 }]);
      const rows = [...document.matchAll(/^\| `((?:UPDATE|INSERT).*?)` \| `(.+?)` \|$/gm)];
      expect(rows.length).toBe(4);
      for (const [, sql = '', said = ''] of rows) {
        expect(() => database.exec(complete(sql)), sql).toThrow(said);
      }
    });
  });
});

/** A statement of the table, with what replaces its dots. */
function complete(sql: string): string {
  return sql
    .replace('= …', "= 'x'")
    .replace('payload, …) …', "payload, origin) VALUES ('x', 't', '{}', 'a')")
    .replace('created_at) …', "created_at) VALUES ('x', 't', 1)")
    .replace(' …', '');
}

describe('scripts/agents/verify_handoff.js', () => {
  const script = join(root, 'scripts/agents/verify_handoff.js');
  /** The machine's own Node where there is one, as somebody meets it after `npm ci`; else the one that runs this. */
  const path = (process.env.PATH ?? '').split(delimiter).filter((folder) => !folder.includes('node_modules'));
  const run = (command: string, ...words: string[]) => {
    const { VITEST: _vitest, ...environment } = process.env;
    const env = { ...environment, PATH: path.join(delimiter) };
    return spawnSync(command, [script, ...words], { encoding: 'utf8', env });
  };

  verifies(['TAS-039.smoke.passes'], 'inserts, claims, checks order and flags, and says what it checked', () => {
    const { status, stdout, stderr } = run(process.execPath);
    expect([status, stderr]).toEqual([0, '']);
    expect(stdout).toMatch(
      /ok {3}none is consumed before a claim[\s\S]*ok {3}claim 5 gives handoff 5[\s\S]* 0 discrepancies\n$/,
    );
    expect(stdout).not.toContain('FAIL');
  });

  verifies(['TAS-039.smoke.passes'], 'runs with the Node version of the machine', () => {
    const found = run('node');
    const { status, stdout } = found.error === undefined ? found : run(process.execPath);
    expect([status, stdout.trimEnd().split('\n').at(-1)]).toEqual([0, expect.stringContaining(' 0 discrepancies')]);
  });

  verifies(['TAS-039.smoke.exit-code'], 'exits with 1 on a planted fault, and reports what it found instead', () => {
    const { status, stdout } = run(process.execPath, '--plant-fault');
    expect(status).toBe(1);
    expect(stdout).toMatch(/FAIL claim 1 gives handoff 1[\s\S]*expected[\s\S]*found[\s\S]*FAIL consumed is 1/);
  });

  verifies(['TAS-039.smoke.ci'], 'is part of the one command that continuous integration runs', () => {
    const { scripts } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as {
      scripts: Record<string, string>;
    };
    expect(scripts['verify:handoff']).toBe('node scripts/agents/verify_handoff.js');
    expect(scripts.test?.split(' && ')).toContain('npm run verify:handoff');
    expect(readFileSync(join(root, '.ci/run'), 'utf8')).toMatch(/^npm test$/m);
  });
});
