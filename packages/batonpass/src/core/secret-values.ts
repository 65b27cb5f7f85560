import { ordinary, ordinaryEnding } from './secret-words.ts';

/** A value in a text, without its quotes. */
export interface TextValue {
  from: number;
  to: number;
  text: string;
  quoted: boolean;
}

const quotes: Readonly<Record<string, string>> = {
  '"': '"',
  "'": "'",
  '`': '`',
  '“': '”',
  '„': '“',
  '«': '»',
  '「': '」',
  '‘': '’',
};

const VALUE_CHARACTERS_MAX = 400;
const opening = /(?:\*{1,2}|_{2})?(?:[rbfu@]?(?=["']))?(\\{0,7}(?:"{3}|'{3}|["'])|[`“„«「‘])?/y;
const bare = /[^\s"'`<>“”„«»「」‘’\u3000-\u303F\uFF01-\uFF0F\uFF1A-\uFF20\u4E00-\u9FFF]{1,400}/y;

/** The value that begins here: what is between quotes, or up to the next blank; absent where there is none. */
export function readValue(text: string, from: number): TextValue | undefined {
  opening.lastIndex = from;
  const [opened = '', quote] = opening.exec(text) ?? [];
  const begin = from + opened.length;
  if (quote !== undefined) {
    const close = quote.startsWith('\\') ? quote : (quotes[quote] ?? quote);
    const piece = text.slice(begin, begin + VALUE_CHARACTERS_MAX);
    const [line = ''] = piece.split('\n', 1);
    const end = line.indexOf(close);
    // A quote that is never closed, or a bare apostrophe: what follows counts as if there were none.
    if (end > 0) return { from: begin, to: begin + end, text: line.slice(0, end), quoted: true };
  }
  bare.lastIndex = begin;
  const [run = ''] = bare.exec(text) ?? [];
  const value = run
    // A line's end as a quoted text spells it.
    .replace(/\\[nr](?:[\w-]*(?:[:=].*)?)$/, '')
    .replace(/;(?:[A-Za-z][A-Za-z ]{1,30}=.*)?$|,(?:[A-Za-z_]{1,30}[=:].*)?$/s, '')
    .replace(/[.,;:)\]}*_\\]+$/, '');
  if (value === '') return undefined;
  const to = begin + value.length;
  const rest = value.length === run.length ? readRest(text, to, value) : undefined;
  return rest ?? { from: begin, to, text: value, quoted: false };
}

