import fc from 'fast-check';
import { expect } from 'vitest';
import {
  importsAgentsFile,
  removeBlock,
  writeBlock,
} from '../../packages/batonpass/src/workspace/hosts/marked-block.ts';
import { verifies } from '../verifies.ts';

const path = 'CLAUDE.md';
const lines = ['## Handoffs', '', 'Facts.'];
const write = (text: string, block = lines) => writeBlock(text, path, block);

const documents = [
  '',
  '# A\n',
  '# A',
  '# A\n\n',
  '# A\r\n\r\nB\r\n',
  '\n',
  '# A\n\n\n',
  'Talks of `<!-- baton:begin -->` here.\n',
];

for (const text of documents) {
  verifies(['INIT.docs', 'INIT.idempotent'], `a block goes into ${JSON.stringify(text)} and out again`, () => {
    const once = write(text);
    expect(write(once)).toBe(once);
    expect(once.startsWith(text)).toBe(true);
    expect(once.endsWith('\n')).toBe(text === '' || text.endsWith('\n'));
    if (text.includes('\r\n')) expect(once.replaceAll('\r\n', '')).not.toContain('\n');
    expect(write(once, ['New.'])).toBe(once.replace(/## Handoffs\r?\n\r?\nFacts\./, 'New.'));
  });
}

verifies(['INIT.docs'], 'one empty line parts a block from the text before it', () => {
  const block = '<!-- baton:begin -->\nFacts.\n<!-- baton:end -->';
  const written = ['', '\n', '# A', '# A\n', '# A\n\n'].map((text) => write(text, ['Facts.']));
  expect(written).toEqual([`${block}\n`, `\n${block}\n`, `# A\n\n${block}`, `# A\n\n${block}\n`, `# A\n\n${block}\n`]);
  expect(removeBlock('# A\n', path)).toBe('# A\n');
});

verifies(['INIT.docs', 'INIT.undo-edited'], 'any document: text around the block stays, for any later text', () => {
  const text = fc.array(fc.constantFrom('# A', 'words', '', '- x'), { maxLength: 6 }).map((parts) => parts.join('\n'));
  fc.assert(
    fc.property(text, text, (before, after) => {
      const once = write(before);
      const added = after === '' ? once : `${once}${once.endsWith('\n') ? '' : '\n'}\n${after}`;
      const left = removeBlock(write(added, ['Other.']), path);
      const words = (document: string) => document.split('\n').filter((line) => line !== '');
      expect(words(left)).toEqual([...words(before), ...words(after)]);
    }),
  );
  expect(removeBlock(write('# A\n\nB\n'), path)).toBe('# A\n\nB\n');
  expect(removeBlock(write('# A'), path)).toBe('# A');
  expect(removeBlock(`${write('# A\n')}\n# B\n`, path)).toBe('# A\n\n# B\n');
});

verifies(['INIT.broken'], 'torn or doubled markers are refused with their line', () => {
  const [begin, end] = ['<!-- baton:begin -->', '<!-- baton:end -->'];
  for (const text of [
    `a\n${begin}\n`,
    `a\n${end}\n`,
    `a\n${end}\n${begin}\n`,
    `a\n${begin}\n${end}\n${begin}\n${end}\n`,
  ]) {
    expect(() => write(text)).toThrowError(
      expect.objectContaining({ code: 'invalid_structure', message: expect.stringMatching(/CLAUDE\.md:[2-4]:1 /) }),
    );
  }
});

verifies(['INIT.docs'], 'an import of AGENTS.md is seen, but not one in code or of another file', () => {
  for (const text of ['@AGENTS.md', 'See @AGENTS.md for more.', '# A\n\n@./AGENTS.md\n', '- @AGENTS.md.']) {
    expect(importsAgentsFile(text)).toBe(true);
  }
  for (const text of [
    'AGENTS.md',
    '`@AGENTS.md`',
    '```\n@AGENTS.md\n```\n',
    'sam@AGENTS.md',
    '@docs/AGENTS.md',
    '@AGENTS.md/x',
    '~~~md\n@AGENTS.md',
  ]) {
    expect(importsAgentsFile(text)).toBe(false);
  }
});
