import { Buffer, isUtf8 } from 'node:buffer';
import fc from 'fast-check';
import matter from 'gray-matter';
import { expect } from 'vitest';
import { parse as parseYaml } from 'yaml';
import { ParseError } from '../../packages/batonpass/src/core/errors.ts';
import { limits } from '../../packages/batonpass/src/core/limits.ts';
import { changeFrontMatter } from '../../packages/batonpass/src/formats/markdown/change-front-matter.ts';
import { parseDocument } from '../../packages/batonpass/src/formats/markdown/document.ts';
import { decodeDocument, encodeDocument } from '../../packages/batonpass/src/formats/markdown/document-bytes.ts';
import { encodeFrontMatter } from '../../packages/batonpass/src/formats/markdown/encode-front-matter.ts';
import { parseFrontMatter } from '../../packages/batonpass/src/formats/markdown/front-matter.ts';
import type { FrontMatter } from '../../packages/batonpass/src/formats/markdown/front-matter-value.ts';
import { joinDocument, splitDocument } from '../../packages/batonpass/src/formats/markdown/split-document.ts';
import { verifies } from '../verifies.ts';
import { anyFields, anyMatter, plainMatter } from './yaml-samples.ts';

const place = { source: 'a.md', first_line: 2 };
/** `npm run soak -- front-matter` sets more. */
const numRuns = Number(process.env.BATON_FRONT_MATTER_RUNS ?? 1_500);

function attempt(text: string): FrontMatter | ParseError {
  try {
    return parseFrontMatter(text, place);
  } catch (error) {
    if (error instanceof ParseError) return error;
    throw error;
  }
}

verifies(['MD.written'], 'it reads what agents and planners write', () => {
  const text = `phase: 01-foundation
plan: 01
wave: 1
depends_on: ["01-01"]
# a comment
files_modified:
  - a/b.ts # why
  - c.ts

autonomous: true
requires:
- phase: 02
  provides: "x: y"
must_haves:
  artifacts:
    - path: "p"
      exports: [main]
      min_lines: 20
empty:
`;
  const values = {
    phase: '01-foundation',
    plan: '01',
    wave: 1,
    depends_on: ['01-01'],
    files_modified: ['a/b.ts', 'c.ts'],
    autonomous: true,
    requires: [{ phase: '02', provides: 'x: y' }],
    must_haves: { artifacts: [{ path: 'p', exports: ['main'], min_lines: 20 }] },
    empty: null,
  };
  expect(parseFrontMatter(text, place)).toEqual(values);
  expect(parseFrontMatter(text.replaceAll('\n', '\r\n'), place)).toEqual(values);
});

verifies(
  ['HF.held.unquoted-values', 'HF.held.unquoted-version'],
  'unquoted values keep their text, unless a program would write them alike',
  () => {
    const kept = [
      '001',
      '010',
      '001.1',
      '1e3',
      '02',
      '1.10',
      'no',
      'yes',
      'on',
      'True',
      '0x1F',
      '.inf',
      '1_000',
      '12:30',
      '2026-01-24T15:30:00Z',
      '2026-01-24',
      '12345678901234567890',
      '-0',
      '5.',
    ];
    for (const text of kept) {
      expect(parseFrontMatter(`a: ${text}\nb:\n  - ${text}\nc: [${text}]\n`, place)).toEqual({
        a: text,
        b: [text],
        c: [text],
      });
      // The whole reader says the same of it.
      expect(parseFrontMatter(`a: ${text}\nb: {c: ${text}}\n`, place)).toEqual({ a: text, b: { c: text } });
    }
    const typed = { '3': 3, '-1.5': -1.5, '0': 0, true: true, false: false, null: null, '~': null, '': null };
    for (const [text, value] of Object.entries(typed))
      expect(parseFrontMatter(`a: ${text}\n`, place)).toEqual({ a: value });
    expect(parseFrontMatter(`a: '3'\nb: "true"\nc: ''\n`, place)).toEqual({ a: '3', b: 'true', c: '' });
  },
);

