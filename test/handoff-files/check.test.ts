import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'vitest';
import { checkHandoffFiles } from '../../packages/batonpass/src/handoff-files/check-handoff-files.ts';
import { listHandoffFiles } from '../../packages/batonpass/src/handoff-files/list-handoff-files.ts';
import { writeHandoffFile } from '../../packages/batonpass/src/handoff-files/write-handoff-file.ts';
import { createFolders } from '../stores/folders.ts';
import { verifies } from '../verifies.ts';
import { findings, plan } from './samples.ts';

const createFolder = createFolders();

verifies(
  ['FILE.check'],
  'a tree is looked through: front matter of every document, and handoff files by kind and name',
  async () => {
    const folder = createFolder();
    const at = (name: string) => join(folder, name);
    mkdirSync(at('a/node_modules/x'), { recursive: true });
    mkdirSync(at('.planning'));
    await writeHandoffFile(at('a'), findings, '# Good\n');
    await writeHandoffFile(at('a'), plan, '# Good\n');
    const documents: Record<string, string> = {
      'README.md': '# No front matter\n---\n',
      'a/node_modules/x/bad.md': '---\na: [\n---\n',
      'a/bad.txt': '---\na: [\n---\n',
      'bad.md': '---\nok: 1\na: "x\n---\n',
      '.planning/01-PLAN.md': '---\nphase: 01\ntype: execute\nmust_haves: {truths: [a]}\n---\n',
      'a/findings-002.md':
        '---\nversion: 002\ntype: findings\nstatus: unknown\ncreated: 2026-01-24\nphase: a\nagent: b\nconfidence: low\n---\n',
      'a/findings-003.md':
        '---\nversion: 004\ntype: findings\nstatus: partial\ncreated: 2026-01-24\nphase: a\nagent: b\nconfidence: low\n---\n',
      'a/findings-005.md':
        '---\nversion: 5\ntype: findings\nstatus: partial\ncreated: 2026-01-24\nphase: a\nagent: b\nconfidence: low\n---\n',
      'a/misnamed.md':
        '---\nversion: 006\ntype: findings\nstatus: partial\ncreated: 2026-01-24\nphase: a\nagent: b\nconfidence: low\n---\n',
      'a/plan-002.md': '# Nothing\n',
    };
    for (const [name, text] of Object.entries(documents)) writeFileSync(at(name), text);
    symlinkSync(at('bad.md'), at('linked.md'));
    const report = checkHandoffFiles([folder]);
    expect(report).toEqual({
      documents: 10,
      handoff_files: 7,
      findings: [
        {
          path: at('a/findings-002.md'),
          line: 4,
          column: 1,
          field: 'status',
          what: 'The field status must be one of: complete, partial, failed.',
        },
        { path: at('a/findings-003.md'), what: 'Its front matter says findings-004.md, its name findings-003.md.' },
        { path: at('a/misnamed.md'), what: 'Its front matter says findings-006.md, its name misnamed.md.' },
        { path: at('a/plan-002.md'), line: 1, column: 1, what: 'There is no front matter.' },
        { path: at('bad.md'), line: 4, column: 1, what: expect.stringContaining('quote') },
      ],
      repairs: [{ path: at('a/findings-005.md'), what: 'version: "5" was read as 005' }],
    });
    // A file that is given is checked under any name, and each path is used.
    expect(checkHandoffFiles([at('a/bad.txt'), at('a/findings-001.md')])).toMatchObject({
      documents: 2,
      handoff_files: 1,
      findings: [{ path: at('a/bad.txt') }],
    });
    expect(() => checkHandoffFiles([at('none')])).toThrowError(expect.objectContaining({ code: 'file_not_found' }));
    expect(checkHandoffFiles([folder], AbortSignal.abort()).documents).toBe(0);
  },
);

verifies(['FILE.check'], 'a file that cannot be read is a finding, and the rest is checked', () => {
  const folder = createFolder();
  writeFileSync(join(folder, 'findings-001.md'), 'x'.repeat(9_000_000));
  writeFileSync(join(folder, 'findings-002.md'), Buffer.from([0xff, 0xfe]));
  const { findings: found } = checkHandoffFiles([folder]);
  expect(found).toEqual([
    { path: join(folder, 'findings-001.md'), what: expect.stringContaining('more than 8388608 bytes') },
    { path: join(folder, 'findings-002.md'), line: 1, column: 1, what: 'The text is UTF-16, not UTF-8.' },
  ]);
});

verifies(
  ['FILE.commands', 'HF.held.numeric-order'],
  'a list has the newest version first, and one bad file hides no other',
  async () => {
    const folder = createFolder();
    for (const version of ['002', '010', '001.1', '001'])
      await writeHandoffFile(folder, { ...findings, version }, `x\n## Part ${version}\n`);
    writeFileSync(join(folder, 'findings-003.md'), '---\nversion: 003\n---\n');
    const files = listHandoffFiles(folder, 'findings');
    expect(files.map(({ version, title, problem }) => [version, title ?? problem])).toEqual([
      ['010', 'Part 010'],
      ['003', 'line 2: The field status is missing: it must be one of: complete, partial, failed.'],
      ['002', 'Part 002'],
      ['001.1', 'Part 001.1'],
      ['001', 'Part 001'],
    ]);
    expect(files[0]).toMatchObject({
      path: join(folder, 'findings-010.md'),
      type: 'findings',
      status: 'complete',
      phase: '02-auth',
      agent: 'researcher',
      created: '2026-01-24T15:30:00Z',
    });
    expect(listHandoffFiles(join(folder, 'absent'), 'plan')).toEqual([]);
  },
);
