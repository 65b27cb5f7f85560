import { contentWords } from './content-words.ts';
import { isQuestion, toPlainText } from './plain-text.ts';
import * as cues from './request-cues.ts';
import { findLabelled, findNamed, readLabels } from './selections.ts';
import type { Sentence } from './sentences.ts';
import type { Turn } from './turns.ts';

/** A plan of many points is accepted as a whole; the first ones say what it is. */
const proposalsMax = 2;

/** Offers are at the end of an answer. */
const closingSentences = 8;

/**
 * What a plain "yes" accepts: the offer itself where it names what it offers, else the recommendation, else the points
 * of the plan.
 */
export function resolveProposals(before: Turn): Sentence[] {
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
export function asStatement(text: string): string {
  return toPlainText(text)
    .replace(
      /^(?:(?:want|would you like|do you want) me to|(?:would you like|do you want|want) to|(?:should|shall) (?:i|we)(?: also)?|soll(?:en)? (?:ich|wir))\s+/i,
      '',
    )
    .replace(
      /^(?:when(?:ever)? you(?:'re| are) ready,? )?(?:just )?(?:say (?:the word|so)|let me know|tell me)(?:,? and|,) i(?:'ll| will)\s+/i,
      '',
    )
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
