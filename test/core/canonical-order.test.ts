import canonicalize from 'canonicalize';
import fc from 'fast-check';
import { expect } from 'vitest';
import { encodeCanonicalJson } from '../../packages/batonpass/src/core/canonical-json.ts';
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
  new Unordered(),
  [new Unordered()],
];

verifies(['RECORD.canonical'], 'a value whose names are in order already is written as any other', () => {
  for (const value of shapes) expect(encodeCanonicalJson(value)).toBe(canonicalize(value));
  fc.assert(
    fc.property(fc.jsonValue(), (value) => {
      const text = canonicalize(value);
      expect(encodeCanonicalJson(value)).toBe(text);
      expect(encodeCanonicalJson(JSON.parse(text ?? 'null'))).toBe(text);
    }),
  );
});
