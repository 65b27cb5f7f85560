import type { Decision } from '../core/content.ts';
import { isImplied } from '../core/implied.ts';
import { limits } from '../core/limits.ts';
import { contentWords, countShared } from './content-words.ts';
import type { DecisionCandidate } from './decision-candidates.ts';
import type { Reversal } from './earlier-words.ts';
import { readRejectedWords, readUndone } from './language-cues.ts';
import * as requestCues from './request-cues.ts';
import type { Sentence } from './sentences.ts';
import { SimilarTexts } from './similar-texts.ts';

/** Says that the speaker changed his mind, or replaces one thing by another. */
const changesMind =
  /\b(?:instead|on second thought|changed my mind|scrap that|never mind|after all|switch to)\b|^(?:\W*\w+\W+){0,2}actually\b/i;

/** From this likeness on, two choices say the same. */
const restatedMin = 0.7;

/** Of what earlier wordings replaced, only the newest is kept: a choice that is restated every turn would collect a line from each. */
const inheritedMax = 100;

/** An order to remove something. */
const removes = /^\W*(?:remove|delete|drop|get rid of)\b/i;

/** More words describe a thing; fewer name it. */
const reversedWordsMax = 4;
/** How a choice begins that only takes another one back. */
const undone = 'Taken back: ';
/** An order to undo that has only these words names nothing: "revert your last change". */
const namesNothing = contentWords(
  'last latest previous change edit commit work step modification thing everything again das die der den letzte letzten ' +
    'änderung änderungen alles wieder ça cela ce le la les tout dernier dernière changement lo eso esto el último cambio todo',
);
/** "Undo it" means the request before it: the turn before the agent's. */
const undoTurnsMax = 2;

/** More words that only the fallen choice has are no name of it. */
const nameWordsMax = 2;
/** The newest are kept: every sentence in the result is compared with each. */
const reversalsMax = 200;

/** A choice that later ones are held against. */
interface Choice {
  content: string;
  confidence: number;
  /** The turn that made it; -1 before the conversation. */
  turn: number;
  words: ReadonlySet<string>;
  /** Absent for a choice from before the conversation. */
  decision?: DecisionCandidate;
}

/** The choices in force at the end. */
interface Resolved {
  decisions: DecisionCandidate[];
  reversals: Reversal[];
  /** Of the decisions from before the conversation, those that it replaced or restated, in their words. */
  revoked: string[];
  /** Choices that were left out because there were too many: the oldest of the implied ones, then the oldest. */
  dropped: number;
}

/**
 * Drops choices that a later one of the user contradicts, and says of the later one what it replaced. Restatements
 * become one: the last wording stays unless the earlier one is surer, because what is said again may say a little else.
 */
export class ChoicesInForce {
  readonly #earlier: readonly Decision[];
  readonly #kept = new SimilarTexts<Choice>();
  readonly #standing = new SimilarTexts<Choice>();
  readonly #reversals: Reversal[] = [];
  #dropped = 0;

  /**
   * @param earlier - decisions from before the conversation. They fall as if they were said before its first word, but
   * of a restatement the conversation's wording stays unless the earlier one is surer.
   */
  constructor(earlier: readonly Decision[] = []) {
    this.#earlier = earlier;
    for (const decision of earlier) this.#standing.add(toChoice(decision));
  }

