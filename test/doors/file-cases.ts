import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Baton } from '../../packages/batonpass/src/index.ts';
import { findings as sample } from '../handoff-files/samples.ts';
import type { Case, Prepared } from './catalogue-cases.ts';

// The version is given apart, or found.
const { version: _version, ...findings } = sample;
const findingsWords = Object.entries(findings).flatMap(([name, value]) => [`--${name}`, value]);
const body = '# Sessions\n';
const bodyIn = (folder: string) => join(folder, 'notes.txt');
const fileIn = (folder: string) => join(folder, 'findings-001.md');
async function withBody({ context }: Baton): Promise<Partial<Prepared>> {
  writeFileSync(bodyIn(context.workspace.root), body);
  return {};
}
async function withFile(baton: Baton): Promise<Partial<Prepared>> {
  await withBody(baton);
  await baton.run('file.write', {
    folder: baton.context.workspace.root,
    frontmatter: { version: '001', ...findings },
    body,
  });
  return {};
}

/** What the catalogue's table test asks for with the operations on handoff files. */
export const fileCases: { [Name in `file.${'write' | 'next' | 'read' | 'list' | 'check'}`]: Case<Name> } = {
  'file.write': {
    prepare: withBody,
    input: ({ folder }) => ({ folder, frontmatter: { version: '001', ...findings }, body }),
    words: ({ folder }) => [
      'file',
      'write',
      bodyIn(folder),
      '--dir',
      folder,
      '--file-version',
      '001',
      ...findingsWords,
    ],
    wrong: {
      input: { folder: '.', frontmatter: { version: '../1', ...findings }, body: '' },
      words: ['file', 'write', '-', '--file-version', '../1', ...findingsWords],
      code: 'invalid_input',
    },
  },
  'file.next': {
    prepare: withFile,
    input: ({ folder }) => ({ folder, frontmatter: findings, body }),
    words: ({ folder }) => ['file', 'next', bodyIn(folder), '--dir', folder, ...findingsWords],
    wrong: {
      input: { from: '/nowhere/findings-001.md' },
      words: ['file', 'next', '--from', '/nowhere/findings-001.md'],
      code: 'file_not_found',
    },
  },
  'file.read': {
    prepare: withFile,
    input: ({ folder }) => ({ path: fileIn(folder) }),
    words: ({ folder }) => ['file', 'read', fileIn(folder)],
    wrong: {
      input: { path: '/nowhere/findings-001.md' },
      words: ['file', 'read', '/nowhere/findings-001.md'],
      code: 'file_not_found',
    },
  },
  'file.list': {
    prepare: withFile,
    input: ({ folder }) => ({ folder, type: 'findings' }),
    words: ({ folder }) => ['file', 'list', folder, '--type', 'findings'],
    wrong: {
      input: { folder: '.', type: 'notes' } as never,
      words: ['file', 'list', '--type', 'notes'],
      code: 'invalid_input',
    },
  },
  'file.check': {
    prepare: withFile,
    input: ({ folder }) => ({ paths: [folder] }),
    words: ({ folder }) => ['file', 'check', folder],
    wrong: {
      input: { paths: ['/nowhere/at/all'] },
      words: ['file', 'check', '/nowhere/at/all'],
      code: 'file_not_found',
    },
  },
};
