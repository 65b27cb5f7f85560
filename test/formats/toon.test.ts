import { decode } from '@toon-format/toon';
import fc from 'fast-check';
import { expect } from 'vitest';
import { isHandoffError, ParseError } from '../../packages/batonpass/src/core/errors.ts';
import { limits } from '../../packages/batonpass/src/core/limits.ts';
import { assertWithinBounds } from '../../packages/batonpass/src/formats/toon/bounds.ts';
import { decodeToon } from '../../packages/batonpass/src/formats/toon/decode-toon.ts';
import { encodeToon } from '../../packages/batonpass/src/formats/toon/encode-toon.ts';
import { verifies } from '../verifies.ts';
import { type DialectCase, readable, refusedTexts } from './toon-dialect.ts';

function refusal(text: string): unknown {
  try {
    decodeToon(text);
  } catch (error) {
    return error;
  }
  throw new Error('It was not refused.');
}

verifies(
  ['TOON.round-trip', 'PF.toon.strict-writing'],
  'any value is written so that the strict decoder reads it',
  () => {
    const text = fc.string({ unit: 'binary' }).map((each) => each.toWellFormed());
    const { value } = fc.letrec((tie) => ({
      value: fc.oneof({ depthSize: 'small' }, fc.jsonValue(), text, tie('list'), tie('object')),
      list: fc.array(tie('value'), { maxLength: 5 }),
      object: fc.dictionary(text, tie('value'), { maxKeys: 5 }),
    }));
    fc.assert(
      fc.property(value, (given) => {
        const meant = toPlain(given);
        const written = encodeToon(given);
        expect(toPlain(decode(written))).toEqual(meant);
        const read = decodeToon(written);
        expect(toPlain(read.value)).toEqual(meant);
        expect(read.repairs).toEqual([]);
      }),
      { numRuns: 300 },
    );
  },
);

/** As JSON carries it, in which minus zero is zero. */
function toPlain(value: unknown): unknown {
  return JSON.parse(JSON.stringify(value));
}

verifies(
  ['TOON.round-trip'],
  'what no text can represent is written as JSON would, and half characters are replaced',
  () => {
    expect(
      decodeToon(encodeToon({ a: undefined, b: [undefined, () => 1], c: new Date(0), d: 'x\ud800' })).value,
    ).toEqual({
      b: [null, null],
      c: '1970-01-01T00:00:00.000Z',
      d: 'x\ufffd',
    });
  },
);

verifies(['TOON.strict-first'], 'a text in the strict form is read as the official decoder reads it', () => {
  for (const text of [
    '',
    'a: 1',
    'x',
    '[2]: 1,2',
    'a[1]{b,c}:\n  1,2',
    'a:\r\n  b: "x"\r\n',
    'a: |',
    '# only a comment',
  ]) {
    expect(decodeToon(text)).toEqual({ value: decode(text), repairs: [] });
  }
});

for (const { name, text, value, repairs, refused } of readable) {
  verifies(['TOON.dialect', 'PF.toon.lenient-reading', 'PF.toon.field-defects'], `${name}: read as meant`, () => {
    if (refused !== undefined) return expectRefused({ name, text, refused });
    const read = decodeToon(text);
    expect(read.value).toEqual(value);
    expect(read.repairs.length).toBeGreaterThan(0);
    if (repairs !== undefined) expect(read.repairs).toEqual(repairs);
  });
}

for (const refused of refusedTexts) {
  verifies(['TOON.refusals', 'PF.toon.ambiguous-refused', 'PF.toon.field-defects'], `${refused.name}: refused`, () =>
    expectRefused(refused),
  );
}

function expectRefused({ text, refused }: DialectCase): void {
  const error = refusal(text) as ParseError;
  expect(error).toBeInstanceOf(ParseError);
  expect({ line: error.line, column: error.column }).toEqual({ line: refused?.line, column: refused?.column });
  expect(error.message).toMatch(refused?.says ?? /^$/);
  expect(error.alternatives.join('\n')).toMatch(refused?.advises ?? /./);
}

