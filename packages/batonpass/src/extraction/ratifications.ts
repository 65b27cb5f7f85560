import { containment, contentWords, countShared } from './content-words.ts';
import type { DecisionCandidate } from './decision-candidates.ts';
import { acceptsOffer, denies, leavesChoice, offersAct } from './language-cues.ts';
import { readNumberedAnswers, readShortAnswer, wholeQuestion } from './numbered-answers.ts';
import { isQuestion, shorten, toPlainText, toStatement } from './plain-text.ts';
import * as cues from './request-cues.ts';
import { stripFillers } from './request-sentence.ts';
import { chosenLabels, findLabelled, findNamed, openingSentences, readLabels, readRejected } from './selections.ts';
import type { Sentence } from './sentences.ts';
import type { Turn } from './turns.ts';

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
  const reply = readReply(turn, before);
  if (reply !== undefined) return [reply];
  const selected = findSelections(turn, before);
  if (selected.length > 0) return selected;
  const later = findPutOff(turn, before);
  if (later !== undefined) return [later];
  const acceptance = findAcceptance(turn, before);
  if (acceptance === undefined) {
    const answer = readShortAnswer(turn, before);
    const isSaid = requests.some(({ evidence }) => evidence.quote === answer?.evidence.quote);
    return answer === undefined || isSaid ? [] : [answer];
  }
  // An order that points back says no more than the acceptance.
  const own = requests.filter(({ support }) => support === undefined).map(({ content }) => contentWords(content));
  const proposals = resolveProposals(before);
  const question = offerAtEnd(before);
  // Too short an offer to stand alone: "Deploy now?"
  if (proposals.length === 0 && question !== undefined)
    return [toReply(turn, { question, first: acceptance, said: acceptance.plain, before })];
  return proposals
    .filter((proposal) => !own.some((words) => isSaidAnew(words, proposal.words)))
    .map((proposal) =>
      isAskedStill(proposal)
        ? toReply(turn, { question: proposal, first: acceptance, said: acceptance.plain, before })
        : accept(turn, acceptance, proposal, before),
    );
}

/** An offer that has no form of a statement is kept as it was asked. */
function isAskedStill({ plain }: Sentence): boolean {
  return isQuestion(plain) && plain.startsWith(asStatement(plain));
}

/** A longer answer says its choice in words of its own. */
const replyCharactersMax = 120;

/** "Sure, if the tests pass" is no acceptance without its condition. */
const conditions =
  /(?<![\p{L}])(?:if|when|unless|until|once|as long as|provided|after|before|wenn|falls|sobald|sofern|bis|nachdem)(?![\p{L}])/iu;

/**
 * A short reply that refuses an offer or a part of it ("absolutely not", "yes. No, wait", "yes to the first, no to the
 * second"), accepts it on a condition, or accepts it in a language other than English and German. The question and the
 * reply are kept word for word: what exactly the reply is about is not guessed.
 */
function readReply(turn: Turn, before: Turn): DecisionCandidate | undefined {
  const question = offerAtEnd(before);
  const [first, ...others] = turn.sentences;
  const said = turn.sentences.map(({ plain }) => plain).join(' ');
  if (question === undefined || first === undefined || said.length > replyCharactersMax) return undefined;
  const isRefused = isRefusal(first.plain) || others.some(({ plain }) => cues.takesBack.test(plain));
  // "Yes" to "the schema or the rows?" names neither.
  const isOpen = leavesChoice(question.plain) && countShared(question.words, contentWords(said)) === 0;
  const isAccepted = acceptsOffer(first.plain) && !cues.acceptsStrongly.test(first.plain) && !isOpen;
  const isConditional = cues.acceptsStrongly.test(first.plain) && conditions.test(first.plain);
  if ((!isRefused && !isAccepted && !isConditional) || isQuestion(said) || cues.putsOff.test(stripFillers(said)))
    return undefined;
  return toReply(turn, { question, first, said, before });
}

function offerAtEnd(before: Turn): Sentence | undefined {
  return before.sentences.slice(-2).findLast(({ plain }) => offersAct(plain));
}

function toReply(
  turn: Turn,
  { question, first, said, before }: { question: Sentence; first: Sentence; said: string; before: Turn },
): DecisionCandidate {
  return {
    content: toStatement(`${wholeQuestion(question, before)} ${said}`),
    confidence: 1,
    evidence: { message: first.message, quote: first.text },
    support: [{ message: question.message, quote: question.text }],
    isAnswer: true,
    turn: turn.index,
  };
}

/** What the first sentences choose or leave out by number or name. */
function findSelections(turn: Turn, before: Turn): DecisionCandidate[] {
  return turn.sentences.slice(0, openingSentences).flatMap((sentence) => {
    const chosen = chosenLabels(sentence, turn).flatMap((label) => findLabelled(before, label) ?? []);
    const left = readRejected(sentence.plain).flatMap((label) => findLabelled(before, label) ?? []);
    return [
      ...chosen.map((proposal) => accept(turn, sentence, proposal, before)),
      ...left.map((proposal) => leaveOut(accept(turn, sentence, proposal, before))),
    ];
  });
}

