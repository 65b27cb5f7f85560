import type { Content } from '../core/content.ts';
import { showHidden } from '../core/hidden-characters.ts';

/**
 * Makes a text from outside harmless to quote inside a document that a model or a terminal reads. What a person reads
 * stays; what only pretends to be structure is changed visibly:
 *
 * - control and invisible characters become `\u{…}` (see `showHidden`);
 * - line breaks become ` ⏎ `, so that one item stays one line;
 * - the angle brackets of anything that looks like a tag become ‹ › (`<system>`, `</handoff>`, `<|im_start|>`, `&lt;x`,
 *   full-width forms), as do the square brackets of `[INST]` and its kind; comparisons and arrows stay (`a < b`, `=>`);
 * - a speaker at the start of a line is put in quotes (`"Human":`);
 * - Markdown that opens a block or fetches is escaped: headings, fences, rules, images.
 */
export function neutralizeLine(text: string): string {
  if (harmless.test(text) || isHarmlessJson(text)) return text;
  const lines = splitLines(showHidden(text.toWellFormed().replaceAll('\u0085', '\n')))
    .map((line) => neutralizeSingle(collapseBlanks(line)))
    .filter((line) => line !== '');
  return lines.join(' ⏎ ');
}

/** Words of letters and digits between single spaces, as most names are: nothing in them is structure to anybody. */
const harmless = /^[A-Za-z][\w.,;'"/()-]*(?: [\w.,;'"/()-]+)*$/;

/** An object in JSON opens no line and no block at its start: only its inner parts count. */
function isHarmlessJson(text: string): boolean {
  return text.startsWith('{"') && text.endsWith('}') && !suspect.test(text);
}

/** All that any rule looks for inside of a line; the square brackets of a list in JSON are no speaker's. */
const suspect = /[^ -%'-;=?-_a-}]|!\[| {2}|\[(?!["{\]\d])/;

/** The lines of a text, with any kind of line end. */
export function splitLines(text: string): string[] {
  return text.split(/\r\n|[\n\r\v\f\u0085\u2028\u2029]/);
}

function collapseBlanks(line: string): string {
  return line
    .replaceAll('\t', ' ')
    .replace(/\p{Zs}{2,}/gu, ' ')
    .trim();
}

function neutralizeSingle(line: string): string {
  return escapeBlocks(quoteSpeaker(neutralizeRoleMarks(neutralizeTags(line))));
}

/** Entities and full-width forms count as the bracket that they represent: some readers decode them. */
function neutralizeTags(line: string): string {
  if (!/[<>&\uFF1C\uFF1E\uFE64\uFE65]/.test(line)) return line;
  const plain = line
    .replace(/&(?:lt|#0*60|#x0*3c);?|[\uFF1C\uFE64]/gi, '<')
    .replace(/&(?:gt|#0*62|#x0*3e);?|[\uFF1E\uFE65]/gi, '>');
  let open = 0;
  return plain.replace(/[<>]/g, (bracket, index: number) => {
    if (bracket === '<') {
      if (!isTagStart(plain, index)) return bracket;
      open += 1;
      return '‹';
    }
    if (open === 0 || isArrow(plain, index)) return bracket;
    open -= 1;
    return '›';
  });
}

/** A mark, an entity or a name right after the bracket, or a bare name between spaces and closed. */
const tagStart =
  /<{0,8}(?:\p{Zs}{0,8}[/!?|]|\p{Zs}{1,8}[\p{L}_][\p{L}\p{N}_:.-]{0,60}\p{Zs}{0,8}>|(?![\p{Zs}0-9=<>]|-(?!-)))/uy;

/** Whether a `<` may begin a tag: anything but a comparison, a shift or an arrow. */
function isTagStart(line: string, index: number): boolean {
  tagStart.lastIndex = index + 1;
  return tagStart.test(line);
}

function isArrow(line: string, index: number): boolean {
  const [before, last] = [line[index - 2], line[index - 1]];
  return line[index + 1] === '=' || last === '=' || (last === '-' && before !== '-');
}

const roleMark =
  /[[［](\p{Zs}{0,3}\/?\p{Zs}{0,3}(?:INST|SYS|SYSTEM|USER|HUMAN|ASSISTANT|DEVELOPER|TOOL|TOOL_CALLS?|TOOL_RESULTS?|AVAILABLE_TOOLS|FUNCTION_CALLS?)\p{Zs}{0,3})[\]］]/giu;

function neutralizeRoleMarks(line: string): string {
  return /[[［]/.test(line) ? line.replace(roleMark, '‹$1›') : line;
}

const speaker =
  /^([\s\\>*_#\-–•|]{0,12})(human|assistant|system|user|developer|tool|function|model|ai)([*_]{0,3})(?=\s{0,3}[:：])/iu;

function quoteSpeaker(line: string): string {
  return line.replace(speaker, '$1"$2"$3');
}

/** What Baton writes before words, and at the start of its own lines. */
const ownSpeaker =
  /^([\s\\>*_#\-–•|([]{0,12}\p{N}{1,9}[\s.)\]*_]{1,6})(person|agent|host|pasted)([*_]{0,3})(?=\s{0,3}[:：])/iu;
const ownLabel =
  /^([\s\\>*_#\-–•|]{0,12})(cut to fit|review|state|rendered|project|title|about|asked (?:earlier|before|last)|waiting for an answer|contradiction)([*_]{0,3})(?=\s{0,3}[:：])/iu;

/** Baton's marks at the end of an item and how often something was said; and the mark for text that a person pasted. */
const ownMarks =
  /(?:(?<=^|[\s\])])(?:\[(?:(?:pinned|edited|implied|earlier session)(?:, ?(?:earlier session|\d{1,9}))?|\d{1,9})\]|\(said \d{1,9} times\))[\s.]*)+(?=(?:\(no longer holds\))?$)/iu;
const pastedMark = /\[(pasted \d[^[\]]{0,200})(?:\]|$)/giu;

/**
 * Makes a sentence of a conversation harmless, as `neutralizeLine` does, where it may stand at the start of a line among
 * those of others: what looks like Baton's own line, label or mark there is changed visibly. Its lists have `*`, because
 * Baton's lines begin with `-`.
 *
 * @param by - only for a person Baton itself marks what was pasted.
 */
export function neutralizeSpoken(text: string, by: NonNullable<Content['words']>[number]['by']): string {
  const line = withoutMarks(neutralizeLine(text))
    .replace(/^(\s*)[-+](?=\s)/, '$1*')
    .replace(ownSpeaker, '$1"$2"$3')
    .replace(ownLabel, '$1"$2"$3');
  return by === 'person' ? line : line.replace(pastedMark, '($1)');
}

/** The text with other brackets around what ends like Baton's own marks: it must not seem pinned, repeated or quoted. */
export function withoutMarks(text: string): string {
  return text.replace(ownMarks, (marks) => marks.replace(/\((.*?)\)/g, '“$1”').replace(/\[(.*?)\]/g, '($1)'));
}

/** Nothing in an item opens a heading, fence, rule or quotation, not even in a list within it, and no image is fetched by a reader's preview. */
function escapeBlocks(line: string): string {
  return line
    .replace(/`{3,}|~{3,}/g, (run) => Array.from(run).join(' '))
    .replace(
      /^(\s*(?:(?:[-+*]|\d{1,9}[.)])\s)*?)(#{1,6}(?=\s|$)|>|={3,}\s*$|(?:-\s?){2,}$|(?:\*\s?){3,}$|(?:_\s?){3,}$)/,
      '$1\\$2',
    )
    .replaceAll('![', '!\\[');
}
