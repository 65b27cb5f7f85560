import { decode } from '@toon-format/toon';
import { expect } from 'vitest';
import { isHandoffError } from '../../packages/batonpass/src/core/errors.ts';
import { decodeToon } from '../../packages/batonpass/src/formats/toon/decode-toon.ts';
import { readable, refusedTexts } from '../formats/toon-dialect.ts';
import { verifies } from '../verifies.ts';
import { everywhere, failures, successes } from './message-cases.ts';
import { type MessageStage, openMessageStage } from './message-stage.ts';
import { createChance, mutate } from './mutate.ts';
import { samplePlan } from './sample-plan.ts';
import { sourceErrors } from './source-errors.ts';

/** How many texts are wounded: some thousand here, more by `npm run soak -- plan`. */
const runs = Number(process.env.BATON_PLAN_MUTATIONS ?? 5_000);
/** A run that failed is repeated by its seed. */
const seed = Number(process.env.BATON_PLAN_SEED ?? 1);

const requests = [...Object.values(successes), ...everywhere, ...failures].map(({ request }) => request);
const texts = [...requests, ...Object.values(sourceErrors), ...[...readable, ...refusedTexts].map(({ text }) => text)];

verifies(
  ['TOON.mutated', 'TOON.strict-first', 'PF.toon.ambiguous-refused'],
  'mutated texts are read or refused with a position, and strict ones as the official decoder reads them',
  () => {
    for (let run = 0; run < runs; run += 1) {
      const chance = createChance(seed + run);
      const text = mutate(texts[chance(texts.length)] ?? '', chance);
      const outcome = attempt(() => decodeToon(text));
      const official = attempt(() => decode(text));
      const told = `seed ${seed + run}: ${JSON.stringify(text)}`;
      if ('value' in outcome) {
        if (outcome.value.repairs.length === 0) expect(official, told).toEqual({ value: outcome.value.value });
      } else {
        expect(isHandoffError(outcome.error) && ['parse_error', 'too_large'].includes(outcome.error.code), told).toBe(
          true,
        );
        // A hyphen at its header's indent alone is read otherwise than the official decoder does.
        if ('value' in official) expect(text, told).toMatch(/:\r?\n *- /);
      }
    }
    expect(Object.keys(Object.prototype)).toEqual([]);
  },
  7_200_000,
);

function attempt<T>(body: () => T): { value: T } | { error: unknown } {
  try {
    return { value: body() };
  } catch (error) {
    return { error };
  }
}

const place = '.claude/plans/jwt-auth/';

/** Puts the plan of the stage back where something was written. */
function restore(stage: MessageStage, documents: Readonly<Record<string, string>>): Record<string, string> {
  for (const [name, text] of Object.entries(documents)) stage.write(place + name, text);
  return stage.snapshot();
}

verifies(
  ['PLAN.mutated-messages', 'PF.held.unknown-nothing-written', 'PF.toon.strict-writing'],
  'wounded requests on wounded documents are answered; an error writes nothing',
  async () => {
    const stage = await openMessageStage();
    try {
      for (let run = 0; run < runs / 5; run += 1) {
        const chance = createChance(seed + run);
        const wounded = { 'plan.md': mutate(samplePlan, chance) };
        const before = restore(stage, chance(2) === 0 ? wounded : { 'plan.md': samplePlan });
        const request = requests[chance(requests.length)] ?? '';
        const message = chance(2) === 0 ? mutate(request, chance) : request;
        const told = `seed ${seed + run}: ${JSON.stringify(message)}`;
        const answer = await stage.send(message);
        expect(answer.from, told).toBe('plan-files-skill');
        if (answer.status === 'success') continue;
        expect(answer, told).toMatchObject({ status: 'failed', task: {}, error: {}, alternatives: expect.any(Array) });
        expect(stage.snapshot(), told).toEqual(before);
      }
    } finally {
      await stage.close();
    }
  },
  7_200_000,
);