/** How a choice begins that leaves a proposal out. */
export const leftOut = 'Left out: ';

function leaveOut(accepted: DecisionCandidate): DecisionCandidate {
  return { ...accepted, content: leftOut + accepted.content };
}

/** Whether the user's own words cover the proposal: then they hold, not the proposal. */
function isSaidAnew(words: ReadonlySet<string>, proposal: ReadonlySet<string>): boolean {
  return countShared(words, proposal) >= 2 && containment(words, proposal) >= 0.5;
}

function accept(turn: Turn, sentence: Sentence, proposal: Sentence, before?: Turn): DecisionCandidate {
  // A heading names the proposal; the sentence below says it.
  const next = proposal.kind === 'heading' ? before?.sentences[before.sentences.indexOf(proposal) + 1] : undefined;
  const below = next?.kind === 'heading' ? undefined : next;
  const text = below === undefined ? proposal.text : `${proposal.plain}: ${below.text}`;
  const changed = withChange(asStatement(text), sentence.plain);
  const isExcepted = changed === asStatement(text) && excepts.test(sentence.plain);
  const statement = isExcepted
    ? `${changed.replace(/[.\s]+$/, '')} (“${shorten(sentence.plain, exceptionCharactersMax)}”)`
    : changed;
  return {
    content: toStatement(pointsBack.test(statement) ? withSubject(statement, proposal, before) : statement),
    confidence: 1,
    evidence: { message: sentence.message, quote: sentence.text },
    support: [{ message: proposal.message, quote: proposal.text }],
    turn: turn.index,
  };
}

/** An acceptance with an exception: its words are kept too. */
const excepts = /\S.*(?<![\p{L}])(?:but|without|except|aber|ohne|mais|sans|pero|sin|но|без)(?![\p{L}])|.但|ただし/iu;
const exceptionCharactersMax = 200;

/** Its object is named in the sentence before. */
const pointsBack = /^(?:\w+ ){1,2}(?:it|them|that)\b(?! the\b)/i;

function withSubject(statement: string, proposal: Sentence, before: Turn | undefined): string {
  const said = before?.sentences[before.sentences.indexOf(proposal) - 1];
  if (said === undefined || said.message !== proposal.message || said.kind === 'heading' || said.text.length > 200)
    return statement;
  return `${toPlainText(said.text).replace(/[.:\s]+$/, '')}: ${statement.charAt(0).toLowerCase()}${statement.slice(1)}`;
}

/** "Yup, but 6 months": the proposal holds with the change that the acceptance names. */
function withChange(proposal: string, acceptance: string): string {
  const change = /^\W*[\w' ]{1,24}?[,;]? (?:but|except(?: that)?|aber|(?=only )) ?(?<change>[^?]{2,120}?)[.!]*$/i.exec(
    acceptance,
  )?.groups?.change;
  if (change === undefined || contentWords(change).size > 6) return proposal;
  const quantity = /(?<number>\d+(?:[.,]\d+)?)\s*(?<unit>%|[a-z]+)/i.exec(change)?.groups;
  if (quantity?.unit !== undefined) {
    const same = new RegExp(`\\d+(?:[.,]\\d+)?(?=\\s*${quantity.unit}(?:\\b|$|\\s))`, 'i');
    if (same.test(proposal)) return proposal.replace(same, quantity.number ?? '');
  }
  return `${proposal.replace(/[.\s]+$/, '')}, but ${change}`;
}

/** How a choice begins that puts a proposal off. */
export const putOff = 'Not now: ';

/** "Not now" to an offer or a question: the scope leaves out what it named. */
function findPutOff(turn: Turn, before: Turn): DecisionCandidate | undefined {
  const first = turn.sentences[0];
  const offer = before.sentences
    .slice(-2)
    .findLast((sentence) => cues.offers.test(sentence.text) || /^(?:and )?what about\b.*\?$/i.test(sentence.plain));
  if (first === undefined || offer === undefined || !cues.putsOff.test(stripFillers(first.text))) return undefined;
  const accepted = accept(turn, first, offer);
  const left = accepted.content.replace(/^(?:and )?what about /i, '').replace(/\s+now\.$/i, '.');
  return { ...accepted, content: `${putOff}${left.charAt(0).toLowerCase()}${left.slice(1)}` };
}

/** "Absolutely not", "no, wait" refuse; "yes, but not the tests" and "never touch it" do not. */
function isRefusal(plain: string): boolean {
  const [head = ''] = plain.split(/\b(?:but|except|only|aber|nur)\b/i);
  return cues.takesBack.test(plain) || (denies(head) && contentWords(head).size <= shortWordsMax);
}

/** An acceptance or a refusal of more words says something else as well. */
const shortWordsMax = 6;

