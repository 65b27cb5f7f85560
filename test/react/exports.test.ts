import { existsSync, readFileSync } from 'node:fs';
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
    'createHandoffStore',
    'extractionResultSchema',
    'useBrainstormFlow',
    'useHandoffStore',
  ]);
});

verifies(['SCREEN.exports'], 'the style sheets of the package are those that its build copies', () => {
  const folder = join(root, 'packages/batonpass');
  const { exports } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
  const sheets = Object.entries<string>(exports).filter(([name]) => name.endsWith('.css'));
  expect(sheets.map(([name]) => name)).toEqual(['./react/style.css', './react/tokens.css']);
  for (const [, path] of sheets) {
    expect(path).toBe(`./dist/library/react/${basename(path)}`);
    expect(existsSync(join(folder, 'src/react', basename(path)))).toBe(true);
  }
  expect(readFileSync(join(folder, 'tsdown.config.ts'), 'utf8')).toContain(
    "copy: [{ from: 'src/react/*.css', to: 'dist/library/react' }]",
  );
});
