import canonicalize from 'canonicalize';
import fc from 'fast-check';
import { expect } from 'vitest';
import { encodeCanonicalJson, writeCanonicalJson } from '../../packages/batonpass/src/core/canonical-json.ts';
import { verifies } from '../verifies.ts';

/** Gives its members out of order when it is written. */
class Unordered {
  toJSON(): object {
    return { z: 1, y: 2 };
  }
}

const shapes: readonly unknown[] = [
  { a: 1, b: { d: 1, c: 2 } },
  { 10: 1, 9: 2, a: 3 },
  { 1: 1, 2: 2 },
  { '\ufb33': 1, '\u{1F600}': 2 },
  { '\u{1F600}': 2, '\ufb33': 1 },
  [{ b: 1 }, { a: 1 }, -0, 1e21],
  { a: undefined, b: [undefined, () => 1] },
  { a: new Date(0), b: { toJSON: () => ({ z: 1, y: 2 }) } },
  { a: new Map([[1, 2]]), b: Object.assign(Object.create(null), { d: 1, c: 2 }) },
  { ['__proto__']: 1, a: 2 },
  { '': 1, ' ': 2, _: { 9: 1, 10: 2 }, '0x': 3 },
  [0, -0, [-0]],
  { wide: Array.from({ length: 30_000 }, (_, index) => ({ index })) },
  new Unordered(),
  [new Unordered()],
];

verifies(['RECORD.canonical'], 'a value whose names are in order already is written as any other', () => {
  const check = (value: unknown) => {
    const text = canonicalize(value);
    expect(encodeCanonicalJson(value)).toBe(text);
    // A copy and its text, however it was made.
    const written = writeCanonicalJson(value);
    expect(written.text).toBe(text);
    expect(JSON.stringify(written.value)).toBe(JSON.stringify(JSON.parse(text ?? '')));
    expect(written.value).toStrictEqual(JSON.parse(text ?? ''));
  };
  shapes.forEach(check);
  fc.assert(
    fc.property(fc.jsonValue(), (value) => {
      check(value);
      check(JSON.parse(canonicalize(value) ?? 'null'));
    }),
  );
});
