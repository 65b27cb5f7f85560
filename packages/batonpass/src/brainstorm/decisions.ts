import type { Decision } from '../core/content.ts';
import { contentWords, countShared } from './content-words.ts';
import type { DecisionCandidate } from './decision-candidates.ts';
import type { ExtractedDecision } from './extraction.ts';
import { findImplied } from './implied.ts';
import { findRatifications } from './ratifications.ts';
import * as cues from './request-cues.ts';
import { findRequests } from './requests.ts';
import { resolveReversals } from './reversals.ts';
import type { Turn } from './turns.ts';

/** The choices in force at the end of a dialogue, and those from before it that it revoked, in their words. */
interface DecisionsInForce {
  decisions: ExtractedDecision[];
  revoked: string[];
}

/**
 * The choices in force at the end of a dialogue: what the user said or ratified first, what was implied last.
 *
 * @param earlier - the choices in force when it began, which it may revoke.
 */
export function extractDecisions(dialogue: readonly Turn[], earlier: readonly Decision[] = []): DecisionsInForce {
  const candidates = dialogue.flatMap((turn): DecisionCandidate[] => {
    if (turn.role === 'assistant') return findImplied(turn, dialogue);
    const before = dialogue[turn.index - 1];
    const requests = findRequests(turn, before, dialogue[turn.index + 1]);
    const ratified = findRatifications(turn, before, requests);
    // "Yup, do it that way" is one acceptance: the order that only points back says it twice.
    const own = requests.filter(
      (request) => ratified.length === 0 || (request.support === undefined && !repeats(request, ratified)),
    );
    return [...ratified, ...own];
  });
  const resolved = resolveReversals(candidates, earlier);
  const decisions = resolved.decisions.map(({ turn: _turn, ...decision }) => decision);
  const explicit = decisions.filter((entry) => entry.confidence === 1);
  return {
    decisions: [...explicit, ...decisions.filter((entry) => entry.confidence < 1)],
    revoked: resolved.revoked,
  };
}

/** Whether an acceptance of the same words already says all of it. */
function repeats(request: DecisionCandidate, ratified: readonly DecisionCandidate[]): boolean {
  const words = contentWords(request.content);
  return ratified.some(
    ({ evidence, content }) =>
      evidence.quote === request.evidence.quote &&
      (cues.putsOff.test(request.content) || countShared(words, contentWords(content)) === words.size),
  );
}
