import {
  type DraftEntry,
  type DraftParts,
  entriesOf,
  isSame,
  type ListName,
  levelOf,
  listNames,
  textFields,
  withEntries,
} from './draft-parts.ts';

/** Conflicting changes of one item or of the summary. */
export interface Conflict {
  list: ListName | 'summary';
  /** The item's id; empty for the summary. */
  id: string;
  /** The version from here: the whole item, the summary's text, or null where it was removed. */
  mine: DraftEntry | string | null;
}

/** Three versions of one draft: the common ancestor, and both changed versions. */
interface DraftVersions {
  base: DraftParts;
  mine: DraftParts;
  theirs: DraftParts;
}

/** Both changes merged, and the conflicts: the parts have their version, the conflict has mine. */
interface MergedDraft {
  parts: DraftParts;
  conflicts: Conflict[];
}

/**
 * Merges two changes of one draft, item by item and field by field. Nothing is lost: different changes of the same
 * field are a conflict. Of two orders mine is taken, since no text depends on it.
 */
export function mergeDrafts({ base, mine, theirs }: DraftVersions): MergedDraft {
  const conflicts: Conflict[] = [];
  let parts = theirs;
  for (const list of listNames) {
    const merged = mergeLists(list, { base, mine, theirs });
    parts = withEntries(parts, list, merged.entries);
    conflicts.push(...merged.conflicts);
  }
  const [former, ours, other] = [base.brainstormSummary, mine.brainstormSummary, theirs.brainstormSummary];
  if (other === former) return { parts: { ...parts, brainstormSummary: ours }, conflicts };
  if (ours !== former && ours !== other) conflicts.push({ list: 'summary', id: '', mine: ours });
  return { parts, conflicts };
}

/** The draft with my version of a conflict in place of the present one. A removed item is added again at the end. */
export function keepMine(parts: DraftParts, { list, id, mine }: Conflict): DraftParts {
  if (list === 'summary') return { ...parts, brainstormSummary: String(mine) };
  const entries = entriesOf(parts, list);
  const kept = mine === null ? [] : [mine as DraftEntry];
  const isThere = entries.some((other) => other.id === id);
  const next = isThere ? entries.flatMap((other) => (other.id === id ? kept : other)) : [...entries, ...kept];
  return withEntries(parts, list, next);
}

/** Whether a draft already has my version of a conflict. */
export function isSettled(parts: DraftParts, { list, id, mine }: Conflict): boolean {
  if (list === 'summary') return parts.brainstormSummary === mine;
  const entry = entriesOf(parts, list).find((other) => other.id === id);
  if (entry === undefined || mine === null) return entry === undefined && mine === null;
  const field = textFields[list] as keyof DraftEntry;
  return isSame(entry[field], (mine as DraftEntry)[field]) && isSame(levelOf(entry), levelOf(mine as DraftEntry));
}

function mergeLists(list: ListName, versions: DraftVersions): { entries: DraftEntry[]; conflicts: Conflict[] } {
  const byId = (parts: DraftParts): EntryMap => new Map(entriesOf(parts, list).map((entry) => [entry.id, entry]));
  const [base, mine, theirs] = [byId(versions.base), byId(versions.mine), byId(versions.theirs)];
  const conflicts: Conflict[] = [];
  const entries = orderOf(base, mine, theirs).flatMap((id) => {
    const { entry, isConflict } = mergeEntries(base.get(id), mine.get(id), theirs.get(id));
    if (isConflict) conflicts.push({ list, id, mine: mine.get(id) ?? null });
    return entry ?? [];
  });
  return { entries, conflicts };
}

type EntryMap = ReadonlyMap<string, DraftEntry>;

interface MergedEntry {
  entry: DraftEntry | undefined;
  isConflict: boolean;
}

function mergeEntries(
  base: DraftEntry | undefined,
  mine: DraftEntry | undefined,
  theirs: DraftEntry | undefined,
): MergedEntry {
  if (isSame(mine, base)) return { entry: theirs, isConflict: false };
  if (isSame(theirs, base) || isSame(mine, theirs)) return { entry: mine, isConflict: false };
  if (mine === undefined || theirs === undefined) return { entry: theirs, isConflict: true };
  return mergeFields(toFields(base), toFields(mine), toFields(theirs));
}

type Fields = Readonly<Record<string, unknown>>;

const toFields = (entry: DraftEntry | undefined): Fields => (entry ?? {}) as unknown as Fields;

function mergeFields(base: Fields, mine: Fields, theirs: Fields): MergedEntry {
  const names = new Set([...Object.keys(theirs), ...Object.keys(mine)]);
  let isConflict = false;
  const merged = [...names].map((name) => {
    if (isSame(theirs[name], base[name])) return [name, mine[name]] as const;
    // The source of an item follows from the text that is taken.
    if (!isSame(mine[name], base[name]) && !isSame(mine[name], theirs[name])) isConflict ||= name !== 'source';
    return [name, theirs[name]] as const;
  });
  const entry = Object.fromEntries(merged.filter(([, value]) => value !== undefined));
  return { entry: entry as unknown as DraftEntry, isConflict };
}

/** Every id once: in my order where I changed it, else in theirs; an id of only one version keeps its position. */
function orderOf(base: EntryMap, mine: EntryMap, theirs: EntryMap): string[] {
  const common = [...base.keys()].filter((id) => mine.has(id));
  const isReordered = [...mine.keys()].filter((id) => base.has(id)).some((id, place) => id !== common[place]);
  const [first, second] = isReordered ? [mine, theirs] : [theirs, mine];
  const order = [...first.keys()];
  let before = -1;
  for (const id of second.keys()) {
    const place = order.indexOf(id);
    if (place === -1) order.splice(before + 1, 0, id);
    before = place === -1 ? before + 1 : place;
  }
  return order;
}
