import type { Decision } from '../core/content.ts';
import { isImplied } from '../core/implied.ts';
import { contentWords, countShared, likeness } from './content-words.ts';
import type { DecisionCandidate } from './decision-candidates.ts';

/** What a sentence rejects: the words behind these. */
const rejects =
  /\b(?:instead of|rather than|no longer|not|drop|remove|get rid of|scrap|revert|undo|forget(?: about)?|replace|switch (?:away )?from|never mind)\s+(?:the |a |an |using |our |that |your )*(?<rejected>[^,;.()]{2,80}?)(?=[,;.()]|\s+(?:with|by|and|but|for|in favou?r|let'?s|because|since|so|to)\b|$)/gi;

/** Says that the speaker changed his mind, or puts one thing in another's place. */
const changesMind =
  /\b(?:instead|actually|on second thought|changed my mind|scrap that|never mind|after all|switch to)\b/i;

/** From this likeness on, two choices say the same. */
const restatedMin = 0.7;

/** A choice that later ones are held against. */
interface Choice {
  content: string;
  confidence: number;
  /** The turn that made it; -1 before the conversation. */
  turn: number;
  words: ReadonlySet<string>;
}

interface Kept extends Choice {
  decision: DecisionCandidate;
}

/** The choices in force at the end. */
interface Resolved {
  decisions: DecisionCandidate[];
  /** Of the decisions from before the conversation, those that it replaced or said anew, in their words. */
  revoked: string[];
}

/**
 * Drops choices that a later one of the user contradicts, and says of the later one what it replaced.
 * Restatements become one: the first wording stays unless the later one is surer.
 *
 * @param earlier - decisions from before the conversation. They fall as if they were said before its first word, but of
 * a restatement the conversation's wording stays unless the earlier one is surer.
 */
export function resolveReversals(
  candidates: readonly DecisionCandidate[],
  earlier: readonly Decision[] = [],
): Resolved {
  let kept: Kept[] = [];
  let standing = earlier.map(toChoice);
  for (const decision of candidates) {
    const words = contentWords(decision.content);
    const isRestated = (other: Choice) => likeness(words, other.words) >= restatedMin;
    if (standing.some((other) => isRestated(other) && other.confidence > decision.confidence)) continue;
    const isReplaced = createContradiction(decision, words);
    const revoked = standing.filter((other) => isReplaced(other) && !isRestated(other));
    standing = standing.filter((other) => !isReplaced(other) && !isRestated(other));
    const same = kept.find(isRestated);
    if (same !== undefined && same.confidence >= decision.confidence) continue;
    const replaced = kept.filter((other) => other !== same && isReplaced(other));
    kept = kept.filter((other) => other !== same && !replaced.includes(other));
    const supersedes = [...revoked, ...replaced].map(({ content }) => content);
    const { content, confidence, turn } = decision;
    const resolved = supersedes.length === 0 ? decision : { ...decision, supersedes };
    kept.push({ content, confidence, turn, words, decision: resolved });
  }
  return { decisions: kept.map(({ decision }) => decision), revoked: without(earlier, standing) };
}

function toChoice(decision: Decision): Choice {
  const { content } = decision;
  return { content, confidence: isImplied(decision) ? 0.5 : 1, turn: -1, words: contentWords(content) };
}

function without(earlier: readonly Decision[], standing: readonly Choice[]): string[] {
  const stands = new Set(standing.map(({ content }) => content));
  return earlier.map(({ content }) => content).filter((content) => !stands.has(content));
}

/** Whether an earlier choice falls by this one; only what the user says takes a choice back. */
function createContradiction(later: DecisionCandidate, words: ReadonlySet<string>): (earlier: Choice) => boolean {
  const rejected = [...later.content.matchAll(rejects)]
    .map((match) => contentWords(match.groups?.rejected ?? ''))
    .filter((set) => set.size > 0 && set.size <= 6);
  const isNewMind = changesMind.test(later.content);
  return (earlier) => {
    if (later.confidence < 1 || later.turn <= earlier.turn) return false;
    if (
      rejected.some(
        (set) =>
          countShared(set, earlier.words) === set.size &&
          countShared(words, earlier.words) >= Math.min(2, earlier.words.size),
      )
    )
      return true;
    const shared = countShared(words, earlier.words);
    const smaller = Math.min(words.size, earlier.words.size);
    return isNewMind && shared >= Math.min(2, smaller - 1) && shared / smaller >= 0.5;
  };
}
