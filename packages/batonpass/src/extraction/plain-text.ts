/** A sentence without any of these is plain already. */
const marked = /[*_~[\]#>\t\n\v\f\r\u00a0\u2028\u2029\ufeff]|^[-+•\d ]| {2}| $/;

/** A Markdown sentence as one line of plain words: emphasis, links and list marks go, code marks stay. */
export function toPlainText(markdown: string): string {
  if (!marked.test(markdown)) return markdown;
  return markdown
    .replace(/!?\[([^\][]{1,300})\]\([^()\s]{1,500}\)/g, '$1')
    .replace(/\*\*|~~|(?<![\p{L}\d_/\\.])__(?=\S)|(?<=\S)__(?![\p{L}\d_/\\.])/gu, '')
    .replace(/(^|[\s("'])[*_](\S[^*_\n]{0,200})[*_](?=[\s).,;:!?"']|$)/g, '$1$2')
    .replace(/^\s*(?:[-*+•>]\s+|\d{1,2}[.)]\s+|#{1,6}\s+)+/, '')
    .replace(/\s+/g, ' ')
    .trim();
}

/** A stop of any script, also before a closing mark. */
const ended = /[.!?…。｡！？؟।][)\]"'”’»」』）]*$/u;

/** Plain words as a statement: first letter large, a full stop at the end where it has none. */
export function toStatement(text: string): string {
  const plain = toPlainText(text).replace(/(?:[\s:;,：；，、–—-]|,\s+(?:or|and))+$/, '');
  if (plain === '') return '';
  const first = /^[a-z][a-z']*(?=[\s,])/.test(plain) ? plain.charAt(0).toUpperCase() + plain.slice(1) : plain;
  return ended.test(first) ? first : `${first}.`;
}

/** A question's mark at the end, also before a smiley, stops, brackets or quotation marks. */
const questionEnd = /[?？؟][\s?？؟.!…:;\p{Extended_Pictographic}\p{M}]*["'”’)\]*]*$/u;

/** Whether a text ends as a question. */
export function isQuestion(text: string): boolean {
  return questionEnd.test(text);
}

/** A question without its mark. */
export function withoutQuestionMark(text: string): string {
  return text.replace(questionEnd, '');
}

/**
 * "**Which store?** SQLite": the answer in a line, and its question. Only where the assistant asked just that, in a line of
 * its own, as a host's question tool is shown: what a person quotes of an answer is none.
 */
export function readAnsweredLine(line: string, asked: string): { question: string; answer: string } | undefined {
  const { question = '', answer = '' } =
    /^(?<question>\*\*[^\n]{1,1000}?\*\*) (?<answer>\S.*)$/.exec(line)?.groups ?? {};
  return question !== '' && asked.split('\n').includes(question) ? { question, answer } : undefined;
}

/** In a script without spaces a sentence goes on right behind an address: "/test-fixはどこ". */
const addresses =
  /\S+:\/\/\S+|@?(?:[A-Za-z]:)?(?:[\w.~-]*[/\\]){1,}(?:(?!(?<=\w)[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}\p{sc=Hangul}])\S)*/gu;

/** Without paths and addresses, which name a location and no work. */
export function withoutAddresses(text: string): string {
  return text.replace(addresses, ' ');
}

/** A text cut at the end of a sentence, else of a word. */
export function shorten(text: string, charactersMax: number): string {
  if (text.length <= charactersMax) return text;
  const head = text.slice(0, charactersMax - 1).toWellFormed();
  const stops = [...head.matchAll(/[.!?](?= )|[。！？]/g)];
  const end = stops.findLast(({ index }) => !isAbbreviated(text, index))?.index ?? -1;
  if (end > charactersMax / 2) return `${head.slice(0, end + 1)} …`;
  const space = head.lastIndexOf(' ');
  return `${space > charactersMax / 2 ? head.slice(0, space) : head}…`;
}

/** A longer one is no abbreviation. */
const abbreviationCharactersMax = 16;

/** Single letters with their stops ("z. B.", "i.e."), words that are only written short, and the number of a list's entry. */
const abbreviated =
  /(?:^|[^\p{L}\p{N}'’_./-])(?:(?:\p{L}\.[\s-]?){2,}|(?:approx|bzw|ca|cf|c\.-à-d|dr|ej|etc|evtl|ex|fig|ggf|incl|inkl|mrs?|nr|resp|usw|vgl|vs|напр|см)\.)$|(?:^|[.!?:;,]\s)\d{1,2}\.$/iu;
/** A single letter: "z. B." up to its first stop, or "p. ej.". A capital one alone also names an option. */
const letter = /^[^\p{L}\p{N}'’_./-]?\p{L}\.(?:\s+\p{L}\.|(?<=\p{Ll}\.)\s+\p{Ll})/u;

/** Whether the stop at a position of a text is part of an abbreviation or a list's number, and ends no sentence. */
export function isAbbreviated(text: string, at: number): boolean {
  return (
    abbreviated.test(text.slice(Math.max(0, at - abbreviationCharactersMax), at + 1)) ||
    letter.test(text.slice(Math.max(0, at - 2), at + 5))
  );
}

/** Whether a sentence begins with a quotation mark: an example of what somebody may ask, or somebody else's words. */
export function isQuoted(text: string): boolean {
  return /^[*_]{0,3}["“„«「]/.test(text);
}
