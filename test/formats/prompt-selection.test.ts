import { expect } from 'vitest';
import type { PromptItem } from '../../packages/batonpass/src/formats/prompt-lines.ts';
import type { PromptSection } from '../../packages/batonpass/src/formats/prompt-sections.ts';
import { chooseItems } from '../../packages/batonpass/src/formats/prompt-selection.ts';
import { estimateTokens } from '../../packages/batonpass/src/formats/token-estimate.ts';
import { verifies } from '../verifies.ts';

/** An item that takes about so many tokens. */
function itemOf(tokens: number): PromptItem {
  const item = { mark: '- ', text: 'tide '.repeat(tokens - 2).trimEnd(), suffix: '', partial: false } as const;
  expect(Math.abs(estimateTokens(`- ${item.text}`) + 1 - tokens)).toBeLessThanOrEqual(2);
  return { ...item };
}

function sectionOf(name: 'decisions' | 'files', share: number, items: PromptItem[]): PromptSection {
  const plain = { ordered: false, isSpoken: false, isDerived: false, isWhole: false } as const;
  return { name, heading: name, unit: ['one', 'many'], share, ...plain, items };
}

/** The tokens that are shown of each item; another section takes the other half of the room, and all that is left. */
function tokensShown(...tokens: number[]): number[] {
  const items = tokens.map(itemOf);
  const others = Array.from({ length: 40 }, () => itemOf(10));
  const shown = chooseItems([sectionOf('files', 0.5, others), sectionOf('decisions', 0.5, items)], 400);
  return items.map((item) => estimateTokens(shown.get(item)?.text ?? ''));
}

verifies(
  ['RENDER.share'],
  'an item that is larger than half of the share is shortened to what is left of the share',
  () => {
    const [first = 0, second = 0] = tokensShown(140, 130);
    expect(first).toBeGreaterThan(130);
    expect(second).toBeGreaterThan(24);
    expect(second).toBeLessThanOrEqual(60);
  },
);

verifies(['RENDER.share'], 'a smaller one is whole or not there', () => {
  const [first = 0, second] = tokensShown(140, 70);
  expect(first).toBeGreaterThan(130);
  expect(second).toBe(0);
});

verifies(
  ['RENDER.share'],
  'one that is larger than the whole share takes half of it, and the next one has the rest',
  () => {
    const [first = 0, second = 0] = tokensShown(900, 80);
    expect(first).toBeLessThanOrEqual(100);
    expect(first).toBeGreaterThan(60);
    expect(second).toBeGreaterThan(70);
  },
);

verifies(['RENDER.share'], 'a command is shown whole or not at all', () => {
  const commands = { ...sectionOf('files', 1, [itemOf(300), itemOf(40)]), isWhole: true };
  const shown = chooseItems([commands], 100);
  expect(commands.items.map((item) => shown.get(item)?.text)).toEqual([undefined, commands.items[1]?.text]);
});
