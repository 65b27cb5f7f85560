import { containment, contentWords, countShared } from './content-words.ts';
import type { DecisionCandidate } from './decision-candidates.ts';
import { toPlainText, toStatement } from './plain-text.ts';
import * as cues from './request-cues.ts';
import { stripFillers } from './request-sentence.ts';
import type { Sentence } from './sentences.ts';
import type { Turn } from './turns.ts';

/** A plan of many points is accepted as a whole; the first ones say what it is. */
const proposalsMax = 2;

/** A question under its heading takes this many sentences at most. */
const questionSentencesMax = 5;

/** Offers stand at the end of an answer. */
const closingSentences = 8;

/**
 * The choices that a user's turn accepts without naming them: "yup", "apply 1 and 3", "option B", "1. the former".
 * Each is resolved to the proposal in the assistant's turn before; what cannot be resolved is none, and what the same
 * turn asks for in words of its own is not accepted as it was proposed.
 *
 * @param requests - what the turn says in words.
 */
export function findRatifications(
  turn: Turn,
  before: Turn | undefined,
  requests: readonly DecisionCandidate[],
): DecisionCandidate[] {
  if (before === undefined || before.role !== 'assistant') return [];
  const answers = readNumberedAnswers(turn, before);
  if (answers.length > 0) return answers;
  for (const sentence of turn.sentences.slice(0, 6)) {
    const chosen = resolveSelection(sentence, before);
    if (chosen.length > 0) return chosen.map((proposal) => accept(turn, sentence, proposal, before));
  }
  const putOff = findPutOff(turn, before);
  if (putOff !== undefined) return [putOff];
  const acceptance = findAcceptance(turn, before);
  if (acceptance === undefined) return [];
  const own = requests.map(({ content }) => contentWords(content));
  return resolveProposals(before)
    .filter((proposal) => !own.some((words) => isSaidAnew(words, proposal.words)))
    .map((proposal) => accept(turn, acceptance, proposal));
}

/** Whether the user's own words cover the proposal: then they hold, not the proposal. */
function isSaidAnew(words: ReadonlySet<string>, proposal: ReadonlySet<string>): boolean {
  return countShared(words, proposal) >= 2 && containment(words, proposal) >= 0.5;
}

function accept(turn: Turn, sentence: Sentence, proposal: Sentence, before?: Turn): DecisionCandidate {
  // A heading names the proposal; the sentence below says it.
  const below = proposal.kind === 'heading' ? before?.sentences[before.sentences.indexOf(proposal) + 1] : undefined;
  const text = below === undefined ? proposal.text : `${proposal.plain}: ${below.text}`;
  return {
    content: toStatement(asStatement(text)),
    confidence: 1,
    evidence: { message: sentence.message, quote: sentence.text },
    support: [{ message: proposal.message, quote: proposal.text }],
    turn: turn.index,
  };
}

