const [OTHER, SPACE, MARK, DIGIT, LOWER, UPPER] = [0, 1, 2, 3, 4, 5] as const;

/** What each character of ASCII is to an estimate. */
const kinds = Uint8Array.from({ length: 0x80 }, (_, code) => {
  const character = String.fromCharCode(code);
  if (/\s/.test(character)) return SPACE;
  if (/[.,!?;(){}[\]<>:/\\|@#$%^&*+=`~_"-]/.test(character)) return MARK;
  if (/\d/.test(character)) return DIGIT;
  if (/[a-z]/.test(character)) return LOWER;
  return /[A-Z]/.test(character) ? UPPER : OTHER;
});

/** Whether a character of a text is one of ASCII's spaces. */
export function isPlainSpace(text: string, index: number): boolean {
  return kinds[text.charCodeAt(index)] === SPACE;
}

/**
 * The tokens of a part of a text that is ASCII alone, and begins and ends with whole words: tokenx's rules for it in one
 * pass and without memory. Its own way, by regular expressions, takes most of the time that rendering takes.
 */
export function countPlainTokens(text: string, from: number, to: number): number {
  let tokens = 0;
  for (let begin = from; begin < to; ) {
    const kind = kinds[text.charCodeAt(begin)] as number;
    const end = kind === SPACE || kind === MARK ? findRunEnd(text, begin, to) : findWordEnd(text, begin, to);
    if (kind === MARK) tokens += Math.ceil((end - begin) / 6);
    else tokens += kind === SPACE ? tokensOfSpace(text, begin, end) : tokensOfWord(text, begin, end);
    begin = end;
  }
  return tokens;
}

function findRunEnd(text: string, begin: number, to: number): number {
  const kind = kinds[text.charCodeAt(begin)];
  let end = begin + 1;
  while (end < to && kinds[text.charCodeAt(end)] === kind) end += 1;
  return end;
}

function findWordEnd(text: string, begin: number, to: number): number {
  let end = begin + 1;
  for (; end < to; end += 1) {
    const kind = kinds[text.charCodeAt(end)];
    if (kind === SPACE || kind === MARK) break;
  }
  return end;
}

function tokensOfWord(text: string, begin: number, end: number): number {
  const length = end - begin;
  if (length <= 3) return 1;
  let seen = 0;
  for (let index = begin; index < end; index += 1) seen |= 1 << (kinds[text.charCodeAt(index)] as number);
  // A hash or a key: a token of such is worth two characters.
  if (length >= 16 && (seen & (1 << DIGIT)) !== 0 && (seen & (1 << OTHER)) === 0) return Math.ceil(length / 2);
  if (seen === 1 << DIGIT) return Math.ceil(length / 3);
  if (length <= 8 && seen === 1 << LOWER) return 1;
  return Math.ceil(length / 7);
}

/** Space costs where it is structure: an empty line, an indentation, the end of a line that no mark ends. */
function tokensOfSpace(text: string, begin: number, end: number): number {
  let line = begin;
  while (line < end && text.charCodeAt(line) !== LINE_FEED) line += 1;
  if (line === end) return 0;
  if (line < end - 1) return 1;
  return begin > 0 && kinds[text.charCodeAt(begin - 1)] === MARK ? 0 : 1;
}

const LINE_FEED = 0x0a;
