import type { Message } from '../../core/conversation.ts';
import type { Evidence } from '../../core/evidence.ts';
import { limits } from '../../core/limits.ts';

/** What a model says about where an item was said. */
interface Proof {
  message: number;
  quote: string;
}

/** The result of checking a quote: `said` is in its message, `implied` was not given, `invented` is in no message. */
export type CheckedProof =
  | { kind: 'said'; evidence: Evidence; moved: boolean }
  | { kind: 'implied' }
  | { kind: 'invented' };

/** A shorter quote can be in a wrong message by chance, and is not searched for in others. */
const movableCharactersMin = 20;

/**
 * Checks a quote against the messages that a model was shown. White space may differ: then the evidence is the text
 * of the message. A long quote that is in exactly one other message of the window is moved there, because models
 * miscount; any other quote that is not in its message is invented.
 */
export function checkProof({ message, quote }: Proof, window: readonly Message[]): CheckedProof {
  const words = quote.trim();
  if (!/[\p{L}\p{N}]/u.test(words)) return { kind: 'implied' };
  const named = window.find(({ index }) => index === message);
  const found = named && findQuote(named.text, words);
  if (found !== undefined) return { kind: 'said', evidence: { message, quote: found }, moved: false };
  if (words.length < movableCharactersMin) return { kind: 'invented' };
  const places = window.flatMap(({ index, text }) => {
    const place = findQuote(text, words);
    return place === undefined ? [] : [{ message: index, quote: place }];
  });
  const [only, ...others] = places;
  if (only === undefined || others.length > 0) return { kind: 'invented' };
  return { kind: 'said', evidence: only, moved: true };
}

/** The exact substring of a text that has these words, with any white space between them. */
export function findQuote(text: string, words: string): string | undefined {
  const quote = words
    .slice(0, limits.quote_characters_max)
    .toWellFormed()
    .replace(/\uFFFD$/, '');
  if (text.includes(quote)) return quote;
  const pattern = quote.split(/\s+/).map(escapePattern).join('\\s+');
  const found = new RegExp(pattern, 'u').exec(text)?.[0];
  return found !== undefined && found.length <= limits.quote_characters_max ? found : undefined;
}

function escapePattern(text: string): string {
  return text.replace(/[\\^$.*+?()[\]{}|/]/g, '\\$&');
}
