import type { OperationInput } from '../../../../batonpass/src/operations/catalogue.ts';
import {
  type DraftEntry,
  type DraftParts,
  entriesOf,
  isSame,
  type ListName,
  levelOf,
  listNames,
  textFields,
  textOf,
} from './draft-parts.ts';

/** Small changes of a draft, in the format of `handoff.edit`. */
type DraftChanges = NonNullable<OperationInput<'handoff.edit'>['changes']>;

/** The changes to send, and what cannot be sent. */
interface DraftDifference {
  /** Null where there is nothing to send. */
  changes: DraftChanges | null;
  /** Why something cannot be sent, as a message for the user; null where everything can. */
  fault: string | null;
}

/** The changes from the server's version to the one on the screen: only of items, never a whole content. */
export function findChanges(server: DraftParts, local: DraftParts): DraftDifference {
  const lists = listNames.map((list) => findListChanges(list, entriesOf(server, list), entriesOf(local, list)));
  const found = {
    remove: lists.flatMap((each) => each.remove),
    reword: lists.flatMap((each) => each.reword),
    level: lists.flatMap((each) => each.level),
    add: Object.assign({}, ...lists.map((each) => each.add)) as NonNullable<DraftChanges['add']>,
    order: lists.flatMap((each) => each.order),
  };
  const changes: DraftChanges = Object.fromEntries(
    Object.entries(found).filter(([, part]) => Object.keys(part).length > 0),
  );
  const isReworded = local.brainstormSummary !== server.brainstormSummary;
  const isEmpty = local.brainstormSummary.trim() === '';
  if (isReworded && !isEmpty) changes.summary = local.brainstormSummary;
  return {
    changes: Object.keys(changes).length === 0 ? null : changes,
    fault: isReworded && isEmpty ? 'A handoff needs a summary: write one, or undo.' : null,
  };
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
  const field = levelFields[list];
  const level = levelOf(entry);
  const small = {
    ...old,
    ...(isReworded ? { [textFields[list]]: text, ...('source' in old ? { source: 'user-edited' } : {}) } : {}),
    ...(field === null ? {} : { [field]: level }),
  };
  if (!isSame(small, entry) || (isReworded && text === '')) return false;
  if (isReworded) found.reword.push({ id: entry.id, text });
  if (level !== undefined && level !== levelOf(old)) found.level.push({ id: entry.id, level });
  return true;
}
