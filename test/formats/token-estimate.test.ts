import fc from 'fast-check';
import { estimateTokenCount } from 'tokenx';
import { expect } from 'vitest';
import { estimateTokens } from '../../packages/batonpass/src/formats/token-estimate.ts';
import { verifies } from '../verifies.ts';

/** Hashes and keys, and some scripts, count more than in tokenx's own figures. */
const languageConfigs = [
  { pattern: /[\u0590-\u05FF]/, averageCharsPerToken: 3.5 },
  { pattern: /[\u0600-\u06FF\u0750-\u077F]/, averageCharsPerToken: 4 },
  { pattern: /[\u0900-\u0DFF]/, averageCharsPerToken: 4 },
  { pattern: /[\u0E00-\u0E7F]/, averageCharsPerToken: 2.5 },
  { pattern: /^(?=[A-Za-z]*[0-9])[0-9A-Za-z]{16,}$/, averageCharsPerToken: 2 },
];

const pieces = fc.oneof(
  fc.string({ maxLength: 12 }),
  fc.string({ unit: 'binary', maxLength: 6 }),
  fc.stringMatching(/^[a-zA-Z0-9]{0,24}$/),
  fc.stringMatching(/^[0-9a-f']{10,40}$/),
  fc.constantFrom(
    ' ',
    '\n',
    '\n\n',
    '\n  ',
    ' \n',
    '\t',
    '\r\n',
    '\v',
    '\u0085',
    '\u00A0',
    '\u3000',
    '\uFEFF',
    '\uD800',
  ),
  fc.constantFrom(
    '…',
    '、',
    '。\n',
    '日本',
    'かな',
    '한글',
    'é',
    'größe',
    '👍🏽\n',
    'שלום',
    'สวัสดี',
    '...',
    '--------',
    "don't",
  ),
);

verifies(['RENDER.budget'], 'an estimate is tokenx’s own, by each way of counting', () => {
  const texts = fc.array(pieces, { maxLength: 20 }).map((parts) => parts.join(''));
  fc.assert(
    fc.property(texts, (text) => {
      expect([text, estimateTokens(text)]).toEqual([text, estimateTokenCount(text, { languageConfigs })]);
    }),
    { numRuns: 3_000 },
  );
});