/** The sentence that accepts: a strong word at the start, or a weak one that answers an offer and stands alone. */
function findAcceptance(turn: Turn, before: Turn): Sentence | undefined {
  const offered = before.sentences
    .slice(-6)
    .some(
      (sentence) =>
        cues.offers.test(sentence.text) || cues.recommends.test(sentence.text) || cues.wouldDo.test(sentence.plain),
    );
  for (const sentence of turn.sentences.slice(0, openingSentences)) {
    const plain = sentence.plain;
    if (isQuestion(plain)) continue;
    if (isRefusal(plain)) return undefined;
    const isShort = contentWords(plain).size <= shortWordsMax;
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

/** A plan of many points is accepted as a whole; the first ones say what it is. */
const proposalsMax = 2;

/** Offers are at the end of an answer. */
const closingSentences = 8;

/**
 * What a plain "yes" accepts: the offer itself where it names what it offers, else the recommendation, else the points
 * of the plan.
 */
function resolveProposals(before: Turn): Sentence[] {
  const closing = before.sentences.slice(-closingSentences);
  // "Let me know if you'd rather …" names what is not meant to be done.
  const offer = closing.findLast(
    (sentence) =>
      cues.offers.test(sentence.text) && !/\b(?:if you(?:'d| would) rather|unless you)\b/i.test(sentence.text),
  );
  const isNamed = offer !== undefined && contentWords(asStatement(offer.text)).size >= 3;
  if (isNamed && !isAnaphoric(offer.text)) return [offer];
  const scored = before.sentences
    .map((sentence, place) => ({ sentence, place, score: scoreProposal(sentence) }))
    .filter(({ score }) => score > 0)
    .sort((a, b) => b.score - a.score || b.place - a.place);
  const best = scored[0]?.score ?? 0;
  const chosen = scored.filter(({ score }) => score >= best - 1).slice(0, proposalsMax);
  if (chosen.length > 0) return chosen.map(({ sentence }) => resolveReference(sentence, before));
  return isNamed ? [offer] : [];
}

/** An offer or a recommendation says the same as a statement without its first words. */
function asStatement(text: string): string {
  return toPlainText(text)
    .replace(
      /^(?:(?:want|would you like|do you want) me to|(?:would you like|do you want|want) to|(?:should|shall) (?:i|we)(?: also)?|soll(?:en)? (?:ich|wir))\s+/i,
      '',
    )
    .replace(
      /^(?:when(?:ever)? you(?:'re| are) ready,? )?(?:just )?(?:say (?:the word|so)|let me know|tell me)(?:,? and|,) i(?:'ll| will)\s+/i,
      '',
    )
    .replace(/^if you (?:want|wish|prefer|like)[^,.]{0,40}, i (?:can|could)(?: also| now| then| next)?\s+/i, '')
    .replace(/^(?:ok|okay|so|then|therefore|hence)[,.]?\s+(?=i(?:'d| would)\b)/i, '')
    .replace(/^i(?:'d| would)(?: strongly| rather| also| just)? (?:recommend|suggest|propose)(?: that we)?\s+/i, '')
    .replace(/^i (?:recommend|suggest|propose)\s+/i, '')
    .replace(/^i(?:'d| would)(?: strongly| rather| also| just)?\s+(?=[a-z])/i, '')
    .replace(/^(?:so,? )?(?:updated |my )?recommend(?:ation|ed)?(?: is)?(?: to)?\s*[:—-]\s*/i, '')
    .replace(/\?+$/, '');
}

/** "I'd recommend the second", "Option B is best": the entry that it names says what it is. */
function resolveReference(sentence: Sentence, before: Turn): Sentence {
  const named =
    /\b(?:the (?<ordinal>first|second|third|former|latter)\b|(?:options?|variante|möglichkeit|approach|choice) \(?(?<label>\d{1,2}|[a-h])\b|(?:^|\s)\((?<mark>[a-h])\))/i.exec(
      sentence.plain,
    )?.groups;
  if (named?.label !== undefined) return findNamed(before, named.label) ?? sentence;
  const label = named?.mark?.toLowerCase() ?? readLabels(named?.ordinal ?? '')[0];
  return (label === undefined ? undefined : findLabelled(before, label)) ?? sentence;
}

/** An offer that points at what was said before. */
function isAnaphoric(offer: string): boolean {
  return /\b(?:this|that|it|these|those|them|the (?:above|plan|changes|same)|me to proceed|go ahead|das so|so umsetzen|damit)\b/i.test(
    offer,
  );
}

function scoreProposal(sentence: Sentence): number {
  const { plain, words, kind } = sentence;
  // "I'd drop it" is a whole proposal; what "it" is was said before.
  const wordsMin = cues.wouldDo.test(plain) ? 1 : 3;
  if (kind === 'heading' || words.size < wordsMin || words.size > 40 || isQuestion(plain)) return 0;
  let points = 0;
  if (cues.recommends.test(plain)) points += 3;
  else if (cues.wouldDo.test(plain)) points += 2;
  if (sentence.opens && kind === 'item' && cues.proposalHeading.test(sentence.heading || sentence.lead)) points += 2;
  if (cues.proposes.test(plain)) points += 1;
  if (/\*\*[^*]{3,}\*\*/.test(sentence.text)) points += 1;
  return points;
}
