import { maskSecrets } from '../core/masking.ts';
import { ownText } from '../core/own-text.ts';

const titleCharactersMax = 100;

/** A text in one line, its secrets masked, cut at a word. */
export function toTitle(text: string): string {
  const line = maskSecrets(text).text.replace(/\s+/g, ' ').trim();
  if (line.length <= titleCharactersMax) return line;
  const head = line.slice(0, titleCharactersMax - 1).toWellFormed();
  const space = head.lastIndexOf(' ');
  return `${space > titleCharactersMax / 2 ? head.slice(0, space) : head}…`;
}

/** What a host's command puts around the words that the person gave with it. */
const argumentsBlock = /^#{1,3} (?:User Input|Arguments)\s*\n+```\w*\n([^`]*?)\n?```/;

/** Words that only let an agent continue: a later request names the work. */
const goOn = /^(?:please )?(?:go on|go ahead|carry on|keep going)(?: please)?[.!]*$/i;

/**
 * The first of a person's texts that names the work, as a title; a single word as "continue" does not, and is the title only
 * where nothing else is. Empty without any text.
 */
export function toRequestTitle(texts: readonly string[]): string {
  const own = texts.map((text) => text.trim().replace(argumentsBlock, '$1').trim());
  return toTitle(own.find(namesWork) ?? own.find((text) => text !== '') ?? '');
}

/** Whether a text may name the work of its session. */
export function namesWork(text: string): boolean {
  const line = text.trim();
  return line !== '' && !oneWord.test(line) && !goOn.test(line);
}

const namesNothing =
  /^(?:new |untitled |claude code |codex |child )?(?:chat|conversation|session|transcript|untitled)(?: (?:history|transcript|export|log))?$/i;

/** A single word does not name the work; exports take it from the first request. */
const oneWord = /^[\p{sc=Latin}\p{sc=Cyrillic}\p{sc=Greek}]+[.!?]?$/u;

/** The name that a host gave a session, without its time, its secrets masked; "Chat", "Build" or a time alone is no name. */
export function toHostTitle(given: string | undefined): string | undefined {
  const title = (given ?? '')
    .slice(0, 200)
    .toWellFormed()
    .replace(/[\s-]*\(?\d{4}-\d{2}-\d{2}[ T_]\d{2}:\d{2}[^)]*\)?$/, '')
    .trim();
  return /\p{L}{2}/u.test(title) && !namesNothing.test(title) && !oneWord.test(title)
    ? ownText(maskSecrets(title).text)
    : undefined;
}
