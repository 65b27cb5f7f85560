/** A hostile or broken document: its error, or its values, which are data alone. */
export interface HostileCase {
  name: string;
  document: string | Uint8Array;
  /** What the refusal says; or the values of the front matter, null for none. */
  expected: RegExp | Readonly<Record<string, unknown>> | null;
}

const head =
  'version: 001\ntype: findings\nstatus: complete\ncreated: 2026-01-24\nphase: a\nagent: b\nconfidence: low\n';
const matter = (text: string, body = 'body\n') => `---\n${text}\n---\n${body}`;
const language = /Front matter must be YAML/;
const tooDeep = /nested more than 50 deep/;
/** What would run, if anything ran: it leaves a file that the test looks for. */
const attack = 'require("fs").writeFileSync(process.env.BATON_CANARY, "executed")';

const bomb = `a: &a [x,x,x,x,x,x,x,x,x]\n${[...'bcdefghij'].map((each, index) => `${each}: &${each} [${Array(9).fill(`*${'abcdefghij'[index]}`).join(',')}]`).join('\n')}`;

const languages: HostileCase[] = [
  ['---js', '---js'],
  ['---javascript', '---javascript'],
  ['--- js with a space', '--- js'],
  ['---coffee', '---coffee'],
  ['---coffeescript', '---coffeescript'],
  ['---JS', '---JS'],
  ['a tab before js', '---\tjs'],
  ['js behind a byte order mark', '\ufeff---js'],
  ['js behind blank lines', '\n\n---js'],
].map(([name = '', opening = '']) => ({
  name,
  document: `${opening}\nmodule.exports = ${attack}\n---\n`,
  expected: opening.startsWith('\n') ? null : language,
}));

const otherLanguages: HostileCase[] = [
  { name: '---json', document: '---json\n{"a": 1}\n---\n', expected: language },
  { name: '---toml', document: '---toml\na = 1\n---\n', expected: language },
  { name: '---ts', document: `---ts\n${attack}\n---\n`, expected: language },
  { name: '---__proto__', document: '---__proto__\na: 1\n---\n', expected: language },
  { name: '---constructor', document: '---constructor\na: 1\n---\n', expected: language },
  { name: 'a second block in js', document: matter('a: b', `---js\n${attack}\n---\n`), expected: { a: 'b' } },
];

const tags: HostileCase[] = [
  {
    name: 'a function tag',
    document: matter(`a: !!js/function "function(){ ${attack.replaceAll('"', "'")} }"`),
    expected: /The tag .*js\/function/,
  },
  { name: 'an undefined tag', document: matter('a: !!js/undefined ""'), expected: /The tag/ },
  { name: 'a regular expression tag', document: matter('a: !!js/regexp /(a+)+$/'), expected: /The tag/ },
  { name: 'a Python tag', document: matter('a: !!python/object/apply:os.system ["true"]'), expected: /The tag/ },
  { name: 'a Ruby tag', document: matter('a: !ruby/object:Gem::Installer {}'), expected: /The tag/ },
  { name: 'a harmless tag', document: matter('a: !!int "3"'), expected: /The tag/ },
  { name: 'a tag of a key', document: matter('!!binary aGk=: 1'), expected: /The name .* is not allowed/ },
  { name: 'a tag directive', document: matter('%TAG ! tag:example.com,2000:\na: !x 1'), expected: /a\.md:\d+:\d+/ },
];

const sizes: HostileCase[] = [
  { name: 'an alias bomb', document: matter(bomb), expected: /more than 100000 values/ },
  { name: 'an alias of itself', document: matter('a: &x [*x]'), expected: tooDeep },
  { name: 'an alias of nothing', document: matter('a: *nothing'), expected: /alias/i },
  { name: 'an alias as a key', document: matter('a: &x k\n*x : 1'), expected: /name of a field/ },
  { name: 'lists 6,000 deep', document: matter(`a: ${'['.repeat(6_000)}`), expected: tooDeep },
  { name: 'maps 1,500 deep', document: matter(`a: ${'{a: '.repeat(1_500)}`), expected: tooDeep },
  { name: 'dashes 1,500 deep', document: matter(`a:\n  ${'- '.repeat(1_500)}x`), expected: tooDeep },
  { name: 'lists 60 deep', document: matter(`a: ${'['.repeat(60)}${']'.repeat(60)}`), expected: tooDeep },
  { name: 'a key of 2,000 characters', document: matter(`${'k'.repeat(2_000)}: 1`), expected: /a\.md:2:/ },
  {
    name: 'front matter of a megabyte',
    document: matter(`a: ${'x'.repeat(1_000_000)}`),
    expected: /more than 524288 characters/,
  },
  {
    name: 'eight thousand fields',
    document: matter(Array.from({ length: 8_000 }, (_, n) => `k${n}:`).join('\n')),
    expected: Object.fromEntries(Array.from({ length: 8_000 }, (_, n) => [`k${n}`, null])),
  },
  { name: '60,000 blank lines', document: matter('\n'.repeat(60_000)), expected: {} },
  { name: '3,000 commas', document: matter(`a: [${','.repeat(3_000)}]`), expected: /a\.md:2:/ },
];

