import { limits } from '../core/limits.ts';

/** What is left of a word's worth that a later turn speaks of again: the later one holds. */
const restated = 0.5;
/** What each repetition of a word leaves of its worth. */
const repeated = 0.4;
/** A word's worth is divided by the number of times it is said, to this power. */
const rarity = 0.1;

/** Whose a text is: `pasted` is somebody else's that the person gave. */
export type Speaker = 'person' | 'agent' | 'host' | 'pasted';

/** A sentence or line of a conversation that is weighed. */
export interface Unit {
  message: number;
  by: Speaker;
  text: string;
  /** It follows the one before it on the same line. */
  isSameLine: boolean;
  /** The short fenced block of its message that it is a line of. */
  block?: number;
  /** The line that introduces the list of which it is an item: its heading, or a line that ends with a colon. */
  under?: Unit;
  /** All units of its message are shown, or none: a short message of the last turns. */
  isKeptWhole?: true;
  isReversed?: boolean;
  turn: number;
  weight: number;
  terms: readonly string[];
}

/** A unit of a text: its words are read from it. */
export function toUnit(
  text: string,
  { index, ...rest }: Pick<Unit, 'by' | 'turn' | 'weight' | 'isSameLine' | 'block'> & { index: number },
): Unit {
  return { message: index, text, terms: termsOf(text), ...rest };
}

const word = /[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}\p{sc=Hangul}]+|[\p{L}\p{N}_./:@-]{2,}/gu;
const dense = /^[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}\p{sc=Hangul}]/u;

/** The different words of a text, lower case; of scripts without spaces each two neighbouring characters. */
function termsOf(text: string): string[] {
  const terms = new Set<string>();
  for (const [found] of text.toLowerCase().matchAll(word)) {
    if (!dense.test(found)) terms.add(found.replace(/^[./:@-]+|[./:@-]+$/g, ''));
    else for (let at = 0; at < found.length - 1; at += 1) terms.add(found.slice(at, at + 2));
  }
  return [...terms].filter((term) => term.length > 1);
}

/** A path, a number, an identifier. */
export function isName(term: string): boolean {
  return term.length > 2 && /[\d./_:@-]/.test(term);
}

interface Term {
  /** What the word is worth where it is said first. */
  worth: number;
  lastTurn: number;
  /** What is left of its worth after the sentences that were taken. */
  left: number;
}

/**
 * The units by the new words that each adds for its length, the best first, as many as a handoff can hold. A short fenced
 * block is complete, because a command can depend on the one before it. Short messages of the last turns are complete too,
 * because single sentences of them are hard to follow.
 */
export function orderUnits(units: readonly Unit[]): Unit[] {
  const terms = readTerms(units);
  const gainOf = ({ text, weight, turn, terms: own }: Unit) => {
    let sum = 0;
    for (const name of own) {
      const term = terms.get(name);
      if (term !== undefined) sum += term.worth * term.left * (term.lastTurn > turn ? restated : 1);
    }
    return (weight * sum) / (lengthOf(text) + 8) ** 0.8;
  };
  const waiting = units.map((unit, place): Waiting => ({ unit, place, gain: 0 }));
  const order: Unit[] = [];
  let characters = 0;
  while (waiting.length > 0 && characters <= limits.words_bytes_max && order.length < limits.entries_max) {
    if (order.length % rounds === 0) {
      for (const entry of waiting) entry.gain = gainOf(entry.unit);
      waiting.sort(compare);
    }
    // Gains only fall, and few of them by one sentence: the best of all is among those that were the best before.
    let at = waiting.length - 1;
    for (let index = at; index >= Math.max(0, waiting.length - candidates); index -= 1) {
      const entry = waiting[index] as Waiting;
      entry.gain = gainOf(entry.unit);
      if (compare(entry, waiting[at] as Waiting) > 0) at = index;
    }
    const [best] = waiting.splice(at, 1);
    if (best === undefined) break;
    order.push(best.unit);
    characters += best.unit.text.length;
    for (const name of best.unit.terms) {
      const term = terms.get(name);
      if (term !== undefined) term.left *= repeated;
    }
  }
  return withWholeTexts(order, units);
}

/** The first units are single sentences, up to this many characters: the smallest budgets have no room for whole messages. */
const singleCharactersMax = 2_200;

/** The order with the other units of each short block, and after the first sentences those of each message that is kept whole. */
function withWholeTexts(order: readonly Unit[], units: readonly Unit[]): Unit[] {
  const blocks = Map.groupBy(units, ({ message, block }) => (block === undefined ? '' : `${message} ${block}`));
  const messages = Map.groupBy(units, ({ message, isKeptWhole }) => (isKeptWhole === true ? message : -1));
  const whole = new Set<Unit>();
  let characters = 0;
  const take = (unit: Unit) => {
    const block = unit.block === undefined ? [unit] : (blocks.get(`${unit.message} ${unit.block}`) ?? []);
    const isSingle = characters < singleCharactersMax || unit.isKeptWhole !== true;
    const { under } = unit;
    const introduced = characters < singleCharactersMax || under === undefined ? block : [under, ...block];
    for (const each of isSingle ? introduced : (messages.get(unit.message) ?? [])) {
      if (!whole.has(each)) characters += each.text.length;
      whole.add(each);
    }
  };
  for (const unit of order) {
    const wasSingle = characters < singleCharactersMax;
    take(unit);
    if (wasSingle && characters >= singleCharactersMax) for (const torn of [...whole]) take(torn);
  }
  return [...whole];
}

/** Sentences that are weighed again before each is taken, and how many are taken before all are. */
const candidates = 200;
const rounds = 25;

interface Waiting {
  unit: Unit;
  place: number;
  gain: number;
}

/** The greatest gain last; of equals what was said first. */
function compare(left: Waiting, right: Waiting): number {
  return left.gain - right.gain || right.place - left.place;
}

function readTerms(units: readonly Unit[]): Map<string, Term> {
  const counts = new Map<string, { count: number; lastTurn: number }>();
  for (const { terms, turn } of units) {
    for (const term of terms) {
      const known = counts.get(term) ?? { count: 0, lastTurn: 0 };
      counts.set(term, { count: known.count + 1, lastTurn: Math.max(known.lastTurn, turn) });
    }
  }
  return new Map(
    [...counts].map(([term, { count, lastTurn }]) => {
      return [term, { worth: (isName(term) ? 1.5 : 1) / count ** rarity, lastTurn, left: 1 }];
    }),
  );
}

/** About its tokens: four characters, or one of a script without spaces. */
function lengthOf(text: string): number {
  const wide = text.match(/[\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af]/g)?.length ?? 0;
  return wide + (text.length - wide) / 4;
}
