import { globSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { expect } from 'vitest';
import * as react from '../../packages/batonpass/src/react.ts';
import { root } from '../tidy/source-files.ts';
import { verifies } from '../verifies.ts';

verifies(['CLI.exports', 'DRAFT.entries', 'SCREEN.exports'], 'the entry for React exports exactly these names', () => {
  expect(Object.keys(react).sort()).toEqual([
    'HandoffReview',
    'PinButton',
    'ReadyToPlan',
    'createDraftStore',
    'extractionResultSchema',
    'useBrainstormFlow',
    'useHandoffStore',
  ]);
});

verifies(['SCREEN.exports'], 'each style sheet of the package is built as one file with all of its parts', () => {
  const folder = join(root, 'packages/batonpass');
  const { exports } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
  const sheets = Object.entries<string>(exports).filter(([name]) => name.endsWith('.css'));
  expect(sheets).toEqual([
    ['./react/style.css', './dist/library/react/style.css'],
    ['./react/tokens.css', './dist/library/react/tokens.css'],
  ]);
  const [whole = '', tokens] = sheets.map(([, path]) => readFileSync(join(folder, path), 'utf8'));
  const parts = globSync('src/react/*.css', { cwd: folder }).filter((path) => basename(path) !== 'style.css');
  const missing = parts.filter((path) => !whole.includes(readFileSync(join(folder, path), 'utf8')));
  expect({ parts: parts.length > 1, missing, imports: whole.includes('@import') }).toEqual({
    parts: true,
    missing: [],
    imports: false,
  });
  expect(tokens).toBe(readFileSync(join(folder, 'src/react/tokens.css'), 'utf8'));
});
