import fc from 'fast-check';
import { expect } from 'vitest';
import { encodeCanonicalJson } from '../../packages/batonpass/src/core/canonical-json.ts';
import type { ContentInput } from '../../packages/batonpass/src/core/content.ts';
import { neutralizeLine } from '../../packages/batonpass/src/formats/neutralize.ts';
import { renderContent } from '../../packages/batonpass/src/formats/prompt.ts';
import { listPromptSections } from '../../packages/batonpass/src/formats/prompt-sections.ts';
import {
  chooseItems,
  FRAME_RESERVE_TOKENS,
  reserveOf,
  showAll,
} from '../../packages/batonpass/src/formats/prompt-selection.ts';
import { estimateTokens } from '../../packages/batonpass/src/formats/token-estimate.ts';
import { verifies } from '../verifies.ts';
import { hostileTexts } from './hostile-texts.ts';
import { sampleContent } from './sample-content.ts';

/** Texts of ASCII with words, marks, numbers and lines as people and programs write them. */
const words = fc.array(
  fc.oneof(
    fc.constantFrom(
      'a',
      'the',
      'limiter',
      'answers',
      '429',
      'src/a.ts:10',
      '{"b":[1,2]}',
      '--',
      'x=1;',
      '0123456789abcdef0123',
    ),
    fc.string({ unit: 'grapheme-ascii', maxLength: 12 }),
    fc.constant('\n'),
  ),
  { minLength: 1, maxLength: 30 },
);
const text = words.map((parts) => parts.join(' ')).filter((joined) => joined.trim() !== '');
const list = fc.array(text, { maxLength: 8 });

const input: fc.Arbitrary<ContentInput> = fc.record({
  summary: text,
  next_steps: list,
  open_questions: list,
  decisions: fc.array(
    text.map((content) => ({ content })),
    { maxLength: 8 },
  ),
  body: text,
  payload: fc.jsonValue({ maxDepth: 2 }),
});

/** What is left of the budget when nothing is shown and all is counted as cut. */
function roomOf(whole: string, sections: ReturnType<typeof listPromptSections>, budget: number): number {
  const [head = ''] = whole.split('\n\n## ');
  const parts = sections.map(({ items, unit }) => `${items.length} ${items.length === 1 ? unit[0] : unit[1]}`);
  const notice = `Left out or shortened to fit: ${parts.join(', ')}. The command "baton show", with the handoff's id, shows all.`;
  return budget - estimateTokens([head, notice, '</handoff>\n'].join('\n\n')) - FRAME_RESERVE_TOKENS;
}

verifies(
  ['RENDER.same-bytes'],
  'what is rendered at once because it fits is what choosing line by line would show',
  () => {
    fc.assert(
      fc.property(input, (given) => {
        const content = sampleContent(given);
        const large = renderContent(content, 100_000);
        const sections = listPromptSections(content, 1_200_000);
        const shown = showAll(sections, 100_000);
        fc.pre(shown !== null);
        // The smallest budget at which nothing is weighed.
        const budget = large.tokens + reserveOf(sections, shown);
        const chosen = chooseItems(sections, roomOf(large.text, sections, budget));
        expect([...chosen]).toEqual(expect.arrayContaining([...shown]));
        expect(chosen.size).toBe(shown.size);
        expect(large.tokens).toBe(estimateTokens(large.text));
      }),
      { numRuns: 200 },
    );
  },
);

verifies(['RENDER.hostile'], 'JSON that needs no change is told from JSON that does', () => {
  const value = fc.oneof(
    fc.constantFrom(...hostileTexts),
    fc.string({ unit: 'grapheme' }),
    fc.string(),
    fc.jsonValue(),
  );
  const assertSame = (given: Record<string, unknown>) => {
    const json = encodeCanonicalJson(JSON.parse(JSON.stringify(given).toWellFormed()));
    // Behind a letter it is no JSON any more, and goes through every rule.
    expect(`x${neutralizeLine(json)}`).toBe(neutralizeLine(`x${json}`));
  };
  for (const hostile of hostileTexts) assertSame({ a: hostile });
  fc.assert(fc.property(fc.dictionary(fc.string({ maxLength: 4 }), value, { minKeys: 1 }), assertSame), {
    numRuns: 500,
  });
});
