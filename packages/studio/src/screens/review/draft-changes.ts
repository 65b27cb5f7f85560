import type { OperationInput } from '../../../../batonpass/src/operations/catalogue.ts';
import {
  type DraftEntry,
  type DraftParts,
  entriesOf,
  isSame,
  type ListName,
  listNames,
  textFields,
  textOf,
} from './draft-parts.ts';

/** Small changes of a draft, in the format of `handoff.edit`. */
export type DraftChanges = NonNullable<OperationInput<'handoff.edit'>['changes']>;

/** The changes to send, and what cannot be sent. */
export interface DraftDifference {
  /** Null where there is nothing to send. */
  changes: DraftChanges | null;
  /** Why something cannot be sent, as a message for the user; null where everything can. */
  fault: string | null;
}

/** The changes from the server's version to the one on the screen: only of items, never a whole content. */
export function findChanges(server: DraftParts, local: DraftParts): DraftDifference {
  const lists = listNames.map((list) => findListChanges(list, entriesOf(server, list), entriesOf(local, list)));
  const add = Object.assign({}, ...lists.map((each) => each.add)) as NonNullable<DraftChanges['add']>;
  const changes: DraftChanges = {
    ...some(
      'remove',
      lists.flatMap((each) => each.remove),
    ),
    ...some(
      'reword',
      lists.flatMap((each) => each.reword),
    ),
    ...some(
      'level',
      lists.flatMap((each) => each.level),
    ),
    ...(Object.keys(add).length === 0 ? {} : { add }),
    ...some(
      'order',
      lists.flatMap((each) => each.order),
    ),
  };
  const isReworded = local.brainstormSummary !== server.brainstormSummary;
  const isEmpty = local.brainstormSummary.trim() === '';
  if (isReworded && !isEmpty) changes.summary = local.brainstormSummary;
  return {
    changes: Object.keys(changes).length === 0 ? null : changes,
    fault: isReworded && isEmpty ? 'A handoff needs a summary: write one, or undo.' : null,
  };
}

function some<Name extends string, T>(name: Name, values: readonly T[]): Partial<Record<Name, T[]>> {
  return (values.length === 0 ? {} : { [name]: [...values] }) as Partial<Record<Name, T[]>>;
}

interface ListChanges {
  remove: string[];
  reword: { id: string; text: string }[];
  level: { id: string; level: 'high' | 'medium' | 'low' }[];
  add: NonNullable<DraftChanges['add']>;
  order: string[];
}

/** The server's names of the review's lists. */
const serverNames = { decisions: 'decisions', filesReferenced: 'files', risks: 'risks' } as const;

function findListChanges(list: ListName, server: readonly DraftEntry[], local: readonly DraftEntry[]): ListChanges {
  const before = new Map(server.map((entry) => [entry.id, entry]));
  const after = new Set(local.map(({ id }) => id));
  const found: ListChanges = {
    remove: server.filter(({ id }) => !after.has(id)).map(({ id }) => id),
    reword: [],
    level: [],
    add: {},
    order: [],
  };
  const added: DraftEntry[] = [];
  for (const entry of local) {
    const old = before.get(entry.id);
    if (old === undefined) added.push(entry);
    else if (!isSame(old, entry) && !findSmall(list, { old, entry, found })) {
      // Any other change, as when a rewording is undone: the whole item replaces the previous one.
      found.remove.push(entry.id);
      added.push(entry);
    }
  }
  if (added.length > 0) found.add = { [serverNames[list]]: added };
  const kept = server.filter(({ id }) => !found.remove.includes(id));
  const order = [...kept, ...added].map(({ id }) => id);
  const wanted = local.map(({ id }) => id);
  if (wanted.some((id, place) => id !== order[place])) found.order = wanted;
  return found;
}

/** The field with an item's level. */
const levelFields = { decisions: null, filesReferenced: 'relevance', risks: 'severity' } as const;

/** Records a rewording, another level, or both; false where something else is different too. */
function findSmall(
  list: ListName,
  { old, entry, found }: { old: DraftEntry; entry: DraftEntry; found: ListChanges },
): boolean {
  const text = textOf(list, entry);
  const isReworded = text !== textOf(list, old);
  const level = levelFields[list];
  const levelOf = (each: DraftEntry) =>
    level === null ? undefined : (each as unknown as Record<string, unknown>)[level];
  const small = {
    ...old,
    ...(isReworded ? { [textFields[list]]: text, ...('source' in old ? { source: 'user-edited' } : {}) } : {}),
    ...(level === null ? {} : { [level]: levelOf(entry) }),
  };
  if (!isSame(small, entry) || (isReworded && text === '')) return false;
  if (isReworded) found.reword.push({ id: entry.id, text });
  const wanted = levelOf(entry);
  if (wanted !== levelOf(old))
    found.level.push({ id: entry.id, level: wanted as ListChanges['level'][number]['level'] });
  return true;
}
