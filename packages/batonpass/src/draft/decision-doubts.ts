import { contentWords, countShared } from '../extraction/content-words.ts';
import { readRejectedWords } from '../extraction/language-cues.ts';
import { saysTheSame, toKept } from '../extraction/merge-extractions.ts';
import { SimilarTexts } from '../extraction/similar-texts.ts';
import type { HandoffDecision } from './handoff-draft.ts';

/** What a person should check before a decision is handed over: ids of others in the same draft. */
export interface DecisionDoubt {
  /** They mean the same in other words. */
  duplicates: readonly string[];
  /** Both cannot hold. */
  contradictions: readonly string[];
}

/** From this likeness on, two decisions are compared at all. */
const comparedMin = 0.3;

/** From this likeness on, a text and its denial are about the same. */
const deniedMin = 0.7;

/** Nobody reads more of them next to one decision. */
const namedMax = 5;

const number = /\d+(?:[.,]\d+)*/g;

const denials = /\b(?:not|never|no|without|avoid|neither|nor|cannot)\b|n['’]t\b/gi;

interface Compared extends ReturnType<typeof toKept> {
  decision: HandoffDecision;
  /** How often it denies something, odd or even. */
  isDenial: boolean;
  numbers: string;
  /** Its words without the numbers. */
  rest: ReadonlySet<string>;
  /** What it rejects explicitly. */
  rejected: readonly ReadonlySet<string>[];
}

/**
 * Decisions that mean the same, or that contradict each other, each with the others by their ids: one denies the other, names
 * another number for the same, or replaced it. A hint from the words alone: it changes nothing.
 */
export function findDoubts(decisions: readonly HandoffDecision[]): ReadonlyMap<string, DecisionDoubt> {
  const doubts = new Map<string, { duplicates: string[]; contradictions: string[] }>();
  const note = (kind: keyof DecisionDoubt, one: Compared, other: Compared) => {
    for (const [id, about] of [
      [one.decision.id, other.decision.id],
      [other.decision.id, one.decision.id],
    ] as const) {
      const doubt = doubts.get(id) ?? { duplicates: [], contradictions: [] };
      doubts.set(id, doubt);
      if (doubt[kind].length < namedMax && !doubt[kind].includes(about)) doubt[kind].push(about);
    }
  };
  const seen = new SimilarTexts<Compared>();
  const all = decisions.map(readCompared);
  for (const one of all) {
    for (const other of seen.findAlike(one.words, comparedMin)) {
      const kind = compare(one, other);
      if (kind !== null) note(kind, one, other);
    }
    seen.add(one);
  }
  const byWords = new Map(all.map((each) => [each.normal, each]));
  for (const one of all) {
    for (const other of findReplaced(one, seen, byWords)) note('contradictions', one, other);
  }
  return doubts;
}

/** A decision is never changed in place: what it is compared by is read once. */
const known = new WeakMap<HandoffDecision, Compared>();

function readCompared(decision: HandoffDecision): Compared {
  const compared = known.get(decision) ?? toCompared(decision);
  known.set(decision, compared);
  return compared;
}

function toCompared(decision: HandoffDecision): Compared {
  const { content, evidence } = decision;
  return {
    ...toKept(content, evidence),
    decision,
    isDenial: (content.match(denials)?.length ?? 0) % 2 === 1,
    numbers: (content.match(number) ?? []).join(' '),
    rest: contentWords(content.replace(number, ' ')),
    rejected: readRejectedWords(content),
  };
}

function compare(one: Compared, other: Compared): keyof DecisionDoubt | null {
  if (one.normal === other.normal) return 'duplicates';
  const shared = countShared(one.words, other.words);
  const isAboutSame = (2 * shared) / Math.max(1, one.words.size + other.words.size) >= deniedMin;
  if (one.isDenial !== other.isDenial) return isAboutSame ? 'contradictions' : null;
  if (one.numbers !== other.numbers) return isOtherNumber(one, other) ? 'contradictions' : null;
  return saysTheSame(one, other) ? 'duplicates' : null;
}

/** The same words but for the numbers that both name. */
function isOtherNumber(one: Compared, other: Compared): boolean {
  if (one.numbers === '' || other.numbers === '') return false;
  return one.rest.size > 1 && one.rest.size === other.rest.size && countShared(one.rest, other.rest) === one.rest.size;
}

/** What a decision replaced, and what it rejects explicitly, where that is still in the draft. */
function findReplaced(
  one: Compared,
  all: SimilarTexts<Compared>,
  byWords: ReadonlyMap<string, Compared>,
): readonly Compared[] {
  const { supersedes = [] } = one.decision;
  const named = supersedes.flatMap((text) => byWords.get(toKept(text).normal) ?? []);
  const rejected = one.rejected.flatMap((words) =>
    all
      .findHolding(words)
      .filter((other) => countShared(one.words, other.words) >= Math.min(2, other.words.size))
      // Two that reject the same agree.
      .filter((other) => !other.rejected.some((set) => countShared(set, words) === words.size)),
  );
  return [...named, ...rejected].filter((other) => other !== one);
}
