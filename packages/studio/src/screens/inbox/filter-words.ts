import type { Filter } from '../../../../batonpass/src/core/filter.ts';
import type { State } from '../../../../batonpass/src/core/state.ts';
import { stateWords } from '../../shown/state-mark.tsx';

/** A word with a colon that filters the list, and the member of the operation's input that it sets. */
export const filterWords = [
  { word: 'state', member: 'state', says: 'in this state' },
  { word: 'task', member: 'task_id', says: 'in this task’s queue' },
  { word: 'kind', member: 'kind', says: 'of this kind' },
  { word: 'from', member: 'source_agent', says: 'written by' },
  { word: 'to', member: 'target_agent', says: 'addressed to' },
  { word: 'scope', member: 'scope', says: 'on this path, above or below it' },
  { word: 'file', member: 'file', says: 'names a file with this path prefix' },
] as const;

export type FilterWord = (typeof filterWords)[number]['word'];

/** The filter of a list. */
export type InboxFilter = Pick<
  Filter,
  'state' | 'task_id' | 'kind' | 'source_agent' | 'target_agent' | 'scope' | 'file' | 'text'
>;

/** A typed filter, parsed. */
interface TypedFilter {
  filter: InboxFilter;
  /** Words without a meaning, as an unknown state. */
  unknown: readonly string[];
}

/** The maximum length of a filter in the address: some words. */
export const filter_characters_max = 400;

const textMax = 200;

/**
 * Parses what the user typed: words with a colon filter by a field, the last one of each counts and states add up; all
 * other words together are the text that is searched in titles and summaries. Quotes keep spaces.
 */
export function parseFilter(typed: string): TypedFilter {
  const filter: InboxFilter = {};
  const unknown: string[] = [];
  const words: string[] = [];
  for (const part of splitWords(typed.slice(0, filter_characters_max))) {
    const [, word = '', rest = ''] = /^([a-z]+):(.*)$/s.exec(part) ?? [];
    const known = filterWords.find((each) => each.word === word);
    const value = unquote(rest);
    if (known === undefined) words.push(unquote(part));
    else if (value === '') continue;
    else if (known.member !== 'state') filter[known.member] = value;
    else if (isState(value)) filter.state = [...new Set([...(filter.state ?? []), value])];
    else unknown.push(part);
  }
  const text = words.join(' ').trim().slice(0, textMax);
  return { filter: text === '' ? filter : { ...filter, text }, unknown };
}

/** A value after its field, in quotes where it needs them. */
export function writeWord(word: FilterWord, value: string): string {
  return `${word}:${/[\s"]/.test(value) ? `"${value.replaceAll('"', '')}"` : value}`;
}

/** The word at the end of the input, which suggestions complete; the text before it stays. */
export function splitLast(typed: string): { before: string; last: string } {
  const last = splitWords(typed).at(-1) ?? '';
  return /\s$/.test(typed) && !last.includes('"') ? { before: typed, last: '' } : cut(typed, last);
}

const cut = (typed: string, last: string) => ({ before: typed.slice(0, typed.length - last.length), last });

function splitWords(typed: string): string[] {
  return typed.match(/(?:[^\s"]|"[^"]*(?:"|$))+/g) ?? [];
}

const unquote = (text: string) => text.replaceAll('"', '');

function isState(text: string): text is State {
  return Object.hasOwn(stateWords, text);
}