const rest =
  /[ \t]{0,4}[\\+]?[ \t]{0,4}(?:\r?\n|\\n)[ \t>|]{0,20}["']?(?<piece>[A-Za-z0-9+/_!@#$%^&*~-]{4,200}={0,2})["'`)\]}.,;]{0,3}[ \t]{0,4}(?=\r?\n|\\n|$)/y;

/** A value that a line break cut in two: the rest is alone on the next line and is no word. */
function readRest(text: string, to: number, value: string): TextValue | undefined {
  rest.lastIndex = to;
  const match = rest.exec(text);
  const piece = match?.groups?.piece;
  if (match === null || piece === undefined || !isPieceOfRandom(piece) || !isPieceOfRandom(value)) return undefined;
  const end = to + match[0].indexOf(piece) + piece.length;
  return { from: to - value.length, to: end, text: value + piece, quoted: false };
}

/** `NAME=` alone, whose end could be the padding of base64. */
export function isEmptySetting(piece: string): boolean {
  return /^[A-Z][A-Z0-9_]*=+$/.test(piece);
}

function isPieceOfRandom(piece: string): boolean {
  if (isEmptySetting(piece)) return false;
  if (/^[0-9a-f]{7,40}$|^[\w-]+\.\w+$/.test(piece) || /^[A-Z]?[a-z]+(?:[A-Z_-][a-z]+)*$|^[A-Z_]+$/.test(piece))
    return false;
  return /\d/.test(piece) || (/[a-z]/.test(piece) && /[A-Z]/.test(piece));
}

/** A placeholder for a value that is still to be filled in, or one that is masked already. */
export function isPlaceholder(value: string): boolean {
  return /^(?:\$|%|\*+$|x+$|\.+$|-+$|-----|_+$|\[|\{|<|…|your|my[-_](?:pass|secret|token|key)|change[-_]?me|replace|insert|enter|todo)|\$\{|\{\{|<[\w -]+>|^[A-Z]+(?:_[A-Z]+)*$/.test(
    value.replace(/^(?:your|change|replace|insert|enter|todo)/i, (word) => word.toLowerCase()),
  );
}

/** Whether a value after the name of a key can be one: mixed characters, no code, no path, no id. */
export function isRandomLooking(value: string): boolean {
  if (value.length < 8 || isPlaceholder(value) || !/\d/.test(value) || !/[A-Za-z]/.test(value)) return false;
  if (/^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i.test(value)) return false;
  if (/^[0-9A-HJKMNP-TV-Z]{26}$/.test(value)) return false;
  if (
    isCode(value) ||
    ordinary.test(value) ||
    /-[a-z]+ed$/.test(value) ||
    /^[A-Za-z_$]+(?:[-_ .][A-Za-z]+)*[-_ ]?\d{1,3}$/.test(value)
  )
    return false;
  return entropy(value) >= 2.5;
}

/** Calls, members, paths, versions, dates and names of code: their parts are words or numbers. */
export function isCode(value: string): boolean {
  if (/^[)}\]]|[)\]]\.\w/.test(value)) return true;
  if (/^[~.]{0,2}[/\\](?![A-Za-z0-9+/]{30,}={0,2}$)|:\/\/|^[\d.:TZ+/-]+$|^[A-Za-z]:\\/.test(value)) return true;
  if (/^[!&*(-]{0,2}[A-Za-z_$][\w$]*(?:\(|\[["'\d\w]|=>|<|\?\.|::|->|\.[A-Za-z_$][\w$]*(?:\W|$))/.test(value))
    return true;
  return /^[\w.-]+(?:\/[\w.-]+)+$/.test(value) && !isBase64(value);
}

/** Long and mixed as no path of words is. */
function isBase64(value: string): boolean {
  return value.length >= 32 && !/[._-]/.test(value) && /[A-Z]/.test(value) && /[a-z]/.test(value) && /\d/.test(value);
}

const sentenceEnd = /[.!。！？]["'`”»)]?[ \t]+|[。！？]/;
const codeSigns = new RegExp(
  [
    // A line that continues or opens a block, an arrow, a call (but no plural: `user(s)`), a comment.
    String.raw`[;{}(]\s*$|=>|\w\((?!e?s\))|^\s*(?:\/\/|\*\s+@)`,
    // A word of programs only with the syntax that programs have there: people write "this", "new" and "return", too.
    String.raw`\b(?:const|let|var)\s+[\w$]+\s*[:=]|\b(?:const|let|var|import)\s*[{[]|\b(?:this|self)\.\w`,
    String.raw`^\s*(?:from\s+\S+\s+)?import\s+\S+$|^\s*import\s.*\sfrom\s+["']`,
    String.raw`^\s*(?:def|class|if|elif|else|while|for|with)\b.*:\s*$|^\s*return\s+\S+$`,
    String.raw`^\s*(?:(?:public|private|protected|static|final|readonly)\s+)+\w+\s*[:=]`,
  ].join('|'),
);

/** Whether the sentence or line around a value is a program's, in which any word may be a name. */
export function isCodeLine(text: string, from: number, to: number): boolean {
  const before = text.slice(Math.max(0, from - 200), from);
  const after = text.slice(to, to + 200);
  const head = before.slice(before.lastIndexOf('\n') + 1).split(sentenceEnd);
  return codeSigns.test(`${head.at(-1)}…${after.split('\n', 1)[0]?.split(sentenceEnd, 1)[0]}`);
}

/** Letters with digits or signs among them, as nobody writes a word. */
export function isMixed(value: string): boolean {
  if (value.length < 5 || isPlaceholder(value) || isCode(value)) return false;
  if (ordinary.test(value)) return false;
  // A word's ending means nothing where digits are among its letters, except after a hyphen: `base64url-encoded`.
  if (ordinaryEnding.test(value) && (!/\d/.test(value) || /-[a-z]+$/.test(value))) return false;
  if (/^[\w$]+(?:-[A-Za-z]+)+$/.test(value) && !/\d/.test(value)) return false;
  return (
    /[A-Za-z\u00C0-\u024F\u0400-\u04FF]/.test(value) &&
    /[\d!@#$%^&*?+~]/.test(value.replace(/[?!:]+$/, (signs) => signs.slice(1)))
  );
}

/** A single word, which only its place shows to be a secret: `tangerine`, `correct-horse-battery`. */
export function isPlainWord(value: string): boolean {
  return (
    value.length >= 5 &&
    /^[A-Za-z\u00C0-\u024F]+(?:-[A-Za-z\u00C0-\u024F]+)*$/.test(value) &&
    !isPlaceholder(value) &&
    !ordinary.test(value) &&
    !ordinaryEnding.test(value)
  );
}

/** Shannon entropy in bits per character; ordinary words of this length stay near 2.5. */
function entropy(value: string): number {
  const counts = new Map<string, number>();
  for (const character of value) counts.set(character, (counts.get(character) ?? 0) + 1);
  let bits = 0;
  for (const count of counts.values()) bits -= (count / value.length) * Math.log2(count / value.length);
  return bits;
}
