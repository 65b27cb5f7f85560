import type { Evidence } from '../core/evidence.ts';
import { limits } from '../core/limits.ts';
import { toPlainText } from '../extraction/plain-text.ts';

/**
 * Where a text is in a conversation: character for character, else the line that equals it without its Markdown,
 * as a person sees and selects it. Nothing where it is not there.
 */
export function findSaid(words: string, texts: readonly string[]): Evidence | undefined {
  const quote = cut(words);
  const exact = texts.findIndex((text) => text.includes(quote));
  if (exact !== -1) return { message: exact, quote };
  const plain = toPlainText(words);
  if (plain === '') return undefined;
  for (const [message, text] of texts.entries()) {
    const line = text.split('\n').find((each) => toPlainText(each).includes(plain));
    if (line !== undefined) return { message, quote: cut(line.trim()) };
  }
  return undefined;
}

/** The beginning of a text, as long as a quote may be; half a surrogate pair at its end is left out. */
function cut(text: string): string {
  return text.slice(0, limits.quote_characters_max).replace(/[\uD800-\uDBFF]$/, '');
}
