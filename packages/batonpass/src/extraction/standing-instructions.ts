import type { Conversation, Message } from '../core/conversation.ts';
import type { Evidence } from '../core/evidence.ts';
import { contentWords, countShared } from './content-words.ts';
import { givesOrder, readRejectedWords, withdraws } from './language-cues.ts';
import { isPastedAt, type OwnWords } from './own-words.ts';
import { readAnsweredLine } from './plain-text.ts';
import { splitMessage } from './sentences.ts';

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
  const found = new Map<string, StandingInstruction>();
  let asked = '';
  for (const message of messages) {
    if (message.role === 'assistant' && message.text !== '') asked = message.text;
    if (message.role !== 'user') continue;
    const ranges = pasted.get(message.index);
    for (const { text, at, kind, plain } of splitMessage(message)) {
      if (kind === 'heading' || kind === 'quote' || isPastedAt(ranges, at)) continue;
      if (text.length > charactersMax || text.length < charactersMin || /[?？]["')]*$/.test(plain)) continue;
      if (!givesOrder(plain) && !shouts(plain)) continue;
      // A question that the host put is the agent's; its answer is a decision.
      if (readAnsweredLine(lineAt(message.text, at), asked) !== undefined) continue;
      const key = plain
        .toLowerCase()
        .replace(/[\s.!。！]+/g, ' ')
        .trim();
      const times = (found.get(key)?.times ?? 0) + 1;
      found.delete(key);
      found.set(key, { content: plain, evidence: { message: message.index, quote: text }, times });
    }
  }
  markWithdrawn(found, messages, pasted);
  const newestFirst = [...found.values()].reverse();
  return newestFirst.sort((left, right) => right.times - left.times).slice(0, instructionsMax);
}

/**
 * Adds to an order the later words of the person that allow what it forbids, or end it: "Never deploy on Fridays", and
 * later "Fridays are fine after all". Both are told, since only a reader knows whether they are about the same thing.
 */
function markWithdrawn(
  found: ReadonlyMap<string, StandingInstruction>,
  messages: readonly Message[],
  pasted: OwnWords,
): void {
  for (const instruction of found.values()) {
    const words = contentWords(instruction.content);
    for (const message of messages.slice(instruction.evidence.message + 1)) {
      if (message.role !== 'user') continue;
      const ranges = pasted.get(message.index);
      const later = splitMessage(message).find(
        ({ text, at, plain, words: said }) =>
          text.length <= charactersMax && !isPastedAt(ranges, at) && endsOrder(plain, said, words),
      );
      if (later !== undefined) instruction.content = `${instruction.content} (later: “${later.plain}”)`;
      if (later !== undefined) break;
    }
  }
}

/** Whether a sentence speaks of what an order names, and rejects or allows it. */
function endsOrder(plain: string, said: ReadonlySet<string>, words: ReadonlySet<string>): boolean {
  if (readRejectedWords(plain).some((rejected) => [...rejected].every((word) => words.has(word)))) return true;
  const shared = countShared(said, words);
  return shared > 0 && (shared >= 2 || words.size <= 3) && withdraws(plain);
}

function lineAt(text: string, at: number): string {
  const end = text.indexOf('\n', at);
  return text.slice(text.lastIndexOf('\n', at) + 1, end === -1 ? undefined : end);
}

/** Three words in capitals in a row, or all of two, of letters that have small ones. */
function shouts(plain: string): boolean {
  return /(?<![\p{L}\d_./-])\p{Lu}{2,}(?: \p{Lu}{2,}){2,}(?![\p{L}\d_./-])|^\p{Lu}{2,} \p{Lu}{2,}[.!]*$/u.test(plain);
}
