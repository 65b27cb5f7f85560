import { z } from 'zod';
import { type ContentInput, contentInputSchema } from '../core/content.ts';
import { HandoffError } from '../core/errors.ts';
import { limits } from '../core/limits.ts';

const text = z.string().trim().min(1).max(limits.entry_characters_max);
const { title, summary, task_id, target_agent, scope, decisions, files, risks, next_steps, open_questions } =
  contentInputSchema.shape;

/** Small changes to a draft. Items without ids of their own are named by place: `n1` is the first next step, `q1` the first question, `t1` the first thing tried. */
export const changesSchema = z.strictObject({
  title,
  summary,
  task_id,
  target_agent,
  scope,
  remove: z.array(text).optional().describe('Ids of items to take out'),
  reword: z
    .array(z.strictObject({ id: text, text }))
    .optional()
    .describe('Items to say in other words'),
  add: z.strictObject({ decisions, files, risks, next_steps, open_questions }).optional(),
});

/** Small changes, checked. */
export type Changes = z.output<typeof changesSchema>;

/** The lists whose items can be removed and reworded: where the text stands, and which letter names a place. */
const lists = [
  { list: 'decisions', field: 'content', letter: 'd' },
  { list: 'files', field: 'context', letter: 'f' },
  { list: 'risks', field: 'description', letter: 'r' },
  { list: 'next_steps', field: null, letter: 'n' },
  { list: 'open_questions', field: null, letter: 'q' },
  { list: 'tried', field: 'outcome', letter: 't' },
] as const;

type Entry = string | Record<string, unknown>;

/**
 * The content with changes applied; reworded decisions say who reworded them.
 *
 * @throws HandoffError `invalid_input` for an id that no item has.
 */
export function applyChanges(
  content: ContentInput,
  changes: Changes,
  by: 'user-edited' | 'ai-extracted',
): ContentInput {
  const { remove = [], reword = [], add = {}, ...fields } = changes;
  const unused = new Set([...remove, ...reword.map(({ id }) => id)]);
  const words = new Map(reword.map((change) => [change.id, change.text]));
  const edited: Record<string, unknown> = { ...content, ...withoutUndefined(fields) };
  for (const { list, field, letter } of lists) {
    const items = (content[list] ?? []) as Entry[];
    const kept = items.flatMap((item, index) => {
      const id = idOf(item, `${letter}${index + 1}`);
      // An id names one item: the first list that has it.
      if (!unused.delete(id)) return [item];
      return remove.includes(id) ? [] : [reworded(item, field, words.get(id), by)];
    });
    edited[list] = [...kept, ...((add as Record<string, Entry[] | undefined>)[list] ?? [])];
  }
  assertAllFound(unused, content);
  return edited as ContentInput;
}

function idOf(item: Entry, place: string): string {
  return typeof item === 'object' && typeof item.id === 'string' ? item.id : place;
}

function reworded(item: Entry, field: string | null, words: string | undefined, by: string): Entry {
  if (words === undefined) return item;
  if (field === null || typeof item === 'string') return words;
  return { ...item, [field]: words, ...('source' in item ? { source: by } : {}) };
}

function assertAllFound(unused: ReadonlySet<string>, content: ContentInput): void {
  const [first] = unused;
  if (first === undefined) return;
  const known = lists.flatMap(({ list, letter }) =>
    ((content[list] ?? []) as Entry[]).map((item, index) => idOf(item, `${letter}${index + 1}`)),
  );
  throw new HandoffError('invalid_input', `The draft has no item "${first}".`, {
    details: { unknown: [...unused], known },
    alternatives: [`Its items are: ${known.join(', ') || 'none'}.`],
  });
}

function withoutUndefined(fields: Record<string, unknown>): Record<string, unknown> {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined));
}
