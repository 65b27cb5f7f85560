import { stateWords } from '../../shown/state-mark.tsx';
import { type FilterWord, filterWords, splitLast, writeWord } from './filter-words.ts';
import { listSeen } from './seen-values.ts';

/** What could be typed next. */
export interface Suggestion {
  /** What stands in the field when it is chosen, whole. */
  typed: string;
  /** The part that it adds. */
  shown: string;
  says: string;
}

/** Suggestions at once: what is seen without scrolling. */
const SHOWN_MAX = 8;

/** Suggests words for what is being typed: names of fields, and behind a colon values that rows had. */
export function suggest(typed: string): Suggestion[] {
  const { before, last } = splitLast(typed);
  const [name = '', value] = last.split(/:(.*)/s, 2);
  if (value === undefined) {
    const words = filterWords.filter(({ word }) => word.startsWith(name.toLowerCase()));
    return words.map(({ word, says }) => ({ typed: `${before}${word}:`, shown: `${word}:`, says }));
  }
  const word = filterWords.find((each) => each.word === name)?.word;
  if (word === undefined) return [];
  const wanted = value.replaceAll('"', '').toLowerCase();
  return valuesOf(word)
    .filter((each) => each.toLowerCase().includes(wanted) && each !== value)
    .slice(0, SHOWN_MAX)
    .map((each) => ({ typed: `${before}${writeWord(word, each)} `, shown: writeWord(word, each), says: '' }));
}

function valuesOf(word: FilterWord): readonly string[] {
  return word === 'state' ? Object.keys(stateWords) : listSeen(word);
}
