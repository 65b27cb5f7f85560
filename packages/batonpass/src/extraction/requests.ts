import { contentWords } from './content-words.ts';
import type { DecisionCandidate } from './decision-candidates.ts';
import { isQuestion, toStatement } from './plain-text.ts';
import * as cues from './request-cues.ts';
import { readRequest, stripFillers } from './request-sentence.ts';
import type { Sentence } from './sentences.ts';
import type { Turn } from './turns.ts';

/** Longer sentences are pasted text. */
const charactersMax = 600;

/**
 * The choices that a user's turn states in words: orders that shape the work, wishes, scope, and requests in the
 * form of a question where the answer carries them out.
 *
 * @param next - the assistant's turn that follows, where there is one.
 */
export function findRequests(turn: Turn, next: Turn | undefined): DecisionCandidate[] {
  const pasted = findPasted(turn.sentences);
  const asksOpinion = turn.sentences.some((sentence) => cues.asksOpinion.test(stripFillers(sentence.text)));
  return turn.sentences.flatMap((sentence) => {
    const isProse = sentence.kind === 'prose' || sentence.kind === 'item';
    if (!isProse || pasted.has(sentence) || sentence.text.length > charactersMax) return [];
    if (cues.leadsDescription.test(sentence.lead)) return [];
    // Who asks what the other thinks has decided only what he says he wants.
    if (asksOpinion && !cues.insists.test(sentence.plain)) return [];
    if (cues.leavesOpen.test(sentence.plain)) return [];
    const required = readRequirement(sentence, turn);
    if (required !== undefined) return [required];
    return readOrder(sentence, { turn, next });
  });
}

/** An entry of a list that the user puts under "Requirements:" or "Out of scope:". */
function readRequirement(sentence: Sentence, turn: Turn): DecisionCandidate | undefined {
  const { kind, opens, lead, heading, plain, words } = sentence;
  if (kind !== 'item' || !opens || words.size < 2 || isQuestion(plain)) return undefined;
  const over = lead === '' ? heading : lead;
  if (over === '' || over.length > 60) return undefined;
  const isExcluded = cues.introducesExclusions.test(over);
  if (!isExcluded && !cues.introducesRequirements.test(over)) return undefined;
  const content = toStatement(isExcluded ? `Out of scope: ${plain}` : plain);
  return { content, confidence: 1, evidence: { message: sentence.message, quote: sentence.text }, turn: turn.index };
}

function readOrder(sentence: Sentence, { turn, next }: { turn: Turn; next: Turn | undefined }): DecisionCandidate[] {
  const { plain } = sentence;
  const said = readRequest(plain, next);
  // "Out of scope:" alone is only the heading of its list.
  if (said === undefined || (plain.endsWith(':') && sentence.words.size <= 4)) return [];
  const point = stripFillers(plain);
  // "Delete them." says what to do, but not with what: with the words before it, it says something else.
  const isChange = cues.changesMind.test(point) && contentWords(point).size > 0;
  if (!isChange && (!namesSubject(point) || contentWords(point).size < 2 || cues.actsOnce.test(point))) return [];
  return [
    { content: said, confidence: 1, evidence: { message: sentence.message, quote: sentence.text }, turn: turn.index },
  ];
}

/** The list below a line as "The reviewer says:" is not the user's own will. */
function findPasted(sentences: readonly Sentence[]): Set<Sentence> {
  const pasted = new Set<Sentence>();
  let quoting = false;
  for (const sentence of sentences) {
    const isListed = sentence.kind === 'item' || sentence.kind === 'heading' || sentence.kind === 'quote';
    if (quoting && isListed) pasted.add(sentence);
    else quoting = cues.introducesQuote.test(sentence.text);
  }
  return pasted;
}

/** "Delete them." says what to do, but not with what. */
function namesSubject(point: string): boolean {
  const words = contentWords(point);
  return words.size >= 3 || (words.size >= 2 && !cues.refersBack.test(point));
}
