import { z } from 'zod';
import { type ContentInput, contentInputSchema } from '../core/content.ts';
import { HandoffError } from '../core/errors.ts';
import { limits } from '../core/limits.ts';
import { followEdit } from '../extraction/summary-clauses.ts';

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
  const known = lists.flatMap(({ list, letter }) =>
    ((content[list] ?? []) as ContentEntry[]).map((item, index) => idOf(item, `${letter}${index + 1}`)),
  );
  throw new HandoffError('invalid_input', `The draft has no item "${first}".`, {
    details: { unknown: [...unused], known },
    alternatives: [`Its items are: ${known.join(', ') || 'none'}.`],
  });
}

function withoutUndefined(fields: Record<string, unknown>): Record<string, unknown> {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined));
}

/** Whether a summary, as rules make it, has an item in these words: the editor who removes it may want them removed there. */
export function isToldInSummary(summary: string, words: string): boolean {
  return followEdit(summary, words) !== summary;
}