verifies(
  ['MD.whole', 'HF.held.no-shared-objects'],
  'aliases are repeated, so that no two values share an object',
  () => {
    const text = 'a: &x {b: [1]}\nc: *x\n';
    const one = parseFrontMatter(text, place) as { a: { b: number[] }; c: { b: number[] } };
    expect(one).toEqual({ a: { b: [1] }, c: { b: [1] } });
    one.a.b.push(2);
    expect(one.c).toEqual({ b: [1] });
    expect(parseFrontMatter(text, place)).toEqual({ a: { b: [1] }, c: { b: [1] } });
  },
);

verifies(['HF.held.no-shared-objects'], 'the same text gives fresh values, and the same error, each time', () => {
  const good = '---\nlist: [a]\n---\n';
  const first = parseDocument(good, 'a.md').fields as { list: string[] };
  first.list.push('b');
  expect(parseDocument(good, 'a.md').fields).toEqual({ list: ['a'] });
  const errors = [0, 1].map(() => {
    try {
      return parseDocument('---\na: [\n---\n', 'a.md').fields;
    } catch (error) {
      return (error as Error).message;
    }
  });
  expect(errors).toEqual([expect.stringMatching(/^a\.md:\d+:\d+: /), errors[0]]);
});

verifies(
  ['MD.encode'],
  'fields that were written are read again as the same, here and by other readers of YAML',
  () => {
    fc.assert(
      fc.property(anyFields as fc.Arbitrary<FrontMatter>, (fields) => {
        const text = encodeFrontMatter(fields);
        expect(parseFrontMatter(text, place)).toEqual(fields);
        expect(parseFrontMatter(text, place)).toEqual(fields);
        expect(parseYaml(text) ?? {}).toEqual(fields);
        expect(parseYaml(text, { version: '1.1', merge: false }) ?? {}).toEqual(fields);
        expect(text.replaceAll('\n', '').isWellFormed()).toBe(true);
      }),
      { numRuns: numRuns / 3 },
    );
  },
);

verifies(['MD.encode'], 'gray-matter, which source 1 names, reads what is written as it is meant', () => {
  const fields = {
    version: '001',
    created: '2026-01-24T15:30:00Z',
    phase: '02',
    word: 'no',
    list: ['1e3', 'a: b'],
    n: 3,
  };
  expect(matter(`---\n${encodeFrontMatter(fields)}---\nbody`, {}).data).toEqual(fields);
});

verifies(['MD.encode'], 'what has no form as front matter is refused by its field', () => {
  const cyclic: unknown[] = [];
  const refused: [unknown, string][] = [
    [new Date(0), 'an object of Date'],
    [() => 1, 'a function'],
    [1e21, 'without a plain decimal form'],
    [Number.NaN, 'without a plain decimal form'],
    ['\ud800', 'lone surrogate'],
    [10n, 'a bigint'],
    [new Map(), 'an object of Map'],
  ];
  for (const [value, reason] of refused) {
    expect(() => encodeFrontMatter({ a: [{ b: value }] })).toThrowError(
      expect.objectContaining({
        code: 'invalid_input',
        message: expect.stringContaining(reason),
        details: expect.objectContaining({ field: 'a[0].b' }),
      }),
    );
  }
  cyclic.push(cyclic);
  expect(() => encodeFrontMatter({ cyclic })).toThrowError(expect.objectContaining({ code: 'invalid_input' }));
  expect(() => encodeFrontMatter(JSON.parse('{"__proto__": 1}'))).toThrowError(/__proto__/);
  expect(encodeFrontMatter({ a: undefined, b: [], c: {} })).toBe('b: []\nc: {}\n');
});

verifies(['MD.change'], 'a change touches the lines of its fields alone', () => {
  const text = `# head
version: 001   # the version
"status":  "complete"

list:
  - a # first
  - b
# about text
text: |
  one

  two

last: 1
`;
  const changed = changeFrontMatter(
    text,
    { version: '002', status: 'partial', list: ['c'], text: 'x', last: 1, added: 'no' },
    place,
  );
  expect(changed).toBe(`# head
version: '002'   # the version
status: partial

list:
  - c
# about text
text: x

last: 1
added: 'no'
`);
  expect(changeFrontMatter(text, { version: '001', last: 1, list: ['a', 'b'] }, place)).toBe(text);
  expect(changeFrontMatter('a: 1\r\nb:\r\nc: 3\r\n', { b: 'x', d: ['y'] }, place)).toBe(
    "a: 1\r\nb: x\r\nc: 3\r\nd:\r\n  - 'y'\r\n",
  );
});