/** An offer in question form says the same as a statement without its first words. */
function asStatement(text: string): string {
  return toPlainText(text)
    .replace(
      /^(?:want me to|would you like me to|would you like to|should i|shall i|do you want me to|want to)\s+/i,
      '',
    )
    .replace(/^i(?:'d| would)?(?: strongly)? (?:recommend|suggest|propose)\s+/i, '')
    .replace(/^(?:so,? )?(?:updated |my )?recommend(?:ation|ed)?(?: is)?(?: to)?\s*[:—-]\s*/i, '')
    .replace(/\?+$/, '');
}

/** "Not now" to an offer: the scope leaves out what was offered. */
function findPutOff(turn: Turn, before: Turn): DecisionCandidate | undefined {
  const first = turn.sentences[0];
  const offer = before.sentences.slice(-2).findLast((sentence) => cues.offers.test(sentence.text));
  if (first === undefined || offer === undefined || !cues.putsOff.test(stripFillers(first.text))) return undefined;
  const accepted = accept(turn, first, offer);
  return { ...accepted, content: `Not now: ${accepted.content.replace(/\s+now\.$/i, '.')}` };
}

/** The sentence that accepts: a strong word at the start, or a weak one that answers an offer and stands alone. */
function findAcceptance(turn: Turn, before: Turn): Sentence | undefined {
  const offered = before.sentences.slice(-6).some((sentence) => cues.offers.test(sentence.text));
  for (const sentence of turn.sentences.slice(0, 8)) {
    const plain = sentence.plain;
    const isShort = contentWords(plain).size <= 6;
    if (isShort && cues.acceptsStrongly.test(plain))
      return offered || turn.sentences.length <= 2 ? sentence : undefined;
    if (
      isShort &&
      cues.acceptsWeakly.test(plain) &&
      offered &&
      (turn.sentences.length === 1 || cues.acceptsNamed.test(plain))
    )
      return sentence;
    if (
      cues.acceptsNamed.test(stripFillers(plain)) &&
      /\b(?:changes|plan|approach|direction|proposal|design|all)\b/i.test(plain) &&
      offered
    )
      return sentence;
  }
  return undefined;
}

/** "option 2", "#1 and #3", "B", "the first": the named items of the assistant's list. */
function resolveSelection(sentence: Sentence, before: Turn): Sentence[] {
  const labels = readLabels(sentence.plain);
  return labels.flatMap((label) => findLabelled(before, label) ?? []);
}

function readLabels(plain: string): string[] {
  const text = plain.toLowerCase();
  if (contentWords(text).size > 10 || /\?$|^you\b/.test(text)) return [];
  const hashed = [...text.matchAll(/#(\d{1,2})\b/g)].map((match) => match[1] ?? '');
  if (hashed.length > 0) return hashed;
  const named = [
    ...text.matchAll(/\b(?:options?|choices?|approach|variant|number|item|point|step)s?\s+#?(\d{1,2}|[a-h])\b/g),
  ].map((match) => match[1] ?? '');
  if (named.length > 0) return named;
  const alone =
    /^(?:ok(?:ay)?,?\s+|yes,?\s+|let'?s (?:do|go with|take)\s+|go with\s+|do\s+|apply\s+)?(?<list>(?:\d{1,2}|[a-h])(?:\s*(?:,|and|&|\+)\s*(?:\d{1,2}|[a-h]))*)[.!]?$/.exec(
      text,
    )?.groups?.list;
  if (alone !== undefined) return alone.split(/\s*(?:,|and|&|\+)\s*/);
  const ordinal =
    /^(?:the )?(?<word>first|second|third|former|latter)(?: one| option)?\b/.exec(text)?.groups?.word ?? '';
  const place = { first: '1', second: '2', third: '3', former: '1', latter: '2' }[ordinal];
  return place === undefined ? [] : [place];
}

/** The option of this name, else the entry of this number or letter. */
function findLabelled(before: Turn, label: string): Sentence | undefined {
  return findNamed(before, label) ?? before.sentences.find((entry) => entry.opens && entry.number === label);
}

/** The heading or entry that opens with "Option B". */
function findNamed(before: Turn, label: string): Sentence | undefined {
  const named = new RegExp(`^\\W*(?:option|approach|choice|variant)\\s+${label}\\b`, 'i');
  return before.sentences.find((entry) => entry.opens && named.test(entry.text) && !/\?$/.test(entry.text));
}

/**
 * What a plain "yes" accepts: the offer itself where it names what it offers, else the recommendation, else the
 * points of the plan.
 */
function resolveProposals(before: Turn): Sentence[] {
  const closing = before.sentences.slice(-closingSentences);
  const offer = closing.findLast((sentence) => cues.offers.test(sentence.text));
  if (offer !== undefined && contentWords(asStatement(offer.text)).size >= 3 && !isAnaphoric(offer.text))
    return [offer];
  const scored = before.sentences
    .map((sentence, place) => ({ sentence, place, score: scoreProposal(sentence) }))
    .filter(({ score }) => score > 0)
    .sort((a, b) => b.score - a.score || b.place - a.place);
  const best = scored[0]?.score ?? 0;
  const chosen = scored.filter(({ score }) => score >= best - 1).slice(0, proposalsMax);
  if (chosen.length > 0) return chosen.map(({ sentence }) => resolveReference(sentence, before));
  return offer !== undefined && contentWords(asStatement(offer.text)).size >= 3 ? [offer] : [];
}

/** "I'd recommend the second", "Option B is best": the entry that it names says what it is. */
function resolveReference(sentence: Sentence, before: Turn): Sentence {
  const named = /\b(?:the (?<ordinal>first|second|third|former|latter)\b|options? (?<label>\d{1,2}|[a-h])\b)/i.exec(
    sentence.plain,
  );
  if (named?.groups?.ordinal !== undefined)
    return findLabelled(before, readLabels(named.groups.ordinal)[0] ?? '') ?? sentence;
  return (named?.groups?.label === undefined ? undefined : findNamed(before, named.groups.label)) ?? sentence;
}

/** An offer that points at what was said before. */
function isAnaphoric(offer: string): boolean {
  return /\b(?:this|that|it|these|those|them|the (?:above|plan|changes|same)|me to proceed|go ahead)\b/i.test(offer);
}

function scoreProposal(sentence: Sentence): number {
  const plain = sentence.plain;
  const words = contentWords(plain).size;
  if (sentence.kind === 'heading' || words < 3 || words > 40 || /\?["')]*$/.test(plain)) return 0;
  let points = 0;
  if (cues.recommends.test(plain)) points += 3;
  if (sentence.opens && sentence.kind === 'item' && cues.proposalHeading.test(sentence.heading)) points += 2;
  if (cues.proposes.test(plain)) points += 1;
  if (/\*\*[^*]{3,}\*\*/.test(sentence.text)) points += 1;
  return points;
}

/** "1. the former  2. just the id": each answer with the question of that number. */
function readNumberedAnswers(turn: Turn, before: Turn): DecisionCandidate[] {
  const answers = turn.sentences.filter((sentence) => sentence.opens && sentence.number !== undefined);
  if (answers.length < 2 || answers.some((answer) => answer.words.size > 25)) return [];
  const questions = findQuestions(before, answers.length);
  return answers.flatMap((answer) => {
    const question = questions.get(answer.number ?? '');
    if (question === undefined) return [];
    const text = answer.plain;
    if (/\?$/.test(text)) return [];
    const evidence = { message: answer.message, quote: answer.text };
    const support = [{ message: question.message, quote: question.text }];
    return [{ content: answerQuestion(question, text, before), confidence: 1, evidence, support, turn: turn.index }];
  });
}

/** The list of numbered questions that has enough entries: headings first, then items. */
function findQuestions(before: Turn, count: number): Map<string, Sentence> {
  for (const kind of ['heading', 'item'] as const) {
    const entries = before.sentences.filter(
      (sentence) => sentence.kind === kind && sentence.opens && sentence.number !== undefined,
    );
    const questions = new Map<string, Sentence>();
    for (const entry of entries) if (!questions.has(entry.number ?? '')) questions.set(entry.number ?? '', entry);
    if (questions.size >= Math.max(2, count - 1)) return questions;
  }
  return new Map();
}

function answerQuestion(question: Sentence, answer: string, before: Turn): string {
  const topic = asAssertion(question.plain.replace(/\?+$/, ''));
  const side = /^(?:the )?(?<side>former|latter|first|second)\b/i.exec(answer)?.groups?.side?.toLowerCase();
  // A question between two ways is answered by the way itself; its subject is enough.
  const subject = / or /i.test(topic) ? /^(?<subject>.{3,80}?) should /i.exec(topic)?.groups?.subject : undefined;
  if (side === undefined) return toStatement(`${subject ?? topic}: ${answer}`);
  const at = before.sentences.indexOf(question);
  const choice = before.sentences.slice(at, at + questionSentencesMax).find((entry) => / or /i.test(entry.text));
  if (choice === undefined) return toStatement(`${topic}: ${answer}`);
  const [former, ...others] = choice.plain.replace(/\?+$/, '').split(/,? or (?:should )?/i);
  const isFirst = side === 'former' || side === 'first';
  if (isFirst)
    return toStatement(choice === question ? asAssertion(former ?? '') : `${topic}: ${asAssertion(former ?? '')}`);
  return toStatement(`${subject ?? topic}: ${others.at(-1) ?? answer}`);
}

/** "Should the limit be fixed" as "the limit should be fixed". */
function asAssertion(question: string): string {
  const verbs =
    'be|have|use|require|include|support|always|never|allow|return|store|show|stay|keep|go|live|get|receive|become';
  return question.replace(
    new RegExp(
      `^(?:(?:what|which|where|when) )?(?:should|must|can|will)\\s+(?<subject>.{2,120}?)\\s+(?<verb>${verbs})\\b`,
      'i',
    ),
    '$<subject> should $<verb>',
  );
}