verifies(
  ['TOON.names'],
  'names of the language are members of their own, in the strict form and in the dialect',
  () => {
    const text = '__proto__:\n  polluted: true\nconstructor: 1\ntoString: 2\nlist[1]{__proto__,valueOf}:\n  3,4\n';
    for (const each of [text, text.replace('  3,4', '3,4'), `- x\n${text}`.slice(4)]) {
      const { value } = decodeToon(each) as { value: Record<string, unknown> };
      expect(Object.keys(value)).toEqual(['__proto__', 'constructor', 'toString', 'list']);
      expect(Object.getOwnPropertyDescriptor(value, '__proto__')?.value).toEqual({ polluted: true });
      expect(Object.getPrototypeOf(value)).toBe(Object.prototype);
      expect(({} as Record<string, unknown>).polluted).toBeUndefined();
      expect(decodeToon(encodeToon(value)).value).toEqual(value);
    }
  },
);

const levels = (count: number) => Array.from({ length: count }, (_, level) => `${' '.repeat(level * 2)}a:`).join('\n');

verifies(
  ['PF.toon.limits', 'TOON.bounded-time'],
  'too many bytes, lines and levels are refused before decoding',
  () => {
    const cases: [string, string][] = [
      ['a: b\n'.repeat(2_000_000), 'bytes'],
      [`a: ${'é'.repeat(limits.toon_bytes_max / 2)}`, 'bytes'],
      ['\n'.repeat(limits.toon_lines_max), 'lines'],
      [levels(1_000), 'levels of nesting'],
      [`${'\t'.repeat(10_000)}a: 1`, 'levels of nesting'],
      [`a[1]${'{a'.repeat(10_000)}${'}'.repeat(10_000)}:\n  1`, 'levels of fields'],
    ];
    for (const [text, unit] of cases) {
      const error = refusal(text);
      expect(error).toMatchObject({ code: 'too_large', details: { unit } });
      expect((error as Error).cause).toBeUndefined();
    }
    expect(decodeToon(levels(limits.toon_depth_max)).repairs).toEqual([]);
  },
);

verifies(['PF.toon.limits'], 'the deepest that is allowed is read and written, and one level more is not', () => {
  const deepest = limits.toon_depth_max;
  const nest = (count: number) => Array.from({ length: count }).reduce<object | number>((deep) => ({ deep }), 1);
  const groups = (count: number) => `a[1]${'{a'.repeat(count)}${'}'.repeat(count)}:\n  1`;
  const tooLarge = expect.objectContaining({ code: 'too_large' });
  // The last line of so many levels is one level further left.
  expect(decodeToon(levels(deepest + 1)).repairs).toEqual([]);
  expect(() => decodeToon(levels(deepest + 2))).toThrowError(tooLarge);
  expect(() => assertWithinBounds(groups(deepest))).not.toThrow();
  expect(() => assertWithinBounds(groups(deepest + 1))).toThrowError(tooLarge);
  expect(decodeToon(encodeToon(nest(deepest))).value).toEqual(nest(deepest));
  expect(() => encodeToon(nest(deepest + 1))).toThrowError(tooLarge);
});

verifies(['PF.toon.limits'], 'what could not be read back is not written', () => {
  let deep: unknown = 1;
  for (let level = 0; level < 10_000; level += 1) deep = { deep };
  for (const value of [
    deep,
    { a: 'x'.repeat(limits.toon_bytes_max) },
    Array.from({ length: 30_000 }, () => ({ a: {} })),
  ]) {
    expect(() => encodeToon(value)).toThrowError(expect.objectContaining({ code: 'too_large' }));
  }
});

verifies(
  ['TOON.bounded-time'],
  'texts made to be slow are read or refused',
  () => {
    const slow = [
      `a: b${' '.repeat(1_900_000)}c\n- `,
      `b\na: "${'\\"'.repeat(900_000)}`,
      `x: y\n"${'\\a'.repeat(900_000)}`,
      `a[3]${'['.repeat(1_900_000)}\n- `,
      `a[2]:\n- a: ${'b, c: '.repeat(200_000)}\n- a: b`,
      `# input${' '.repeat(1_900_000)}x`,
      ']{}'.repeat(600_000),
      `${']{'.repeat(60)}${'x]{}'.repeat(400_000)}`,
      `z:\n- q\n${Array.from({ length: 9_000 }, (_, index) => `a${index}: |\n  x`).join('\n')}`,
      `${'\n'.repeat(10_000)}${Array.from({ length: 4_900 }, (_, index) => `a${index}[1]:\n  - x`).join('\n')}`,
    ];
    for (const text of slow) {
      try {
        decodeToon(text);
      } catch (error) {
        expect(isHandoffError(error)).toBe(true);
      }
    }
  },
  30_000,
);
