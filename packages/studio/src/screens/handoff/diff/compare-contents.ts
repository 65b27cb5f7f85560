import type { Content } from '../../../../../batonpass/src/core/content.ts';
import { isReworded } from './line-diff.ts';

/** The change of one entry of a list. */
export type EntryChange =
  | { kind: 'added' | 'removed'; words: string }
  | { kind: 'changed'; before: string; after: string };

/** The change of a part of a content: of a text, or of a list's entries. */
export type PartChange =
  | { title: string; type: 'text'; before: string; after: string }
  | { title: string; type: 'list'; changes: EntryChange[]; unchanged: number };

/** The labels of the content's single texts. */
export const textNames = {
  title: 'Title',
  summary: 'Summary',
  body: 'Body',
  kind: 'Kind',
  task_id: 'Task',
  target_agent: 'For',
  scope: 'Scope',
  phase: 'Phase',
} as const satisfies Partial<Record<keyof Content, string>>;

interface ListedPart {
  title: string;
  /** What identifies an entry whose text has changed. */
  key: (entry: never) => string | undefined;
  words: (entry: never) => string;
}

/** The lists of a content. */
const lists = {
  decisions: {
    title: 'Decisions',
    key: ({ id }: Content['decisions'][number]) => id,
    words: ({ content }: Content['decisions'][number]) => content,
  },
  next_steps: { title: 'Next steps', key: () => undefined, words: (entry: string) => entry },
  files: {
    title: 'Files',
    key: ({ path }: Content['files'][number]) => path,
    words: ({ path, relevance, context }: Content['files'][number]) => withRest(`${path} (${relevance})`, context),
  },
  risks: {
    title: 'Risks',
    key: ({ id }: Content['risks'][number]) => id,
    words: ({ description, severity }: Content['risks'][number]) => `${severity}: ${description}`,
  },
  tried: {
    title: 'Tried',
    key: ({ what }: Content['tried'][number]) => what,
    words: ({ what, outcome }: Content['tried'][number]) => `${what}: ${outcome}`,
  },
  open_questions: { title: 'Open questions', key: () => undefined, words: (entry: string) => entry },
  results: {
    title: 'Results',
    key: ({ description }: Content['results'][number]) => description,
    words: ({ description, status, notes }: Content['results'][number]) => withRest(`${status}: ${description}`, notes),
  },
  references: {
    title: 'References',
    key: ({ type, identifier }: Content['references'][number]) => `${type} ${identifier}`,
    words: ({ type, identifier, title, path, url }: Content['references'][number]) =>
      [type, identifier, title, path ?? url].filter(Boolean).join(' · '),
  },
} as const satisfies Partial<Record<keyof Content, ListedPart>>;

function withRest(words: string, rest: string | undefined): string {
  return rest === undefined || rest === '' ? words : `${words}: ${rest}`;
}

/** The differences between two contents, part by part; equal parts are left out. */
export function compareContents(before: Content, after: Content): PartChange[] {
  const names = Object.keys(textNames) as (keyof typeof textNames)[];
  const ofTexts = names.flatMap((name): PartChange[] => {
    const [old, young] = [before[name] ?? '', after[name] ?? ''];
    return old === young ? [] : [{ title: textNames[name], type: 'text', before: old, after: young }];
  });
  const listNames = Object.keys(lists) as (keyof typeof lists)[];
  const ofLists = listNames.flatMap((name): PartChange[] => {
    const part = compareLists(before[name], after[name], lists[name]);
    return part.changes.length === 0 ? [] : [{ type: 'list', title: lists[name].title, ...part }];
  });
  return [...ofTexts, ...ofLists];
}

interface ContentEntry {
  key: string | undefined;
  words: string;
}

/** Entries with equal text are the same, at any position; then an entry with the same key counts as changed. */
function compareLists(before: readonly unknown[], after: readonly unknown[], listed: ListedPart) {
  const read = (entry: unknown): ContentEntry => ({
    key: listed.key(entry as never),
    words: listed.words(entry as never),
  });
  const old = before.map(read);
  const gone = [...old];
  const young = after.map(read).filter((entry) => !takeWhere(gone, ({ words }) => words === entry.words));
  const unchanged = old.length - gone.length;
  const changes = young.map((entry): EntryChange => {
    const former = entry.key === undefined ? undefined : takeWhere(gone, (each) => isFormer(each, entry));
    if (former === undefined) return { kind: 'added', words: entry.words };
    return { kind: 'changed', before: former.words, after: entry.words };
  });
  return { changes: [...gone.map(({ words }): EntryChange => ({ kind: 'removed', words })), ...changes], unchanged };
}

/** Ids that count through a list are reused for other entries: a completely different text is a new entry. */
function isFormer(old: ContentEntry, young: ContentEntry): boolean {
  return old.key === young.key && isReworded(old.words, young.words);
}

function takeWhere<T>(list: T[], isIt: (entry: T) => boolean): T | undefined {
  const index = list.findIndex(isIt);
  return index === -1 ? undefined : list.splice(index, 1)[0];
}
