import { contentWords, countShared, likeness } from './content-words.ts';
import type { DecisionCandidate } from './decision-candidates.ts';

/** What a sentence rejects: the words behind these. */
const rejects =
  /\b(?:instead of|rather than|no longer|not|drop|remove|get rid of|scrap|revert|undo|forget(?: about)?|replace|switch (?:away )?from|never mind)\s+(?:the |a |an |using |our |that |your )*(?<rejected>[^,;.()]{2,80}?)(?=[,;.()]|\s+(?:with|by|and|but|for|in favou?r|let'?s|because|since|so|to)\b|$)/gi;

/** Says that the speaker changed his mind, or puts one thing in another's place. */
const changesMind =
  /\b(?:instead|actually|on second thought|changed my mind|scrap that|never mind|after all|switch to)\b/i;

interface Kept {
  decision: DecisionCandidate;
  words: Set<string>;
}

/**
 * Drops choices that a later one of the user contradicts, and says of the later one what it replaced.
 * Restatements become one: the first wording stays unless the later one is surer.
 */
export function resolveReversals(candidates: readonly DecisionCandidate[]): DecisionCandidate[] {
  let kept: Kept[] = [];
  for (const decision of candidates) {
    const words = contentWords(decision.content);
    const same = kept.find((earlier) => likeness(words, earlier.words) >= 0.7);
    if (same !== undefined && same.decision.confidence >= decision.confidence) continue;
    const isReplaced = createContradiction(decision, words);
    const replaced = kept.filter((earlier) => earlier !== same && isReplaced(earlier));
    kept = kept.filter((earlier) => earlier !== same && !replaced.includes(earlier));
    const supersedes = replaced.map((earlier) => earlier.decision.content);
    kept.push({ decision: supersedes.length === 0 ? decision : { ...decision, supersedes }, words });
  }
  return kept.map(({ decision }) => decision);
}

/** Whether an earlier choice falls by this one; only what the user says takes a choice back. */
function createContradiction(later: DecisionCandidate, words: ReadonlySet<string>): (earlier: Kept) => boolean {
  const rejected = [...later.content.matchAll(rejects)]
    .map((match) => contentWords(match.groups?.rejected ?? ''))
    .filter((set) => set.size > 0 && set.size <= 6);
  const isNewMind = changesMind.test(later.content);
  return (earlier) => {
    if (later.confidence < 1 || later.turn <= earlier.decision.turn) return false;
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
