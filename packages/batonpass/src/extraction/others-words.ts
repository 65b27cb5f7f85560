import type { Conversation, Message } from '../core/conversation.ts';
import { findReport } from './attribution-cues.ts';
import { isPastedAt, type OwnWords, type Pasted } from './own-words.ts';
import { splitMessage } from './sentences.ts';

/** Of what follows an attribution so much is searched for the end of its quotation. */
const quotedCharactersMax = 2_000;
/** So much may be between an attribution and its quotation. */
const leadCharactersMax = 40;

/**
 * Adds to what a message holds of others the sentences in which the person reports what somebody else said. They stay among
 * the person's words, since they name who speaks; but no rule takes them for what the person wants.
 */
export function withReported(conversation: Conversation, pasted: OwnWords): OwnWords {
  const all = new Map(pasted);
  for (const message of conversation.messages) {
    if (message.role !== 'user') continue;
    const ranges = pasted.get(message.index) ?? [];
    const reported = [...findReported(message, ranges), ...findQuotations(message, ranges)];
    if (reported.length > 0)
      all.set(
        message.index,
        [...ranges, ...reported].sort((a, b) => a.from - b.from),
      );
  }
  return all;
}

function findReported(message: Message, pasted: readonly Pasted[]): Pasted[] {
  const sentences = splitMessage(message);
  const ends = new Map(sentences.map(({ block, at, text }) => [block, at + text.length]));
  const found: Pasted[] = [];
  /** Up to here goes what was last begun: a quotation, or all that follows a colon. */
  let until = 0;
  for (const { at, text, block, plain } of sentences) {
    if (isPastedAt(pasted, at)) continue;
    if (at >= until) {
      const end = findReport(text);
      if (end === undefined) continue;
      const rest = message.text.slice(at + end, at + end + quotedCharactersMax);
      until = opensText.test(rest) ? (ends.get(block) ?? 0) : at + end + closingOf(rest);
    }
    found.push({ from: at, to: at + text.length, lines: 1, telling: plain });
  }
  return found;
}

/** A quotation of a whole sentence at the least, behind a colon: others are names, labels or the person's own wording. */
const quotation = /(?<=[:：]\s{0,3})["“„«「](?<quoted>(?:[^"”“»」\n]|\n(?!\n)){24,2000})["”“»」]/gu;
const wordsQuotedMin = 5;

/** What stands in quotation marks behind a colon is somebody's sentence, and no order of the person who quotes it. */
function findQuotations({ text }: Message, pasted: readonly Pasted[]): Pasted[] {
  return [...text.matchAll(quotation)].flatMap(({ index, 0: whole, groups }) => {
    const quoted = groups?.quoted ?? '';
    const isSentence = quoted.split(/\s+/).length >= wordsQuotedMin || /[。！？]/u.test(quoted);
    return isSentence && !isPastedAt(pasted, index)
      ? [{ from: index + 1, to: index + whole.length, lines: 1, telling: quoted }]
      : [];
  });
}

/** A colon without a quotation after it. */
const opensText = /^[^"“„«「.!?]{0,40}[:：](?!\s*["“„«「])/u;

/** Where the quotation that a text opens with ends; 0 where it opens none. */
function closingOf(text: string): number {
  const open = /["“„«「]/.exec(text.slice(0, leadCharactersMax));
  if (open === null) return 0;
  const closing = { '"': '"', '“': '”', '„': '“', '«': '»', '「': '」' }[open[0]] ?? open[0];
  return Math.max(0, text.indexOf(closing, open.index + 1));
}
