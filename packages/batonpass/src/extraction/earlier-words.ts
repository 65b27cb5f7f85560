import type { Conversation } from '../core/conversation.ts';
import { limits } from '../core/limits.ts';
import { contentWords } from './content-words.ts';
import { isName, orderUnits, type Speaker, type Unit } from './order-words.ts';
import type { OwnWords } from './own-words.ts';
import { readUnits } from './read-units.ts';

/** A sentence or line of the conversation, word for word, with its rank by importance. */
export interface EarlierWord {
  message: number;
  by: Speaker;
  content: string;
  /** 0 for the most important; every rank is given once. */
  rank: number;
  /** It follows the sentence before it on the same line. */
  same_line?: true;
  /** The person later reversed what it says. */
  reversed?: true;
}

/** What a choice of the person reversed: sentences before its message that contain all of these words. */
export interface Reversal {
  message: number;
  words: ReadonlySet<string>;
  /** One of these has to be there too: a number alone occurs everywhere. */
  near?: ReadonlySet<string>;
}

/** A sentence is overtaken where later turns name this share of what it names, and keeps so much of its weight. */
const overtaken = { share: 0.5, left: 0.02 } as const;

/**
 * The sentences of a conversation that matter most to who goes on, in the order in which they were said and each with
 * its rank, as many as fit into `limits.words_bytes_max`. It needs no language: a sentence weighs by its speaker and its position, and is worth the words
 * that no better sentence has said; names, paths and numbers count more, and so does what is said last. The same conversation
 * always gives the same order.
 */
export function rankWords(
  conversation: Conversation,
  pasted: OwnWords,
  reversals: readonly Reversal[] = [],
): EarlierWord[] {
  const units = withReversed(withOvertaken(readUnits(conversation, pasted)), reversals);
  const order = orderUnits(units);
  const words = new Map<Unit, EarlierWord>();
  let left: number = limits.words_bytes_max;
  for (const unit of order) {
    const { message, by, text, isSameLine, isReversed } = unit;
    left -= new TextEncoder().encode(text).byteLength;
    if (left < 0 || words.size === limits.entries_max) break;
    const marks = { ...(isSameLine && { same_line: true as const }), ...(isReversed && { reversed: true as const }) };
    words.set(unit, { message, by, content: text, rank: words.size, ...marks });
  }
  return units.flatMap((unit) => words.get(unit) ?? []);
}

/** Of these the words of person, agent and host, ranked among themselves, the most important first. */
export function rankSpoken(words: readonly EarlierWord[]): EarlierWord[] {
  const spoken = words.filter(({ by }) => by !== 'pasted').sort((left, right) => left.rank - right.rank);
  return spoken.map((word, rank) => ({ ...word, rank }));
}

/**
 * Puts last what the agent or the host said of paths, numbers and identifiers that a later turn speaks of again: of the
 * same things the later words hold. It needs no language.
 */
function withOvertaken(units: readonly Unit[]): Unit[] {
  const lastTurns = new Map<string, number>();
  for (const { terms, turn } of units) for (const term of terms) lastTurns.set(term, turn);
  return units.map((unit) => {
    const names = unit.terms.filter(isName);
    const later = names.filter((name) => (lastTurns.get(name) ?? 0) > unit.turn);
    const isOvertaken = unit.by !== 'person' && later.length > 0 && later.length / names.length >= overtaken.share;
    return isOvertaken ? { ...unit, weight: unit.weight * overtaken.left } : unit;
  });
}

/** Marks, and moves to the end, what was said of a choice before the person reversed it. */
function withReversed(units: readonly Unit[], reversals: readonly Reversal[]): Unit[] {
  if (reversals.length === 0) return [...units];
  return units.map((unit) => {
    const words = contentWords(unit.text);
    const isReversed = reversals.some(
      ({ message, words: gone, near }) =>
        unit.message < message &&
        [...gone].every((word) => words.has(word)) &&
        (near === undefined || [...near].some((word) => words.has(word))),
    );
    return isReversed ? { ...unit, isReversed, weight: unit.weight * overtaken.left } : unit;
  });
}