  add(decision: DecisionCandidate): void {
    const { content, confidence, turn } = decision;
    const choice = { content, confidence, turn, words: contentWords(content), decision };
    const saidBefore = this.#standing.findAlike(choice.words, restatedMin).filter((other) => isSame(other, choice));
    if (saidBefore.some((other) => other.confidence > confidence)) return;
    const saidHere = this.#kept.findAlike(choice.words, restatedMin).filter((other) => isSame(other, choice));
    const revoked = findContradicted(choice, this.#standing).filter((other) => !saidBefore.includes(other));
    for (const other of [...saidBefore, ...revoked]) this.#standing.delete(other);
    if (saidHere.some((other) => other.confidence > confidence)) return;
    const found = findContradicted(choice, this.#kept).filter((other) => !saidHere.includes(other));
    const replaced = found.length === 0 && revoked.length === 0 ? this.#findJustSaid(choice) : found;
    // What only a proposal says, the person did not.
    if (decision.support === undefined) this.#addReversals(choice, decision.evidence.message, replaced);
    for (const other of [...saidHere, ...replaced]) this.#kept.delete(other);
    const inherited = saidHere.flatMap((other) => other.decision?.supersedes ?? []);
    const changed = saidHere.filter((other) => isOtherwise(other, choice));
    const fallen = [...revoked, ...replaced, ...changed].map((other) => other.content);
    const supersedes = [...inherited.slice(-inheritedMax), ...fallen];
    this.#kept.add({ ...choice, decision: supersedes.length === 0 ? decision : { ...decision, supersedes } });
    if (this.#kept.size > 2 * limits.entries_max) this.#shrink(limits.entries_max);
  }

  finish(): Resolved {
    this.#shrink(limits.entries_max);
    const stands = new Set([...this.#standing.values()].map(({ content }) => content));
    return {
      decisions: [...this.#kept.values()].flatMap(({ decision }) => decision ?? []),
      revoked: this.#earlier.map(({ content }) => content).filter((content) => !stands.has(content)),
      reversals: this.#reversals,
      dropped: this.#dropped,
    };
  }

  /** "I changed my mind, use sessions" names nothing that it replaces: it means the one choice of the request before. */
  #findJustSaid({ decision, turn }: Choice): Choice[] {
    if (decision === undefined || !requestCues.changesMind.test(decision.evidence.quote)) return [];
    const before = [...this.#kept.values()].filter((other) => other.confidence === 1 && other.turn === turn - 2);
    return before.length === 1 ? before : [];
  }

  /**
   * The person undoes a request: the newest that he names, else the last. Its choices fall, and nothing is chosen instead.
   * Of an order that names a thing ("revert the plan and …"), only choices about this thing fall.
   */
  undo({ message, text: quote, plain }: Sentence, turn: number): void {
    const before = [...this.#kept.values()].filter((choice) => choice.confidence === 1 && choice.turn < turn);
    const object = [...contentWords(readUndone(plain) ?? '')].filter((word) => !namesNothing.has(word));
    const said = object.length > 0 ? new Set(object) : contentWords(quote);
    const named = before.filter(({ words }) => countShared(words, said) > 0);
    const isNamed = named.length > 0 || object.length > 0;
    const meant = isNamed ? named : before.filter((choice) => turn - choice.turn <= undoTurnsMax);
    const last = Math.max(...meant.map((choice) => choice.turn));
    const fallen = meant.filter((choice) => choice.turn === last);
    if (fallen.length === 0) return;
    for (const choice of fallen) this.#kept.delete(choice);
    const content = `${undone}${fallen.map((choice) => choice.content).join(' ')}`;
    const decision = { content, confidence: 1, evidence: { message, quote }, turn };
    this.#kept.add({ content, confidence: 1, turn, words: contentWords(content), decision });
  }

  /** The person orders what he had put off: choices that begin so and name one of the words fall. */
  lift(opening: string, words: ReadonlySet<string>): void {
    for (const choice of this.#kept.findSharing(words))
      if (choice.content.startsWith(opening)) this.#kept.delete(choice);
  }

  /** What the choice rejects in so many words, and what only the choices that fall by it name. */
  #addReversals({ confidence, content, words }: Choice, message: number, replaced: readonly Choice[]): void {
    if (confidence < 1) return;
    const named = replaced
      .map((other) => new Set([...other.words].filter((word) => !words.has(word))))
      .filter((only) => only.size <= nameWordsMax);
    // "Remove the config files" is work to do; it takes no words back unless a choice falls by it.
    const rejected = removes.test(content) && replaced.length === 0 ? [] : readRejectedWords(content);
    for (const gone of [...rejected, ...named]) {
      if (gone.size === 0 || gone.size > reversedWordsMax) continue;
      const isNumber = [...gone].every((word) => /^\d+$/.test(word));
      const near = new Set([...words].filter((word) => !gone.has(word) && !/^\d+$/.test(word)));
      this.#reversals.push({ message, words: gone, ...(isNumber && { near }) });
    }
    if (this.#reversals.length > reversalsMax) this.#reversals.splice(0, this.#reversals.length - reversalsMax);
  }

  #shrink(size: number): void {
    const excess = this.#kept.size - size;
    if (excess <= 0) return;
    const leastFirst = [...this.#kept.values()].sort((a, b) => a.confidence - b.confidence || a.turn - b.turn);
    for (const choice of leastFirst.slice(0, excess)) this.#kept.delete(choice);
    this.#dropped += excess;
  }
}

function toChoice(decision: Decision): Choice {
  const { content } = decision;
  return { content, confidence: isImplied(decision) ? 0.5 : 1, turn: -1, words: contentWords(content) };
}

/** Of two like-worded choices of one turn each may name another thing: "the read time-out", "the write time-out". */
function isSame(earlier: Choice, later: Choice): boolean {
  return earlier.turn !== later.turn || (earlier.words.size === later.words.size && !isOtherwise(earlier, later));
}

/** Whether each names what the other does not, so that the earlier words do not hold any more. */
function isOtherwise(earlier: Choice, later: Choice): boolean {
  return countShared(earlier.words, later.words) < Math.min(earlier.words.size, later.words.size);
}

/** The earlier choices that fall by this one; only what the user says takes a choice back. */
function findContradicted(later: Choice, earlier: SimilarTexts<Choice>): Choice[] {
  if (later.confidence < 1) return [];
  const fallen = new Set<Choice>();
  for (const rejected of readRejectedWords(later.content)) {
    for (const other of earlier.findHolding(rejected)) {
      if (countShared(later.words, other.words) >= Math.min(2, other.words.size)) fallen.add(other);
    }
  }
  if (changesMind.test(later.decision?.evidence.quote ?? later.content)) {
    for (const other of earlier.findSharing(later.words)) if (isSameSubject(later, other)) fallen.add(other);
  }
  return [...fallen].filter((other) => other.turn < later.turn).sort((a, b) => a.turn - b.turn);
}

function isSameSubject(later: Choice, earlier: Choice): boolean {
  const shared = countShared(later.words, earlier.words);
  const smaller = Math.min(later.words.size, earlier.words.size);
  return shared >= Math.min(2, smaller - 1) && shared / smaller >= 0.5;
}
