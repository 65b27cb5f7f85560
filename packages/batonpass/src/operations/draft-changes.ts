import { z } from 'zod';
import { type Content, type ContentInput, contentInputSchema } from '../core/content.ts';
import { HandoffError } from '../core/errors.ts';
import { limits } from '../core/limits.ts';
import { followEdit, withoutItem } from '../extraction/summary-clauses.ts';

const text = z.string().trim().min(1).max(limits.entry_characters_max);
const {
  title,
  summary,
  task_id,
  target_agent,
  scope,
  instructions,
  decisions,
  files,
  risks,
  next_steps,
  open_questions,
  environment,
} = contentInputSchema.shape;

/** Small changes to a draft. Items without ids of their own are named by place: `n1` is the first next step, `q1` the first question, `t1` the first thing tried. */
export const changesSchema = z.strictObject({
  title,
  summary,
  task_id,
  target_agent,
  scope,
  remove: z.array(text).optional().describe('Ids of items to remove'),
  reword: z
    .array(z.strictObject({ id: text, text }))
    .optional()
    .describe('Items to reword'),
  level: z
    .array(z.strictObject({ id: text, level: z.enum(['high', 'medium', 'low']) }))
    .optional()
    .describe('How much a file matters, or how bad a risk is'),
  order: z.array(text).optional().describe('Ids of items of one list: they exchange their positions, into this order'),
  add: z.strictObject({ instructions, decisions, files, risks, next_steps, open_questions, environment }).optional(),
});

/** Small changes, checked. */
export type Changes = z.output<typeof changesSchema>;

/** The lists whose items can be removed and reworded: the field of the text, and the letter of a place. */
const lists = [
  { list: 'where_it_stands', field: 'content', level: null, letter: 's' },
  { list: 'instructions', field: 'content', level: null, letter: 'i' },
  { list: 'decisions', field: 'content', level: null, letter: 'd' },
  { list: 'files', field: 'context', level: 'relevance', letter: 'f' },
  { list: 'risks', field: 'description', level: 'severity', letter: 'r' },
  { list: 'next_steps', field: null, level: null, letter: 'n' },
  { list: 'open_questions', field: null, level: null, letter: 'q' },
  { list: 'tried', field: 'outcome', level: null, letter: 't' },
  { list: 'environment', field: 'content', level: null, letter: 'e' },
  { list: 'words', field: 'content', level: null, letter: 'w' },
] as const;

type ContentEntry = string | Record<string, unknown>;

/** An entry, and its name in an order; a new entry may have no id yet. */
interface Named {
  id: string | undefined;
  entry: ContentEntry;
}

/**
 * The content with changes applied; reworded decisions record who reworded them. Items are first removed and reworded,
 * then added, and ordered last.
 *
 * @throws HandoffError `invalid_input` for an id that no item has, and for a level of an item that has none.
 */
export function applyChanges(
  content: ContentInput,
  changes: Changes,
  by: 'user-edited' | 'ai-extracted',
): ContentInput {
  const { remove = [], reword = [], level = [], order = [], add = {}, ...fields } = changes;
  const unused = new Set([...remove, ...reword.map(({ id }) => id), ...level.map(({ id }) => id)]);
  const words = new Map(reword.map((change) => [change.id, change.text]));
  const levels = new Map(level.map((change) => [change.id, change.level]));
  const unplaced = new Set(order);
  const edited: Record<string, unknown> = { ...content, ...withoutUndefined(fields) };
  for (const { list, field, level: name, letter } of lists) {
    const items = (content[list] ?? []) as ContentEntry[];
    const kept = items.flatMap((entry, index): Named[] => {
      const id = idOf(entry, `${letter}${index + 1}`);
      // An id names one item: the first list that has it.
      if (!unused.delete(id)) return [{ id, entry }];
      if (remove.includes(id)) return [];
      return [{ id, entry: leveled(reworded(entry, field, words.get(id), by), name, levels.get(id)) }];
    });
    const added = (add as Record<string, ContentEntry[] | undefined>)[list] ?? [];
    const all = [...kept, ...added.map((entry): Named => ({ id: idOf(entry, undefined), entry }))];
    if (all.length === 0 && content[list] === undefined) continue;
    edited[list] = inOrder(all, order, unplaced).map(({ entry }) => entry);
  }
  assertAllFound(new Set([...unused, ...unplaced]), content);
  return edited as ContentInput;
}

function idOf<Place extends string | undefined>(item: ContentEntry, place: Place): string | Place {
  return typeof item === 'object' && typeof item.id === 'string' ? item.id : place;
}

function reworded(item: ContentEntry, field: string | null, words: string | undefined, by: string): ContentEntry {
  if (words === undefined) return item;
  if (field === null || typeof item === 'string') return words;
  return { ...item, [field]: words, ...('source' in item ? { source: by } : {}) };
}

/** @throws HandoffError `invalid_input` where the item has no such field. */
function leveled(item: ContentEntry, name: string | null, level: string | undefined): ContentEntry {
  if (level === undefined) return item;
  if (name !== null && typeof item === 'object') return { ...item, [name]: level };
  throw new HandoffError('invalid_input', 'Only a file has a relevance, and only a risk a severity.', {
    alternatives: ['Leave out the level of any other item.'],
  });
}

