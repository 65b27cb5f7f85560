import type { Content } from '../core/content.ts';
import type { Handoff } from '../core/handoff.ts';
import { limits } from '../core/limits.ts';

/** Fields of a content that describe it, without what it passes on. */
export const shortContentFields = [
  'kind',
  'title',
  'summary',
  'task_id',
  'source_agent',
  'target_agent',
  'scope',
  'phase',
  'origin',
] as const satisfies readonly (keyof Content)[];

/**
 * A handoff in a list: the same fields at the same places, without what its content passes on. Its summary is
 * cut; `handoff.get` returns the whole.
 */
export type HandoffInShort = Omit<Handoff, 'content'> & { content: Pick<Content, (typeof shortContentFields)[number]> };

/** A handoff without what its content passes on. */
export function inShort({ content, ...rest }: Handoff): HandoffInShort {
  const told = shortContentFields.filter((name) => content[name] !== undefined).map((name) => [name, content[name]]);
  const short = Object.fromEntries(told) as HandoffInShort['content'];
  return { ...rest, content: { ...short, summary: asHint(content.summary) } };
}

/** The beginning of a text, for a line of a list; a cut is marked. */
export function asHint(text: string): string {
  if (text.length <= limits.summary_hint_characters_max) return text;
  return `${text.slice(0, limits.summary_hint_characters_max - 1).replace(/[\uD800-\uDBFF]$/, '')}…`;
}
