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

/** Plain words as a statement: first letter large, a full stop at the end. */
export function toStatement(text: string): string {
  const plain = toPlainText(text).replace(/(?:[\s:;,–—-]|,\s+(?:or|and))+$/, '');
  if (plain === '') return '';
  const first = /^[a-z][a-z']*(?=[\s,])/.test(plain) ? plain.charAt(0).toUpperCase() + plain.slice(1) : plain;
  return /[.!?…)\]"'`]$/.test(first) && !/[)\]"'`]$/.test(first) ? first : `${first}.`;
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

/** Without paths and addresses, which name a location and no work. */
export function withoutAddresses(text: string): string {
  return text.replace(/\S+:\/\/\S+|@?(?:[A-Za-z]:)?(?:[\w.~-]*[/\\]){1,}\S*/g, ' ');
}

/** A text cut at the end of a sentence, else of a word. */
export function shorten(text: string, charactersMax: number): string {
  if (text.length <= charactersMax) return text;
  const head = text.slice(0, charactersMax - 1).toWellFormed();
  const end = Math.max(...['. ', '! ', '? ', '。', '！', '？'].map((stop) => head.lastIndexOf(stop)));
  if (end > charactersMax / 2) return `${head.slice(0, end + 1)} …`;
  const space = head.lastIndexOf(' ');
  return `${space > charactersMax / 2 ? head.slice(0, space) : head}…`;
}
