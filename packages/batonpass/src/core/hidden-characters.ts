/**
 * Characters that a reader cannot see but a machine obeys: controls (ANSI and OSC escapes begin with one), bidirectional
 * overrides, zero-width characters, tag characters, variation selectors, fillers. Where they carry meaning for a reader,
 * in emoji and in scripts that need them, they stay.
 */

/** A run of more is named by its length: a hidden message is evidence, but not worth its tokens. */
const RUN_SHOWN_MAX = 8;

/** Format characters that have a glyph of their own stay: the Arabic and Kaithi number and verse signs. */
const hidden =
  /[[\p{Cc}\p{Cf}\p{Default_Ignorable_Code_Point}]--[\t\n\v\f\r\u0600-\u0605\u06DD\u070F\u0890\u0891\u08E2\u{110BD}\u{110CD}]]+/gv;

/** Plain letters, punctuation, arrows and box lines: most texts hold nothing else. */
const plain = /^[\t\n\r -~\u00A1-\u00AC\u00AE-\u02FF\u2010-\u2027\u2030-\u205E\u2190-\u25FF]*$/;

/** Emoji sequences as Unicode defines them: keycaps, flags of England, Scotland and Wales, joined and modified emoji. */
const emoji = once(() => [
  '[0-9#*]\\u{FE0F}?\\u{20E3}',
  '\\u{1F3F4}\\u{E0067}\\u{E0062}(?:\\u{E0065}\\u{E006E}\\u{E0067}|\\u{E0073}\\u{E0063}\\u{E0074}|\\u{E0077}\\u{E006C}\\u{E0073})\\u{E007F}',
  '\\p{Extended_Pictographic}[\\u{FE0E}\\u{FE0F}]?\\p{Emoji_Modifier}?(?:\\u{200D}[\\p{Extended_Pictographic}\\u{2640}\\u{2642}][\\u{FE0E}\\u{FE0F}]?\\p{Emoji_Modifier}?){0,8}',
]);

/** A joiner between letters of a script whose spelling needs it, or one ideographic variant after its ideograph. */
const joined = once(() => [
  '(?<=[\\p{Script=Arabic}\\p{Script=Syriac}\\p{Script=Mongolian}\\p{Script=Devanagari}\\p{Script=Bengali}\\p{Script=Gurmukhi}\\p{Script=Gujarati}\\p{Script=Oriya}\\p{Script=Tamil}\\p{Script=Telugu}\\p{Script=Kannada}\\p{Script=Malayalam}\\p{Script=Sinhala}\\p{Script=Khmer}\\p{Script=Myanmar}])[\\u200C\\u200D](?![\\u200C\\u200D])',
  '(?<=\\p{Script=Han})[\\u{FE00}-\\u{FE02}\\u{E0100}-\\u{E01EF}](?![\\u{FE00}-\\u{FE0F}\\u{E0100}-\\u{E01EF}])',
  '(?<=(?![\\u180B-\\u180F])\\p{Script=Mongolian})[\\u180B-\\u180E](?![\\u180B-\\u180E])',
]);

/** Letters alone: U+061C, a mark of direction, is of the Arabic script as well. */
const rightToLeft =
  /[[\p{Script=Hebrew}\p{Script=Arabic}\p{Script=Syriac}\p{Script=Thaana}\p{Script=Nko}\p{Script=Adlam}]&&\p{L}]/v;

/** One direction mark in text that has right-to-left letters; overrides and isolates never. */
const directionMark = /(?<![\u200E\u200F\u061C])[\u200E\u200F\u061C](?![\u200E\u200F\u061C])/gu;

/**
 * Shows every hidden character as `\u{1B}`, a long run as its first one and their number. Line breaks, tabs, emoji,
 * the joiners of Arabic and Indic spelling, and single direction marks next to right-to-left letters stay as they are.
 */
export function showHidden(text: string): string {
  if (plain.test(text)) return text;
  if (text.search(hidden) === -1) return text;
  const kept = findKept(text);
  let shown = '';
  let end = 0;
  for (const match of text.matchAll(hidden)) {
    shown += text.slice(end, match.index) + showRun(match[0], match.index, kept);
    end = match.index + match[0].length;
  }
  return shown + text.slice(end);
}

/** Builds an expression of alternatives when it is first needed: at every start of the command it would take two milliseconds. */
function once(alternatives: () => readonly string[]): () => RegExp {
  let built: RegExp | undefined;
  return () => {
    built ??= new RegExp(alternatives().join('|'), 'gu');
    return built;
  };
}

/** The offsets of hidden characters that have a meaning in their place. */
function findKept(text: string): Set<number> {
  const kept = new Set<number>();
  const keep = (match: RegExpExecArray) => {
    for (let offset = 0; offset < match[0].length; offset += 1) kept.add(match.index + offset);
  };
  for (const match of text.matchAll(emoji())) keep(match);
  for (const match of text.matchAll(joined())) keep(match);
  if (rightToLeft.test(text)) for (const match of text.matchAll(directionMark)) keep(match);
  return kept;
}

function showRun(run: string, start: number, kept: ReadonlySet<number>): string {
  const pieces: { text: string; hidden: boolean }[] = [];
  let offset = start;
  for (const character of run) {
    pieces.push({ text: character, hidden: !kept.has(offset) });
    offset += character.length;
  }
  const concealed = pieces.filter((piece) => piece.hidden);
  const [first] = concealed;
  if (first !== undefined && concealed.length > RUN_SHOWN_MAX) {
    const meaningful = pieces.filter((piece) => !piece.hidden).map((piece) => piece.text);
    return `${meaningful.join('')}${escapeOf(first.text)}…(${concealed.length} hidden characters)`;
  }
  return pieces.map((piece) => (piece.hidden ? escapeOf(piece.text) : piece.text)).join('');
}

function escapeOf(character: string): string {
  return `\\u{${(character.codePointAt(0) ?? 0).toString(16).toUpperCase()}}`;
}
