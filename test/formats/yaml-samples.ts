import fc from 'fast-check';

/** Lines of front matter, plain and not, right and wrong: what people write, and what is next to it. */

const word = fc.constantFrom(
  'a',
  'key',
  'tech-stack',
  'x_1',
  'version',
  'no',
  'true',
  'null',
  'constructor',
  '1',
  '"q"',
  "'s'",
  '?',
  '<<',
  'a b',
  'é',
);

const scalar = fc.oneof(
  fc.constantFrom(
    '',
    'plain',
    'two words',
    '001',
    '010',
    '001.1',
    '1e3',
    '1.10',
    '3',
    '-3',
    '-',
    '- x',
    '-x',
    '0',
    '-0',
    '1.5',
    '.5',
    '5.',
    'true',
    'True',
    'false',
    'null',
    'Null',
    '~',
    'no',
    'yes',
    'off',
    '2026-01-24',
    '2026-01-24T15:30:00Z',
    '12:30:45',
    '0x1F',
    '0o17',
    '.inf',
    '.nan',
    '1_000',
    '12345678901234567890',
    '"double"',
    '"a \\" b"',
    '"\\u00e9\\n"',
    '"\\x41"',
    '"\\ud83d\\ude00"',
    '"\\ud83d"',
    "'single'",
    "'it''s'",
    "''",
    '""',
    '"open',
    "'open",
    '"a" b',
    "'a' # c",
    '"a"# c',
    'a # comment',
    'a#b',
    '# only',
    'a: b',
    'a:b',
    'a:',
    'http://x.y/z',
    '[a, b]',
    '[]',
    '[ ]',
    '[a, "b c", \'d\', 3, 007]',
    '[a,]',
    '[,a]',
    '[a',
    'a]',
    '[[a], b]',
    '[a: b]',
    '[a b, c]',
    '[a #x, b]',
    '[-x, -]',
    '["11-01"]',
    '[a, b] # c',
    '[a]x',
    '{}',
    '{a: 1}',
    '{a: 1',
    '&x y',
    '*x',
    '!!str 1',
    '! x',
    '| ',
    '>',
    '|-',
    '@a',
    '`a',
    '%a',
    '...',
    '---',
    'a\u00a0b',
    '\u00a0',
    'a\u2028b',
    'a\tb',
    'a\u0085b',
    'x\u007f',
    '😀',
    'ü # x',
    '=',
    '<a',
    '(x)',
    '$x',
    '~x',
    ', x',
    'a, b',
    "don't",
    'a "b" c',
    '\\n',
    '^a.*$',
  ),
  fc.string({ maxLength: 12 }).map((text) => text.replaceAll('\n', ' ')),
);

const line = fc.oneof(
  { weight: 6, arbitrary: fc.tuple(word, scalar).map(([name, value]) => `${name}: ${value}`) },
  { weight: 3, arbitrary: scalar.map((value) => `- ${value}`) },
  { weight: 2, arbitrary: fc.tuple(word, scalar).map(([name, value]) => `- ${name}: ${value}`) },
  { weight: 2, arbitrary: word.map((name) => `${name}:`) },
  {
    weight: 1,
    arbitrary: fc.constantFrom(
      '',
      '  ',
      '# comment',
      '#',
      '-',
      '- - a',
      '...',
      '? a',
      ': b',
      'text',
      '%YAML 1.2',
      '\t',
    ),
  },
  { weight: 1, arbitrary: fc.tuple(word, scalar).map(([name, value]) => `${name}:   ${value}   `) },
);

const indented = fc
  .tuple(fc.constantFrom(0, 0, 0, 1, 2, 2, 2, 3, 4, 4, 6), line)
  .map(([indent, text]) => ' '.repeat(indent) + text);

/** Front matter of lines that fit together, or do not. */
export const anyMatter = fc
  .tuple(fc.array(indented, { maxLength: 8 }), fc.constantFrom('\n', '\n', '\n', '\r\n', '\r'), fc.boolean())
  .map(([lines, lineEnd, isEnded]) => lines.join(lineEnd) + (isEnded ? lineEnd : ''));

/** Front matter that is nearly always right: a tree of keys, lists and scalars, as agents write it. */
export const plainMatter = fc
  .array(
    fc.tuple(
      fc.integer({ min: 0, max: 99 }),
      fc.oneof(
        scalar,
        fc.array(scalar, { minLength: 1, maxLength: 3 }),
        fc.dictionary(fc.constantFrom('p', 'q', 'r-s'), scalar, { minKeys: 1, maxKeys: 3 }),
      ),
    ),
    {
      maxLength: 6,
    },
  )
  .chain((entries) =>
    fc
      .constantFrom(0, 2, 4)
      .map((indent) => entries.map(([number, value]) => renderEntry(`k${number}`, value, ' '.repeat(indent))).join('')),
  );

type Value = string | string[] | Record<string, string>;

function renderEntry(name: string, value: Value, indent: string): string {
  if (typeof value === 'string') return `${name}: ${value}\n`;
  if (Array.isArray(value)) return `${name}:\n${value.map((each) => `${indent}- ${each}\n`).join('')}`;
  const lines = Object.entries(value).map(([key, text]) => `${key}: ${text}`);
  return name.length % 2 === 0
    ? `${name}:\n${lines.map((each) => `${indent} ${each}\n`).join('')}`
    : `${name}:\n${indent}- ${lines.join(`\n${indent}  `)}\n`;
}

/** Values that front matter can hold. */
export const anyFields = fc.dictionary(
  fc
    .oneof(
      fc.constantFrom('version', 'no', 'tech-stack', '1', 'a b', '', 'constructor', '<<', '#', 'null'),
      fc.string({ unit: 'grapheme', maxLength: 8 }),
    )
    .filter((name) => name !== '__proto__' && name.isWellFormed()),
  fc.letrec((tie) => ({
    value: fc.oneof(
      { maxDepth: 3 },
      fc.oneof(
        fc.constantFrom(
          '001',
          'no',
          'null',
          '~',
          'true',
          '1e3',
          '2026-01-24',
          '',
          ' ',
          ' a',
          'a ',
          'a: b',
          'a #b',
          '# a',
          '- a',
          "it's",
          '"',
          '\\',
          'a\nb',
          'a\n',
          '\n',
          '\t',
          'a\r\nb',
          '\u0000',
          '\u2028',
          '\u0085',
          '\ufeff',
          '\ufffe',
          '=',
          '<<',
          '[a]',
          '{a}',
          '&a',
          '*a',
          '!a',
          '|',
          '>',
          '%',
          '@',
          '`',
          '---',
          '...',
          '😀',
          '0x1',
          '1_0',
          '12:30',
          'y',
          'N',
        ),
        fc.string({ unit: 'grapheme', maxLength: 12 }),
        fc.integer(),
        fc
          .double({ noNaN: true, noDefaultInfinity: true })
          .filter((value) => /^-?\d+(\.\d+)?$/.test(String(value)) && !Object.is(value, -0)),
        fc.boolean(),
        fc.constant(null),
      ),
      fc.array(tie('value'), { maxLength: 3 }),
      fc.dictionary(fc.constantFrom('a', 'b-c', 'on', '2'), tie('value'), { maxKeys: 3 }),
    ),
  })).value,
  { maxKeys: 5, noNullPrototype: true },
);
