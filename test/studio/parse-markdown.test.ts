import { expect } from 'vitest';
import { parseBlocks, parseInline } from '../../packages/studio/src/screens/brainstorm/parse-markdown.ts';
import { verifies } from '../verifies.ts';

verifies(['STORM.markdown'], 'headings, lists, quotes, code and paragraphs are distinguished', () => {
  const text =
    '# Title\nOne\ntwo\n\n1. first\n   goes on\n   - deeper\n2. second\n\n> quoted\n> too\n---\n```ts\na\n\nb\n```\nend';
  expect(parseBlocks(text)).toEqual([
    { kind: 'heading', text: 'Title' },
    { kind: 'paragraph', text: 'One\ntwo' },
    {
      kind: 'list',
      start: 1,
      entries: [
        { text: 'first goes on', depth: 0 },
        { text: 'deeper', depth: 1 },
        { text: 'second', depth: 0 },
      ],
    },
    { kind: 'quote', text: 'quoted\ntoo' },
    { kind: 'rule' },
    { kind: 'code', text: 'a\n\nb' },
    { kind: 'paragraph', text: 'end' },
  ]);
});

verifies(['STORM.markdown'], 'emphasis and code are marks, and a link is its words and where it leads', () => {
  expect(parseInline('a **b** _c_ `d*e*` snake_case_name [x](javascript:y) ![z](http://w)')).toEqual([
    { kind: 'plain', text: 'a ' },
    { kind: 'strong', text: 'b' },
    { kind: 'plain', text: ' ' },
    { kind: 'emphasis', text: 'c' },
    { kind: 'plain', text: ' ' },
    { kind: 'code', text: 'd*e*' },
    { kind: 'plain', text: ' snake_case_name ' },
    { kind: 'plain', text: 'x (javascript:y)' },
    { kind: 'plain', text: ' ' },
    { kind: 'plain', text: 'z (http://w)' },
  ]);
});

verifies(['STORM.markdown'], 'every beginning of a text is shown without losing a word, and long ones at once', () => {
  const text = '# T\n\n- **a** `b`\n- c\n\n```js\nlet x;\n```\n> q *r* [s](t)\n';
  for (let end = 0; end <= text.length; end += 1) {
    const part = text.slice(0, end);
    const shown = JSON.stringify(parseBlocks(part));
    for (const word of part.replace(/```\w*\n?/g, '').match(/[a-z]{3,}/gi) ?? []) expect(shown).toContain(word);
  }
  const long = '*_[`(>-'.repeat(20_000);
  expect(parseBlocks(long)).toHaveLength(1);
  expect(
    parseInline(long)
      .map((run) => run.text)
      .join('').length,
  ).toBeGreaterThan(0);
});
