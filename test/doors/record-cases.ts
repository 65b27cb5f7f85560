import { join } from 'node:path';
import type { Baton } from '../../packages/batonpass/src/index.ts';
import { HandoffStore } from '../../packages/batonpass/src/records.ts';
import { sampleInput } from '../handoff-store/record-stage.ts';
import type { Case, Prepared } from './catalogue-cases.ts';

const folderIn = (folder: string) => join(folder, '.twining');

/** A folder of records with one handoff, in the project. */
async function withRecord({ context }: Baton): Promise<Partial<Prepared>> {
  const store = new HandoffStore(folderIn(context.workspace.root));
  const { id } = await store.create(sampleInput({ scope: 'src/auth' }));
  return { id };
}

/** What the catalogue's table test asks for with the operations on a folder of records. */
export const recordCases: {
  [Name in `file.store-${'acknowledge' | 'check' | 'create' | 'list' | 'show'}`]: Case<Name>;
} = {
  'file.store-list': {
    prepare: withRecord,
    input: ({ folder }) => ({ folder: folderIn(folder), source_agent: 'planner', scope: 'src', limit: 5 }),
    words: ({ folder }) => `file store list ${folderIn(folder)} --from planner --scope src --limit 5`.split(' '),
    wrong: {
      input: { folder: '/nowhere/at/all' },
      words: ['file', 'store', 'list', '/nowhere/at/all'],
      code: 'file_not_found',
    },
  },
  'file.store-show': {
    prepare: withRecord,
    input: ({ folder, id }) => ({ folder: folderIn(folder), id }),
    words: ({ folder, id }) => ['file', 'store', 'show', folderIn(folder), id],
    wrong: {
      input: { folder: '/nowhere/at/all', id: 'x' },
      words: ['file', 'store', 'show', '/nowhere/at/all', 'x'],
      code: 'file_not_found',
    },
  },
  'file.store-create': {
    prepare: withRecord,
    input: ({ folder }) => ({ folder: folderIn(folder), record: { summary: 'Parser done', scope: 'src/parser' } }),
    words: ({ folder }) => [
      ...['file', 'store', 'create', folderIn(folder), '--summary', 'Parser done', '--scope', 'src/parser'],
    ],
    wrong: {
      input: { folder: '/nowhere/at/all', record: { summary: 'x' } },
      words: ['file', 'store', 'create', '/nowhere/at/all', '--summary', 'x'],
      code: 'file_not_found',
    },
  },
  'file.store-acknowledge': {
    prepare: withRecord,
    input: ({ folder, id }) => ({ folder: folderIn(folder), id, acknowledged_by: 'coder' }),
    words: ({ folder, id }) => ['file', 'store', 'acknowledge', folderIn(folder), id, '--by', 'coder'],
    wrong: {
      input: { folder: '/nowhere/at/all', id: 'x' },
      words: ['file', 'store', 'acknowledge', '/nowhere/at/all', 'x'],
      code: 'file_not_found',
    },
  },
  'file.store-check': {
    prepare: withRecord,
    input: ({ folder }) => ({ folder: folderIn(folder), repair: true }),
    words: ({ folder }) => ['file', 'store', 'check', folderIn(folder), '--repair'],
    wrong: {
      input: { folder: '/nowhere/at/all' },
      words: ['file', 'store', 'check', '/nowhere/at/all'],
      code: 'file_not_found',
    },
  },
};
