import type { Json } from './canonical-json.ts';
import type { Content } from './content.ts';
import type { EventDetails, HandoffEvent } from './delivery.ts';
import { markEdit } from './edit-marks.ts';
import { limits } from './limits.ts';

/** What an edit of a draft made of one text or one item: `before` alone was removed, `after` alone was added. */
export interface EditChange {
  /** The part of the content, as `decisions`. */
  part: EditedPart;
  before?: string;
  after?: string;
}

/** The changes of one edit, in the order of the content. */
export interface EditChanges {
  changes: EditChange[];
  /** Changes whose words are beyond `limits.edit_words_characters_max` together: they are counted, and not kept. */
  left_out: number;
}

/** The single texts of a content that a person words. */
const texts = ['title', 'summary', 'body', 'kind', 'task_id', 'target_agent', 'scope', 'phase'] as const;

/** The lists of a content whose items a person reads. */
const lists = [
  'where_it_stands',
  'instructions',
  'decisions',
  'next_steps',
  'files',
  'risks',
  'tried',
  'open_questions',
  'results',
  'environment',
  'references',
  'words',
] as const;

export type EditedPart = (typeof texts)[number] | (typeof lists)[number];

/** What an edit removed and added, as text; nothing where it did neither, as where it only changed an order. */
function listEditChanges(before: Content, after: Content): EditChanges | undefined {
  const all = [
    ...texts.flatMap((part) => changeOf(part, before[part], after[part])),
    ...lists.flatMap((part) =>
      compareLists(part, (before[part] ?? []).map(readItem), (after[part] ?? []).map(readItem)),
    ),
  ];
  if (all.length === 0) return undefined;
  let room = limits.edit_words_characters_max;
  const changes = all.filter(({ before = '', after = '' }) => {
    const isKept = before.length + after.length <= room;
    if (isKept) room -= before.length + after.length;
    return isKept;
  });
  return { changes, left_out: all.length - changes.length };
}

/**
 * An event without the text of an edit, for a reader who must not see it: an agent gets the draft as it was approved,
 * without what its reviewer removed.
 */
export function withoutEditWords(event: HandoffEvent): HandoffEvent {
  if (event.details?.words === undefined) return event;
  const { words: _, ...details } = event.details;
  return { ...event, details };
}

/** The text of an edit as its event keeps it; undefined where it keeps none. */
export function editChangesOf({ details }: HandoffEvent): EditChanges | undefined {
  const words = details?.words as Partial<EditChanges> | null | undefined;
  return Array.isArray(words?.changes) ? { changes: words.changes, left_out: Number(words.left_out ?? 0) } : undefined;
}

/** What the event of an edit records: its marks, unless the text is an extraction's, and its text. */
export function describeEdit(
  before: Content,
  { content, extracted }: { content: Content; extracted?: true },
): EventDetails {
  const marks = extracted === true ? undefined : markEdit(before, content);
  const words = listEditChanges(before, content);
  return { ...(marks && { marks: { ...marks } }), ...(words && { words: words as unknown as Json }) };
}

function changeOf(part: EditedPart, before: string | undefined, after: string | undefined): EditChange[] {
  if (before === after) return [];
  return [{ part, ...(before !== undefined && { before }), ...(after !== undefined && { after }) }];
}

interface EditedItem {
  /** Its identity where its text differs; absent where it has only text. */
  key: string | undefined;
  words: string;
}

/** The text of an item for a reader, and its importance. */
function readItem(item: string | Readonly<Record<string, unknown>>): EditedItem {
  if (typeof item === 'string') return { key: undefined, words: item };
  const { id, path, content, description, what, identifier, ...more } = item;
  const level = more.relevance ?? more.severity ?? more.status;
  const name = content ?? description ?? what ?? path ?? identifier;
  const rest = more.context ?? more.outcome ?? more.notes ?? more.title;
  const words = `${name}${level === undefined ? '' : ` (${level})`}`;
  return { key: String(path ?? id ?? name), words: rest === undefined || rest === '' ? words : `${words}: ${rest}` };
}

/** Items of equal text are the same, at any position; then those of equal keys; then those of one position. */
function compareLists(part: EditedPart, before: readonly EditedItem[], after: readonly EditedItem[]): EditChange[] {
  const gone = new Map<number, EditedItem>(before.entries());
  const placed = after.map((item, place) => ({ item, place }));
  const isNew = ({ item }: { item: EditedItem }) => !takeFirst(gone, ({ words }) => words === item.words);
  const changed = placed.filter(isNew).map(({ item, place }): EditChange & { place: number } => {
    const former = item.key === undefined ? takeAt(gone, place) : takeFirst(gone, ({ key }) => key === item.key);
    return { part, ...(former && { before: former.words }), after: item.words, place };
  });
  const removed = [...gone].map(([place, { words }]) => ({ part, before: words, place }));
  return [...changed, ...removed].sort((a, b) => a.place - b.place).map(({ place: _, ...change }) => change);
}

function takeFirst(gone: Map<number, EditedItem>, isIt: (item: EditedItem) => boolean): EditedItem | undefined {
  const found = [...gone].find(([, item]) => isIt(item));
  if (found !== undefined) gone.delete(found[0]);
  return found?.[1];
}

function takeAt(gone: Map<number, EditedItem>, place: number): EditedItem | undefined {
  const item = gone.get(place);
  gone.delete(place);
  return item;
}
