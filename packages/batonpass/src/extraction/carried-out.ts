import type { Message } from '../core/conversation.ts';
import { hasFailed } from './checks.ts';
import type { DecisionCandidate } from './decision-candidates.ts';
import { findObjections, isAgainst } from './implied.ts';
import { choosesForItself } from './language-cues.ts';
import { isQuestion, toStatement } from './plain-text.ts';
import type { TurnInPlace } from './turns.ts';

/** Surer than what the agent only states, less sure than what the person says. */
export const carriedOutConfidence = 0.6;

/** Choices of one turn; more are the steps of its work. */
const choicesMax = 2;
const charactersMax = 400;

/** "Now let me use …" says what is used. */
const announces =
  /^(?:(?:so|now|ok(?:ay)?|then|next),? )*(?:let me|let['’]s|i(?:['’]ll| will|['’]m going to)|we(?:['’]ll| will)) /i;

/**
 * What the agent chose by itself and did: a sentence that takes one thing and leaves another, behind which a file was
 * written before the person spoke again. What the person then objects to is none.
 */
export function findCarriedOut({ turn, next }: TurnInPlace): DecisionCandidate[] {
  const written = turn.messages.findLast(hasWritten)?.index ?? -1;
  const objections = findObjections(next);
  return turn.sentences
    .filter(({ message, kind, plain }) => message <= written && kind !== 'heading' && isChoice(plain))
    .filter(({ words }) => !objections.some((objection) => isAgainst(objection, words)))
    .slice(-choicesMax)
    .map(({ text, message, plain }) => ({
      content: toStatement(plain.replace(announces, '')),
      confidence: carriedOutConfidence,
      evidence: { message, quote: text },
      turn: turn.index,
    }));
}

function hasWritten({ tool_calls }: Message): boolean {
  return tool_calls.some((call) => (call.effect === 'write' || call.effect === 'delete') && !hasFailed(call));
}

function isChoice(plain: string): boolean {
  return plain.length <= charactersMax && !isQuestion(plain) && choosesForItself(plain);
}
