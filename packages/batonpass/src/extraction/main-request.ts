import type { Conversation, Message } from '../core/conversation.ts';
import { contentWords } from './content-words.ts';
import { type OwnWords, ownWordsOf } from './own-words.ts';
import { withoutAddresses } from './plain-text.ts';

/** A shorter message, as "go on", belongs to the request before it. */
export const requestCharactersMin = 25;
/** A message's words behind so many characters are detail. */
const charactersRead = 2_000;
/** A question asks about the work more often than it gives any. */
const questionWeight = 0.5;
/** Of the requests with at least this share of the greatest weight the latest is taken: it is nearest to the present. */
const nearMaximum = 0.65;

/** The request that a conversation is mostly about. */
export interface MainRequest {
  /** The message, with the person's own words alone. */
  message: Message;
  /** The words that no message before it has, each with the number of later messages that have it, the answer excepted. */
  introduced: ReadonlyMap<string, number>;
}

/**
 * The main request of a conversation: the one that introduces the most words of the messages after its answer, or the latest
 * of those that introduce nearly as many. If a conversation changes its subject, this is a later request than the first. The
 * answer does not count, since it repeats the words of any request. The method needs no language.
 *
 * @returns undefined where the person asked nothing in words.
 */
export function findMainRequest({ messages }: Conversation, pasted: OwnWords): MainRequest | undefined {
  const spoken = messages
    .filter(({ role, text }) => role !== 'system' && text !== '')
    .map((message) => {
      const text = message.role === 'user' ? ownWordsOf(message, pasted) : message.text;
      return { message: { ...message, text }, words: topicWords(text.slice(0, charactersRead)) };
    });
  const counts = new Map<string, number>();
  for (const { words } of spoken) for (const term of words) counts.set(term, (counts.get(term) ?? 0) + 1);
  const known = new Set<string>();
  const found: (MainRequest & { weight: number; isShort: boolean })[] = [];
  for (const [place, { message, words }] of spoken.entries()) {
    const answer = spoken[place + 1]?.words;
    const introduced = new Map<string, number>();
    for (const term of words) {
      if (!known.has(term)) introduced.set(term, (counts.get(term) ?? 1) - (answer?.has(term) ? 2 : 1));
      known.add(term);
    }
    if (message.role !== 'user' || message.text === '') continue;
    const sum = [...introduced.values()].reduce((total, later) => total + Math.log1p(later), 0);
    const weight = /[?？؟]/.test(message.text.slice(0, charactersRead)) ? sum * questionWeight : sum;
    const isShort = withoutAddresses(message.text.slice(0, charactersRead)).trim().length < requestCharactersMin;
    found.push({ message, introduced, weight, isShort });
  }
  const long = found.filter(({ isShort }) => !isShort);
  const all = long.length > 0 ? long : found;
  const max = Math.max(...all.map(({ weight }) => weight));
  return all.findLast(({ weight }) => weight > 0 && weight >= max * nearMaximum) ?? all[0];
}

const wideRun = /[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}\p{sc=Hangul}]+/gu;

/** The content words of a text; of a script without spaces each two neighbouring characters. Short small words bind others. */
export function topicWords(text: string): Set<string> {
  const words = new Set([...contentWords(text.replace(wideRun, ' '))].filter((word) => word.length > 3));
  for (const [run] of text.matchAll(wideRun))
    for (let at = 0; at < run.length - 1; at += 1) words.add(run.slice(at, at + 2));
  for (const [name] of text.matchAll(/(?<![\p{L}\d])\p{Lu}{2,3}(?![\p{L}\d])/gu)) words.add(name.toLowerCase());
  return words;
}
