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
