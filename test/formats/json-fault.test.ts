import { expect } from 'vitest';
import { findJsonFault } from '../../packages/batonpass/src/formats/json-fault.ts';
import { verifies } from '../verifies.ts';

verifies(['RECORDS.cut'], 'the position where a text stops being JSON is found, for any fault', () => {
  const cases: [text: string, line: number, column: number][] = [
    ['', 1, 1],
    ['{\n  "a": oops\n}', 2, 8],
    ['{\n  "a": 1,\n}', 3, 1],
    ['{\n  "a": "x\n"}', 2, 10],
    ['[1,\n2,\n3', 3, 2],
    ['{"a": 1}\n}', 2, 1],
    ['[1 2]', 1, 4],
    [`{"long": "${'x'.repeat(5_000)}",\n"b": \u00e4}`, 2, 6],
  ];
  for (const [text, line, column] of cases) {
    expect(() => JSON.parse(text)).toThrow();
    expect({ text: text.slice(0, 20), ...findJsonFault(text) }).toMatchObject({
      text: text.slice(0, 20),
      line,
      column,
    });
  }
});