const keys: HostileCase[] = [
  { name: '__proto__', document: matter('__proto__: {isAdmin: true}'), expected: /__proto__/ },
  { name: '__proto__ in quotes', document: matter('"__proto__": {isAdmin: true}'), expected: /__proto__/ },
  { name: '__proto__ in a map', document: matter('a: {__proto__: {isAdmin: true}}'), expected: /__proto__/ },
  { name: '__proto__ in a list', document: matter('a:\n  - __proto__: 1'), expected: /__proto__/ },
  {
    name: 'constructor and prototype',
    document: matter('constructor: {prototype: {isAdmin: true}}\ntoString: x'),
    expected: { constructor: { prototype: { isAdmin: true } }, toString: 'x' },
  },
  { name: 'a merge key', document: matter('a: &x {b: 1}\n<<: *x'), expected: { a: { b: 1 }, '<<': { b: 1 } } },
  { name: 'a field twice', document: matter('a: 1\na: 2'), expected: /a\.md:3:1: The field a is there twice/ },
  { name: 'a field twice in a map', document: matter('m: {a: 1, a: 2}'), expected: /twice/ },
  { name: 'a list as a key', document: matter('? [a]\n: b'), expected: /name of a field/ },
];

const forms: HostileCase[] = [
  { name: 'CRLF', document: matter('a: b\r\nc: d\r', 'x\r\n'), expected: { a: 'b', c: 'd' } },
  { name: 'a lone carriage return', document: matter('a: b\rc: d'), expected: /U\+000D/ },
  { name: 'a byte order mark', document: `\ufeff${matter('a: b')}`, expected: { a: 'b' } },
  { name: 'a byte order mark within', document: matter('a: \ufeffb'), expected: { a: '\ufeffb' } },
  { name: 'a body that begins with ---', document: matter('a: b', '---\nc: d\n---\n'), expected: { a: 'b' } },
  { name: 'tabs as indentation', document: matter('a:\n\tb: c'), expected: /a\.md:3:1: Tabs/ },
  { name: 'a NUL in a value', document: matter('a: x\0y'), expected: /U\+0000/ },
  { name: 'a NUL in the body', document: matter('a: b', 'x\0y'), expected: { a: 'b' } },
  { name: 'an escape character', document: matter('a: "\u001b[2J"'), expected: /U\+001B/ },
  { name: 'an escape character, escaped', document: matter('a: "\\x1b[2J"'), expected: { a: '\u001b[2J' } },
  { name: 'half of a character, escaped', document: matter('a: "\\ud800"'), expected: /a lone surrogate/ },
  {
    name: 'half of a character, as bytes',
    document: Buffer.from([...Buffer.from('---\na: '), 0xed, 0xa0, 0x80, ...Buffer.from('\n---\n')]),
    expected: /a\.md:2:4: The byte 0xED is not UTF-8/,
  },
  {
    name: 'Latin-1',
    document: Buffer.from('---\na: caf\xe9\n---\n', 'latin1'),
    expected: /a\.md:2:7: The byte 0xE9 is not UTF-8/,
  },
  {
    name: 'UTF-16',
    document: Buffer.from('\ufeff---\na: b\n---\n', 'utf16le'),
    expected: /a\.md:1:1: The text is UTF-16/,
  },
  {
    name: 'stray bytes in the body',
    document: Buffer.from('---\na: b\n---\nx \x92 y', 'latin1'),
    expected: { a: 'b' },
  },
  { name: 'not closed', document: '---\na: b\n', expected: /a\.md:3:1: .*not closed/ },
  { name: 'closed by an indented line', document: '---\na: b\n ---\n', expected: /not closed/ },
  { name: 'closed by more dashes', document: '---\na: b\n----\n', expected: /not closed/ },
  { name: 'a document end within', document: matter('a: b\n...\nc: d'), expected: /a\.md:3:1: .*ends within itself/ },
  { name: 'an open quote', document: matter('a: "b'), expected: /quote/ },
  { name: 'an open list', document: matter('a: [b'), expected: /a\.md:/ },
  { name: 'a list and no fields', document: matter('- a\n- b'), expected: /no fields/ },
  { name: 'a text and no fields', document: matter('just text'), expected: /no fields/ },
  { name: 'direction marks', document: matter('a: "b\u202ec"'), expected: { a: 'b\u202ec' } },
  { name: 'a line separator', document: matter('a: b\u2028c'), expected: { a: 'b\u2028c' } },
  {
    name: 'a template',
    document: matter(`a: "\${${attack.replaceAll('"', "'")}}"\nb: <%= 1 %>`),
    expected: { a: `\${${attack.replaceAll('"', "'")}}`, b: '<%= 1 %>' },
  },
  {
    name: 'a shell command',
    document: matter('a: $(touch "$BATON_CANARY")\nb: "`touch $BATON_CANARY`"'),
    expected: { a: '$(touch "$BATON_CANARY")', b: '`touch $BATON_CANARY`' },
  },
  { name: 'only dashes', document: '---', expected: /not closed/ },
  { name: 'empty front matter', document: '---\n---\n', expected: {} },
];

/** Sixty and more documents from the worst of days. */
export const hostileCases: readonly HostileCase[] = [
  ...languages,
  ...otherLanguages,
  ...tags,
  ...sizes,
  ...keys,
  ...forms,
];

/** Fields that would lead elsewhere, if they became a path. */
export const traversals: readonly string[] = [
  '../../canary',
  '001/../../canary',
  '/canary',
  '..',
  '001\\..\\canary',
  '"001\\0"',
  'CON',
  '.',
].map((version) => matter(head.replace('001', version)));
