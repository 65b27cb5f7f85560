import type { Conversation } from '../core/conversation.ts';
import type { Evidence } from '../core/evidence.ts';
import { countShared } from './content-words.ts';
import { givesOrder, readRejectedWords, withdraws, withoutWish } from './language-cues.ts';
import { isPastedAt, type OwnWords } from './own-words.ts';
import { isQuestion, readAnsweredLine, toPlainText } from './plain-text.ts';
import { leadsDescription } from './request-cues.ts';
import { type Sentence, splitMessage } from './sentences.ts';

/** An order of the person that binds all later work, word for word. */
export interface StandingInstruction {
  content: string;
  evidence: Evidence;
  /** How often it was given. */
  times: number;
}

/** A longer sentence is a text about something; an instruction in it is among the earlier words. */
const charactersMax = 400;
const charactersMin = 8;
const instructionsMax = 40;

/**
 * The standing orders in the person's own words, each word for word and none replaced by one that is like it: "never
 * touch the legacy module" and "never touch the billing module" are two. Those that were repeated come first, then the
 * newest. Words written in capitals count as an order in any language.
 */
export function findInstructions({ messages }: Conversation, pasted: OwnWords): StandingInstruction[] {
  const found = new Map<string, GivenOrder>();
  let asked = '';
  for (const message of messages) {
    if (message.role === 'assistant' && message.text !== '') asked = message.text;
    if (message.role !== 'user') continue;
    const ranges = pasted.get(message.index);
    for (const sentence of splitMessage(message)) {
      const { text, at, kind, plain } = sentence;
      if (kind === 'heading' || kind === 'quote' || isPastedAt(ranges, at) || text.length > charactersMax) continue;
      noteEnd(found.values(), sentence);
      if (text.length < charactersMin || isQuestion(plain) || isForNow.test(plain)) continue;
      if ((!givesOrder(withoutWish(plain)) && !shouts(plain)) || leadsDescription.test(sentence.lead)) continue;
      // A question that the host put is the agent's; its answer is a decision.
      if (readAnsweredLine(lineAt(message.text, at), asked) !== undefined) continue;
      const key = plain
        .toLowerCase()
        .replace(/[\s.!。！]+/g, ' ')
        .trim();
      const times = (found.get(key)?.times ?? 0) + 1;
      found.delete(key);
      found.set(key, {
        content: toPlainText(text),
        evidence: { message: message.index, quote: text },
        times,
        words: sentence.words,
      });
    }
  }
  const newestFirst = [...found.values()].reverse();
  return newestFirst
    .sort((left, right) => right.times - left.times)
    .slice(0, instructionsMax)
    .map(({ content, evidence, times, later }) => ({
      content: later === undefined ? content : `${content} (later: “${later}”)`,
      evidence,
      times,
    }));
}

/** A command of the host, as "Use /review", or the opening of a task: "Change only a.py:". */
const isForNow = /^\p{L}+ \/[\p{L}\d:_-]+[.!]*$|[:：]$/u;

interface GivenOrder extends StandingInstruction {
  words: ReadonlySet<string>;
  /** Later words of the person that allow what it forbids, or end it. */
  later?: string;
}

/**
 * Notes on each order of an earlier message whether a sentence ends it: "Never deploy on Fridays", and later "Fridays are fine
 * after all". Both are shown, because only a reader can decide whether they mean the same thing.
 */
function noteEnd(orders: Iterable<GivenOrder>, { plain, words, message }: Sentence): void {
  const rejected = readRejectedWords(plain);
  const allows = withdraws(plain);
  if (rejected.length === 0 && !allows) return;
  for (const order of orders) {
    if (order.evidence.message === message || order.later !== undefined) continue;
    const shared = countShared(words, order.words);
    const isAllowed = allows && shared > 0 && (shared >= 2 || order.words.size <= 3);
    const isRejected = rejected.some((names) => [...names].every((name) => order.words.has(name)));
    if (isAllowed || isRejected) order.later = plain;
  }
}

function lineAt(text: string, at: number): string {
  const end = text.indexOf('\n', at);
  return text.slice(text.lastIndexOf('\n', at) + 1, end === -1 ? undefined : end);
}

/** Three words in capitals in a row, or all of two, of letters that have small ones; a line of nothing else without a stop is a title. */
function shouts(plain: string): boolean {
  if (/^[\P{Ll}]*[\p{L}\d)]$/u.test(plain)) return false;
  return /(?<![\p{L}\d_./-])\p{Lu}{2,}(?: \p{Lu}{2,}){2,}(?![\p{L}\d_./-])|^\p{Lu}{2,} \p{Lu}{2,}[.!]*$/u.test(plain);
}
