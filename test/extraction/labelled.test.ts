import { join } from 'node:path';
import { describe, expect } from 'vitest';
import { isEvidenced } from '../../packages/batonpass/src/core/evidence.ts';
import { extractByRules } from '../../packages/batonpass/src/extraction/extract-by-rules.ts';
import { findBelow, toMetrics } from '../../scripts/extraction-metrics.ts';
import { addToScore, createScore } from '../../scripts/extraction-score.ts';
import { readLabelled, toConversation, toPrediction } from '../../scripts/labelled-conversations.ts';
import { verifies } from '../verifies.ts';

const labelled = await readLabelled(join(import.meta.dirname, 'conversations'));
const isEmpty = (id: string) => id.startsWith('none-');

describe('the labelled conversations of the tests', () => {
  verifies(['RULES.measured'], 'are extracted as well as the goals ask', () => {
    const score = createScore();
    for (const gold of labelled) addToScore(score, toPrediction(extractByRules(toConversation(gold))), gold);
    expect(labelled.length).toBeGreaterThanOrEqual(26);
    expect(findBelow(toMetrics(score)).map(({ name, value }) => `${name} ${value}`)).toEqual([]);
  });

  verifies(['EXTRACT.evidence'], 'are quoted to the letter, supports included', () => {
    for (const gold of labelled) {
      const conversation = toConversation(gold);
      const { decisions, files, risks, next_steps, open_questions } = extractByRules(conversation);
      const supports = decisions.flatMap(({ support = [] }) => support);
      const items = [...decisions, ...files, ...risks, ...next_steps, ...open_questions];
      for (const evidence of [...supports, ...items.flatMap((item) => item.evidence ?? [])])
        expect(isEvidenced(evidence, conversation), evidence.quote).toBe(true);
      expect(isEvidenced({ message: conversation.messages.length, quote: 'a' }, conversation)).toBe(false);
    }
  });

  for (const gold of labelled.filter(({ id }) => isEmpty(id))) {
    verifies(['RULES.abstain', 'EXTRACT.abstains'], `decide nothing where there is nothing: ${gold.id}`, () => {
      const found = extractByRules(toConversation(gold));
      expect(found.decisions).toEqual([]);
      expect(found.risks).toEqual([]);
      expect(found.next_steps).toEqual([]);
      expect(found.summary.length).toBeGreaterThan(10);
    });
  }

  verifies(['RULES.abstain'], 'are ten at least in which nothing is decided', () => {
    expect(labelled.filter(({ id }) => isEmpty(id)).length).toBeGreaterThanOrEqual(10);
  });

  verifies(['RULES.summary'], 'are summed up in two or three parts that were said', () => {
    for (const gold of labelled) {
      const { summary } = extractByRules(toConversation(gold));
      expect(summary.length, gold.id).toBeLessThan(1_200);
      expect(summary.match(/(?:^|\. )(?:Decided|Next|Open): /g)?.length ?? 0).toBeLessThanOrEqual(2);
    }
  });
});