/** Puts the items of an order into their own places, as it orders them; each id counts in the first list that has it. */
function inOrder(items: readonly Named[], order: readonly string[], unplaced: Set<string>): readonly Named[] {
  const byId = new Map(items.map((item) => [item.id, item]));
  const wanted = [...new Set(order)].flatMap((id) => (unplaced.has(id) ? (byId.get(id) ?? []) : []));
  const moved = new Set(wanted);
  for (const { id } of wanted) if (id !== undefined) unplaced.delete(id);
  return items.map((item) => (moved.has(item) ? (wanted.shift() ?? item) : item));
}

function assertAllFound(unused: ReadonlySet<string>, content: ContentInput): void {
  const [first] = unused;
  if (first === undefined) return;
  const known = lists
    .map(({ list, letter }) =>
      ((content[list] ?? []) as ContentEntry[]).map((item, index) => idOf(item, `${letter}${index + 1}`)),
    )
    .filter((ids) => ids.length > 0);
  const shown = known.map((ids) => (ids.length > 3 ? `${ids[0]} to ${ids.at(-1)}` : ids.join(', ')));
  throw new HandoffError('invalid_input', `The draft has no item "${first}".`, {
    details: { unknown: [...unused], known: known.flat() },
    alternatives: [`Its items are: ${shown.join(', ') || 'none'}.`],
  });
}

function withoutUndefined(fields: Record<string, unknown>): Record<string, unknown> {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined));
}

/**
 * The content after an edit of items: the summary follows, where it said them in the same words, and no brief of an item that
 * is gone is left. A summary that the edit itself words stays.
 *
 * @param before - with the items as they were. @param after - with the changes applied.
 */
export function followItems(
  before: Content,
  after: ContentInput,
  { summary, remove = [], reword = [] }: Changes,
): ContentInput {
  const [former, present] = [textsOf(before), textsOf(after)];
  const briefs = after.briefs?.filter(({ of }) => present.has(of) || !former.has(of));
  const followed = briefs === undefined ? after : { ...after, briefs };
  if (summary !== undefined || after.summary === undefined) return followed;
  const isExtracted = before.origin?.extractor !== undefined;
  const withoutRemoved = remove
    .flatMap((id) => wordsOfItem(before, id) ?? [])
    .reduce((told, words) => (isExtracted ? withoutItem : followEdit)(told, words), after.summary);
  const told = reword.reduce((text, change) => {
    const words = wordsOfItem(before, change.id);
    return words === undefined ? text : followEdit(text, words, change.text);
  }, withoutRemoved);
  // A content is never without a summary: one that said nothing else is derived again.
  return { ...followed, summary: told === '' ? undefined : told };
}

/** The texts of all items, as briefs name them. */
function textsOf(content: ContentInput): Set<unknown> {
  const items = lists.flatMap(({ list }) => (content[list] ?? []) as ContentEntry[]);
  return new Set(items.flatMap((entry) => (typeof entry === 'string' ? entry : Object.values(entry))));
}

/** The words of an item that an edit changes; undefined for an unknown id, and for an item without any. */
export function wordsOfItem(content: Content, wanted: string): string | undefined {
  for (const { list, field, letter } of lists) {
    const items: readonly ContentEntry[] = content[list] ?? [];
    const item = items.find((entry, index) => idOf(entry, `${letter}${index + 1}`) === wanted);
    if (item === undefined) continue;
    const words = typeof item === 'string' ? item : item[field ?? ''];
    return typeof words === 'string' && words !== '' ? words : undefined;
  }
  return undefined;
}

/** What the removed and reworded items of an edit said before it. */
export function formerWords(before: Content, { remove = [], reword = [] }: Changes): string[] {
  return [...remove, ...reword.map(({ id }) => id)].flatMap((id) => wordsOfItem(before, id) ?? []);
}

/** Fewer letters are in many texts by chance. */
const WORDS_CHARACTERS_MIN = 8;
/** A long item is repeated elsewhere in its beginning. */
const WORDS_CHARACTERS_MAX = 200;

/** The places that still hold these words, as `summary` or `earlier words w1`: a person who removed an item may want to remove them there, too. */
export function findWords(content: Content, former: readonly string[]): string[] {
  const wanted = former
    .map((words) =>
      comparable(words)
        .replace(/[.\s]+$/, '')
        .slice(0, WORDS_CHARACTERS_MAX),
    )
    .filter((words) => words.length >= WORDS_CHARACTERS_MIN);
  const holds = (text: unknown) => typeof text === 'string' && wanted.some((words) => comparable(text).includes(words));
  const texts = (['title', 'summary', 'body'] as const).filter((name) => holds(content[name]));
  const items = lists.flatMap(({ list, letter }) =>
    ((content[list] ?? []) as ContentEntry[]).flatMap((entry, index) => {
      const has = typeof entry === 'string' ? holds(entry) : Object.values(entry).some(holds);
      // As the sections are called where a draft is shown.
      const section = list === 'words' ? 'earlier words' : list.replaceAll('_', ' ');
      return has ? [`${section} ${idOf(entry, `${letter}${index + 1}`)}`] : [];
    }),
  );
  return [...texts, ...items];
}

function comparable(text: string): string {
  return text.toLowerCase().replace(/\s+/g, ' ').trim();
}
