const encoder = new TextEncoder();
const decoder = new TextDecoder('utf-8', { ignoreBOM: true });

/**
 * The same text as one of its own. V8 makes a slice of a text point into it, so that a word that is kept would keep all
 * of the file or message in memory that it was cut from. Time grows with the text.
 */
export function ownText(text: string): string {
  // Bytes cannot encode half a surrogate pair: such a text stays as it is.
  return text.isWellFormed() ? decoder.decode(encoder.encode(text)) : text;
}
