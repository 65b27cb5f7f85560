import { maskSecrets } from '../core/masking.ts';

const titleCharactersMax = 100;

/** A text in one line, its secrets masked, cut at a word. */
export function toTitle(text: string): string {
  const line = maskSecrets(text).text.replace(/\s+/g, ' ').trim();
  if (line.length <= titleCharactersMax) return line;
  const head = line.slice(0, titleCharactersMax - 1).toWellFormed();
  const space = head.lastIndexOf(' ');
  return `${space > titleCharactersMax / 2 ? head.slice(0, space) : head}…`;
}
