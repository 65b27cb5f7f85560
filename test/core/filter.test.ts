import { expect } from 'vitest';
import { matches } from '../../packages/batonpass/src/core/filter.ts';
import { decodeListCursor, encodeListCursor } from '../../packages/batonpass/src/stores/list-cursor.ts';
import { created_ms, sampleHandoff } from '../formats/sample-handoff.ts';
import { verifies } from '../verifies.ts';

verifies(
  ['LIFE.list'],
  'since includes what was created at that very instant, in any time zone, and nothing before',
  () => {
    const handoff = sampleHandoff();
    const isIn = (since: string) => matches(handoff, { since });
    expect(isIn(new Date(created_ms).toISOString())).toBe(true);
    expect(isIn('2026-03-01T11:00:00+01:00')).toBe(true);
    expect(isIn(new Date(created_ms + 1).toISOString())).toBe(false);
    expect(isIn(new Date(created_ms - 1).toISOString())).toBe(true);
  },
);

verifies(['LIFE.list'], 'a cursor is read as it was written, and no other text is', () => {
  for (const seq of [0, 1, 42, 999_999_999_999_999]) expect(decodeListCursor(encodeListCursor(seq))).toBe(seq);
  const others = ['before:01', 'before:NaN', 'before:', 'before:1 ', ' before:1', 'before:1.5', 'after:1'];
  const texts = others.map((text) => Buffer.from(text).toString('base64url'));
  // Two spellings that the decoder of Node reads as the same bytes.
  for (const cursor of [...texts, `${encodeListCursor(1)}=`, ` ${encodeListCursor(1)}`]) {
    expect(() => decodeListCursor(cursor), cursor).toThrowError(expect.objectContaining({ code: 'invalid_input' }));
  }
});