verifies(['MD.change'], 'it makes the requested change in any document, or refuses', () => {
  fc.assert(
    fc.property(
      fc.oneof(anyMatter, plainMatter),
      fc.constantFrom('a', 'key', 'k1', 'new'),
      fc.constantFrom('x', '001', 3, null, ['p', 'q']),
      (text, name, value) => {
        const before = attempt(text.endsWith('\n') || text === '' ? text : `${text}\n`);
        if (before instanceof ParseError) return;
        const matterText = text.endsWith('\n') || text === '' ? text : `${text}\n`;
        let changed: string;
        try {
          changed = changeFrontMatter(matterText, { [name]: value }, place);
        } catch (error) {
          expect(error).toMatchObject({ code: 'invalid_structure' });
          return;
        }
        expect(parseFrontMatter(changed, place)).toEqual({ ...before, [name]: value });
      },
    ),
    { numRuns },
  );
});

verifies(['MD.change'], 'where a line cannot be changed alone, it is refused', () => {
  for (const text of ['{a: 1}\n', 'a: &x 1\nb: *x\n']) {
    expect(() => changeFrontMatter(text, { a: '2' }, place)).toThrowError(
      expect.objectContaining({ code: 'invalid_structure' }),
    );
  }
});

verifies(
  [
    'MD.lossless',
    'HF.held.body-dashes',
    'HF.held.body-crlf',
    'HF.held.body-blank-lines',
    'HF.held.body-no-final-newline',
    'HF.held.body-bom',
  ],
  'the parts of any document put together are its bytes',
  () => {
    const heads = ['', '---\n', '---\r\n', '\ufeff---\n', '---  \n', '---yaml\n', '\n---\n', '----\n'];
    const closings = ['---\n', '---\r\n', '--- \t\n', '---', '---\n---\n'];
    const bodies = ['', 'text', '---\nx\n---\n', '\r\na\r\n', 'x\n\n\n', '\ufeffx', '\0', '\u0085', '---', '...\n'];
    for (const head of heads) {
      for (const closing of closings) {
        for (const body of bodies) {
          if (closing === '---' && body !== '' && !/^\r?\n/.test(body)) continue;
          if (head === '' && body.startsWith('---')) continue;
          const text = `${head}${head === '' ? '' : 'a: 1\n'}${head === '' ? '' : closing}${body}`;
          const bytes = Buffer.from(text);
          const parts = splitDocument(decodeDocument(bytes, 'a'), 'a', { skipsBlankLines: true });
          expect(Buffer.from(joinDocument(parts)).equals(bytes)).toBe(true);
          if (head !== '' && head !== '----\n' && closing !== '---' && !closing.includes('\n---'))
            expect([text, parts.body]).toEqual([text, body]);
        }
      }
    }
  },
);

verifies(['MD.lossless'], 'a document of the largest size is read whole, and a larger one is refused', () => {
  const largest = 'x'.repeat(limits.document_bytes_max);
  expect(parseDocument(largest, 'a.md').body.length).toBe(limits.document_bytes_max);
  expect(() => parseDocument(`${largest}x`, 'a.md')).toThrowError(expect.objectContaining({ code: 'too_large' }));
});

verifies(['MD.lossless'], 'stray bytes of other encodings stay what they are, at any position', () => {
  fc.assert(
    fc.property(
      fc.array(
        fc.oneof(
          fc.uint8Array({ maxLength: 6 }),
          fc.string({ unit: 'binary', maxLength: 4 }).map((text) => Buffer.from(text)),
        ),
      ),
      (pieces) => {
        const bytes = Buffer.concat([Buffer.from('x'), ...pieces]);
        const text = decodeDocument(bytes, 'a.md');
        expect(bytes.equals(encodeDocument(text))).toBe(true);
        expect(text.isWellFormed()).toBe(isUtf8(bytes));
        expect(text.toWellFormed().replaceAll('\ufffd', '')).toBe(bytes.toString('utf8').replaceAll('\ufffd', ''));
      },
    ),
    { numRuns: numRuns / 3 },
  );
  expect(() => decodeDocument(Buffer.from('\ufeffx', 'utf16le'), 'a.md')).toThrowError(/a\.md:1:1: The text is UTF-16/);
});
