import type { Conversation } from '../core/conversation.ts';
import { contentWords } from './content-words.ts';
import type { EarlierWord } from './earlier-words.ts';
import { bindsAnother, withoutOpening } from './language-cues.ts';
import { isLogLine, type OwnWords, ownWordsOf } from './own-words.ts';
import { toPlainText } from './plain-text.ts';
import { type Sentence, splitMessage } from './sentences.ts';

const wordsMax = 10;
const wordsMin = 3;
/** A word of a script without spaces has about so many characters. */
const wideCharactersAWord = 2;
/** Sentences that are weighed, and so many of one message at most: what follows there is detail. */
const sentencesMax = 400;
const messageSentencesMax = 12;
const sentenceCharactersMax = 600;

/** How much a part of a request counts by its place and form, before its words are looked at. */
const weights = { opening: 1.5, later: 0.8, asks: 1.4, binds: 0.5, question: 0.7 } as const;
/** A request so many messages later, and a sentence so many places later in its message, counts half. */
const messageHalf = 8;
const sentenceHalf = 3;
/** A shorter message, as "go on", opens nothing. */
const openingCharactersMin = 25;

/**
 * The goal of a conversation in at most ten words: of all the parts of the person's own sentences the one whose words
 * the conversation speaks of most, the first request before later ones. Headings, paths, addresses, lines of logs and
 * greetings are no title. Empty where the person asked nothing in words.
 *
 * @param words - the sentences of the conversation that matter most.
 */
export function findTitle({ messages }: Conversation, pasted: OwnWords, words: readonly EarlierWord[]): string {
  const counts = new Map<string, number>();
  for (const { content } of words) for (const term of termsOf(content)) counts.set(term, (counts.get(term) ?? 0) + 1);
  let best = { text: '', score: 0 };
  let read = 0;
  let turn = -1;
  for (const message of messages) {
    if (message.role !== 'user' || read >= sentencesMax) continue;
    const own = splitMessage({ ...message, text: ownWordsOf(message, pasted) })
      .filter(isOwn)
      .slice(0, messageSentencesMax);
    const isOpening = own.reduce((length, { plain }) => length + plain.length, 0) >= openingCharactersMin;
    if (turn >= 0 || isOpening) turn += 1;
    for (const [place, { plain }] of own.entries()) {
      const late = turn <= 0 ? weights.opening : weights.later / (1 + turn / messageHalf);
      const weight = late / (1 + place / sentenceHalf);
      for (const part of partsOf(plain)) {
        const score = scoreOf(part, counts) * weight;
        if (score > best.score) best = { text: part.text, score };
      }
    }
    read += own.length;
  }
  return best.text.charAt(0).toUpperCase() + best.text.slice(1);
}

/** A title that the person or the host gave, in one line of at most ten words; empty where it names no work. */
export function toGivenTitle(title: string | undefined): string {
  const plain = toPlainText((title ?? '').replace(/\s+/g, ' ').trim());
  return plain === '' || isLogLine(plain) || wordsOf(withoutAddresses(plain)) < 1 ? '' : cutToWords(plain);
}

function isOwn({ kind, text, plain }: Sentence): boolean {
  return (kind === 'prose' || kind === 'item') && text.length <= sentenceCharactersMax && !isLogLine(plain);
}

interface Part {
  text: string;
  /** How much its form counts. */
  weight: number;
}

/** Ends of clauses, in any script. */
const clauseEnd = /[,;:!?](?=\s)|\s[–—-](?=\s)|[.…](?=\s)|[，；：。！？、]/g;

/** What a sentence says in a row of whole clauses that has at most ten words; of a longer clause its beginning. */
function partsOf(sentence: string): Part[] {
  const ends = [...sentence.matchAll(clauseEnd)].map(({ index }) => index);
  const clauses = [-1, ...ends].map((end, place) => ({ from: end + 1, to: ends[place] ?? sentence.length }));
  const isQuestion = /[?？]\W*$/.test(sentence);
  return clauses.flatMap(({ from }, first) => {
    let part: Part | undefined;
    let weight = isQuestion ? weights.question : 1;
    for (const { from: clause, to } of clauses.slice(first)) {
      const { text, asks } = withoutOpening(sentence.slice(from, to));
      if (bindsAnother(sentence.slice(clause, to).trim())) weight = weights.binds;
      const named = text.replace(/^\S*[/\\]\S*\s+|[\s.:;,。，；：、…]+$/g, '');
      if (part !== undefined && wordsOf(named) > wordsMax) break;
      if (wordsOf(withoutAddresses(named)) < wordsMin) continue;
      const line = cutToWords(asks ? named.replace(/\s*[?？]$/, '') : named);
      part = { text: line, weight: asks ? weights.asks : weight };
    }
    return part ?? [];
  });
}

/** How much of what is spoken of most it has, without a reward for length alone. */
function scoreOf({ text, weight }: Part, counts: ReadonlyMap<string, number>): number {
  const terms = termsOf(text);
  let sum = 0;
  for (const term of terms) sum += Math.log1p(counts.get(term) ?? 0);
  return (sum * weight) / Math.sqrt(terms.size + 4);
}

const wide = /[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}\p{sc=Hangul}]/gu;
const wideRun = /[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}\p{sc=Hangul}]+/gu;

/** Its content words; of a script without spaces each two neighbouring characters. Short small words bind others. */
function termsOf(text: string): Set<string> {
  const terms = new Set([...contentWords(text.replace(wideRun, ' '))].filter((word) => word.length > 3));
  for (const [run] of text.matchAll(wideRun))
    for (let at = 0; at < run.length - 1; at += 1) terms.add(run.slice(at, at + 2));
  for (const [name] of text.matchAll(/(?<![\p{L}\d])\p{Lu}{2,3}(?![\p{L}\d])/gu)) terms.add(name.toLowerCase());
  return terms;
}

/** How many words a text has, a script without spaces counted by its characters. */
function wordsOf(text: string): number {
  const characters = text.match(wide)?.length ?? 0;
  const spaced = text.replace(wide, ' ').match(/\S*[\p{L}\p{N}]\S*/gu)?.length ?? 0;
  return spaced + characters / wideCharactersAWord;
}

/** Without paths and addresses, which name a place and no work. */
function withoutAddresses(text: string): string {
  return text.replace(/\S+:\/\/\S+|@?(?:[A-Za-z]:)?(?:[\w.~-]*[/\\]){1,}\S*/g, ' ');
}

/** At most ten words, cut at a word; what only binds others does not stay at the end. */
function cutToWords(text: string): string {
  if (wordsOf(text) <= wordsMax) return text;
  const pieces =
    text.match(
      /[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}\p{sc=Hangul}]|[^\s\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}\p{sc=Hangul}]+|\s+/gu,
    ) ?? [];
  let head = '';
  for (const piece of pieces) {
    if (wordsOf(head + piece) > wordsMax) break;
    head += piece;
  }
  return `${head.replace(/(?:\s+\p{Ll}{1,3})+\s*$/u, '').trimEnd()}…`;
}
