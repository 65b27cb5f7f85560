import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { errorCodes } from '../packages/batonpass/src/core/errors.ts';
import { states } from '../packages/batonpass/src/core/state.ts';
import { generateDocuments } from '../scripts/generate-docs.ts';
import { root } from './tidy/source-files.ts';

const documents = await generateDocuments();

describe('documents made from the source', () => {
  it.each(Object.entries(documents))('%s is current: `npm run docs` changes nothing', (path, text) => {
    expect(readFileSync(join(root, path), 'utf8')).toBe(text);
  });

  it('have a meaning for every state and every code', () => {
    expect(documents['docs/lifecycle.md']?.match(/^\| [a-z]+ \| [A-Z]/gm)).toHaveLength(states.length);
    expect(documents['docs/errors.md']?.match(/^\| `[a-z_]+` \| \d+ \| [A-Z]/gm)).toHaveLength(errorCodes.length);
    expect(Object.values(documents).join('')).not.toContain('undefined');
  });
});
