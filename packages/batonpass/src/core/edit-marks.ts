import { sha256Hex } from './canonical-json.ts';
import type { Content } from './content.ts';
import type { Evidence } from './evidence.ts';

/**
 * What the edits of a draft added and removed, as marks: enough to recognize an item in any spelling. The
 * text itself is in `EditChanges`.
 */
export interface EditMarks {
  added: string[];
  removed: string[];
}

/** The lists whose items an extraction fills and a person edits. */
const lists = [
  'where_it_stands',
  'instructions',
  'decisions',
  'files',
  'risks',
  'tried',
  'next_steps',
  'open_questions',
  'environment',
  'words',
] as const;

/** Words of the whole that an extraction fills as well. */
const fields = ['title', 'summary'] as const;

export type MarkedList = (typeof lists)[number];
export type MarkedField = (typeof fields)[number];

/** An item as a content holds it. */
export type MarkedItem = string | Readonly<Record<string, unknown>>;

/** What an edit added and removed; nothing where it did neither. */
export function markEdit(before: Content, after: Content): EditMarks | undefined {
  const earlier = marksOf(before);
  const later = marksOf(after);
  const added = [...later].filter((mark) => !earlier.has(mark));
  const removed = [...earlier].filter((mark) => !later.has(mark));
  return added.length + removed.length === 0 ? undefined : { added, removed };
}

/** The mark of an item's text, without letter case and white space: for a file, its path and why it matters. */
export function markOfWords(list: MarkedList, item: MarkedItem): string {
  return markOf(list, wordsOf(item));
}

/** The mark of an item's identity, independent of its wording: a file's path, its place in the conversation, else its text. */
export function markOfSubject(list: MarkedList, item: MarkedItem): string {
  if (typeof item === 'string') return markOfWords(list, item);
  if (typeof item.path === 'string') return markOf(list, item.path);
  const evidence = item.evidence as Evidence | undefined;
  return evidence === undefined ? markOfWords(list, item) : markOf(list, `${evidence.message}:${evidence.quote}`);
}

/** The mark of a field's words. */
export function markOfField(field: MarkedField, words: string): string {
  return markOf(field, words);
}

function marksOf(content: Content): Set<string> {
  const items = lists.flatMap((list) =>
    (content[list] ?? []).flatMap((item: MarkedItem) => [markOfWords(list, item), markOfSubject(list, item)]),
  );
  return new Set([...items, ...fields.map((field) => markOfField(field, content[field]))]);
}

function wordsOf(item: MarkedItem): string {
  if (typeof item === 'string') return item;
  const { path, context, content, description, what } = item;
  return [path, context, content, description, what].filter((words) => typeof words === 'string').join('\n');
}

function markOf(where: string, words: string): string {
  return sha256Hex(`${where}\n${words.toLowerCase().replace(/\s+/g, ' ').trim()}`).slice(0, 16);
}
