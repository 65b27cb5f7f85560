import { contentWords, countShared } from './content-words.ts';
import type { DecisionCandidate } from './decision-candidates.ts';
import { toPlainText } from './plain-text.ts';
import * as cues from './request-cues.ts';
import { readRequest, stripFillers } from './request-sentence.ts';
import type { Sentence } from './sentences.ts';
import type { Turn } from './turns.ts';

/** Longer sentences are pasted text. */
const charactersMax = 600;

/** What a short order refers to was said within so many sentences. */
const subjectSentences = 100;

/**
 * The choices that a user's turn states in words: orders that shape the work, wishes, scope, and requests in the
 * form of a question where the answer carries them out.
 *
 * @param before - the assistant's turn before, @param next - the one that follows, where there is one.
 */
export function findRequests(turn: Turn, before: Turn | undefined, next: Turn | undefined): DecisionCandidate[] {
  if (turn.sentences.some((sentence) => cues.asksOpinion.test(stripFillers(sentence.text)))) return [];
  const pasted = findPasted(turn.sentences);
  return turn.sentences.flatMap((sentence, index) => {
    const isProse = sentence.kind === 'prose' || sentence.kind === 'item';
    if (!isProse || pasted.has(sentence) || sentence.text.length > charactersMax) return [];
    const plain = sentence.plain;
    const said = readRequest(plain, next);
    if (said === undefined) return [];
    const subject = namesSubject(stripFillers(plain)) ? undefined : findSubject(turn.sentences, index, before);
    if (subject === undefined && contentWords(stripFillers(plain)).size < 2) return [];
    const evidence = { message: sentence.message, quote: sentence.text };
    const candidate: DecisionCandidate = { content: said, confidence: 1, evidence, turn: turn.index };
    if (subject === undefined) return [candidate];
    const content = `${toPlainText(subject.text)
      .replace(/[:\s]+$/, '')
      .replace(/[.]$/, '')}: ${said}`;
    return [{ ...candidate, content, support: [{ message: subject.message, quote: subject.text }] }];
  });
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
  return words.size >= 4 || (words.size >= 2 && !cues.refersBack.test(point));
}

/** What a short order refers to: the sentence before it, or the assistant's last words on the same act. */
function findSubject(sentences: readonly Sentence[], index: number, before: Turn | undefined): Sentence | undefined {
  const sentence = sentences[index];
  if (sentence === undefined) return undefined;
  const own = sentences.slice(Math.max(0, index - subjectSentences), index).findLast((other) => other.words.size >= 2);
  if (own !== undefined && own.message === sentence.message && own.block >= sentence.block - 1) return own;
  const said = before?.sentences.slice(-subjectSentences) ?? [];
  const same = said.findLast((other) => !other.text.endsWith('?') && countShared(other.words, sentence.words) > 0);
  return same ?? own;
}
