import { type Content, type ContentInput, isByPerson, type Source } from '../core/content.ts';
import {
  type EditMarks,
  type MarkedItem,
  type MarkedList,
  markOfField,
  markOfSubject,
  markOfWords,
} from '../core/edit-marks.ts';
import type { Evidence } from '../core/evidence.ts';
import { toProjectPath } from '../extraction/file-path.ts';
import { mergeExtractions, saysTheSame, toKept } from '../extraction/merge-extractions.ts';
import type { PartlyEvidenced } from '../extraction/partly-evidenced.ts';
import { withoutEmptySummary } from './snapshot.ts';

/** What a person added and removed, after all edits. */
export interface Edits {
  added: ReadonlySet<string>;
  removed: ReadonlySet<string>;
}

/** The edits of one conversation's handoffs as one, from their marks in the order in which they were made. */
export function foldEdits(all: readonly EditMarks[]): Edits {
  const added = new Set<string>();
  const removed = new Set<string>();
  for (const edit of all) {
    for (const mark of edit.removed) if (!added.delete(mark)) removed.add(mark);
    for (const mark of edit.added) {
      removed.delete(mark);
      added.add(mark);
    }
  }
  return { added, removed };
}

/** What is known of the earlier handoff of the conversation that is extracted again. */
export interface Earlier {
  content: Content;
  edits: Edits;
}

/**
 * A new extraction of a conversation whose earlier one a person may have edited: what was added or reworded stays as it
 * is and is not repeated, what was removed does not come back, and everything else is the new extraction's. Where
 * another extractor read it before, what only that one found stays too.
 *
 * An item that is found again keeps its id. What no extraction fills (scope, task, body) stays unless the new one has it.
 */
export function keepEdits(fresh: Content, { content: earlier, edits }: Earlier): ContentInput {
  const joins = fresh.origin?.extractor !== earlier.origin?.extractor && earlier.origin?.extractor !== undefined;
  const kept = joins ? joined(earlier, fresh, edits) : fresh;
  const list = <L extends MarkedList>(name: L) =>
    mergeList(name, kept[name] ?? [], earlier[name] ?? [], edits) as Content[L];
  const field = (name: 'title' | 'summary') =>
    edits.added.has(markOfField(name, earlier[name])) ? earlier[name] : fresh[name];
  const summary = field('summary');
  // There is a summary now, where the earlier one had none.
  const { extra } = summary === earlier.summary ? earlier : withoutEmptySummary(earlier);
  const { body, task_id, target_agent, scope, phase } = earlier;
  const references = fresh.references.length > 0 ? fresh.references : earlier.references;
  return {
    ...withoutAbsent({ body, task_id, target_agent, scope, phase, extra }),
    ...fresh,
    references,
    title: field('title'),
    summary,
    where_it_stands: list('where_it_stands'),
    instructions: list('instructions'),
    decisions: list('decisions'),
    files: list('files'),
    risks: list('risks'),
    tried: list('tried'),
    next_steps: list('next_steps'),
    open_questions: list('open_questions'),
    environment: list('environment'),
    words: list('words'),
  };
}

/** The person's items first, then the new ones that the person neither reworded nor removed. */
function mergeList(
  list: MarkedList,
  fresh: readonly MarkedItem[],
  earlier: readonly MarkedItem[],
  edits: Edits,
): MarkedItem[] {
  const theirs = earlier.filter((item) => isSomebodys(list, item, edits));
  const taken = new Set(theirs.map(idOf));
  const ids = new Map(earlier.map((item) => [markOfSubject(list, item), idOf(item)]));
  const added = fresh
    .filter((item) => !isGone(list, item, edits) && !theirs.some((other) => isSame(list, other, item)))
    .map((item): MarkedItem => {
      if (typeof item === 'string') return item;
      const { id: _own, ...rest } = item;
      const id = ids.get(markOfSubject(list, item));
      if (id === undefined || taken.has(id)) return rest;
      taken.add(id);
      return { ...rest, id };
    });
  return [...theirs, ...added];
}

function isSomebodys(list: MarkedList, item: MarkedItem, edits: Edits): boolean {
  const isPinned = typeof item === 'object' && item.source !== undefined && isByPerson(item.source as Source);
  return isPinned || edits.added.has(markOfWords(list, item));
}

function isGone(list: MarkedList, item: MarkedItem, { removed }: Edits): boolean {
  return removed.has(markOfWords(list, item)) || removed.has(markOfSubject(list, item));
}

function isSame(list: MarkedList, one: MarkedItem, other: MarkedItem): boolean {
  if (list === 'files') return pathOf(one) === pathOf(other);
  return saysTheSame(toKept(textOf(one), evidenceOf(one)), toKept(textOf(other), evidenceOf(other)));
}

function idOf(item: MarkedItem): string | undefined {
  return typeof item === 'object' && typeof item.id === 'string' ? item.id : undefined;
}

function pathOf(item: MarkedItem): string {
  const path = typeof item === 'object' && typeof item.path === 'string' ? item.path : '';
  return toProjectPath(path) ?? path;
}

function textOf(item: MarkedItem): string {
  return typeof item === 'string' ? item : String(item.content ?? item.description ?? item.what ?? '');
}

function evidenceOf(item: MarkedItem): Evidence | undefined {
  return typeof item === 'object' ? (item.evidence as Evidence | undefined) : undefined;
}

/** The findings of two extractors, without those that the later one marks as replaced. */
function joined(earlier: Content, fresh: Content, edits: Edits): Content {
  const replaced = new Set(fresh.decisions.flatMap(({ supersedes = [] }) => supersedes));
  const own = <L extends 'decisions' | 'files' | 'risks' | 'tried' | 'next_steps' | 'open_questions'>(list: L) =>
    (earlier[list] as readonly MarkedItem[]).filter((item) => !isSomebodys(list, item, edits)) as Content[L];
  const before = {
    ...earlier,
    decisions: own('decisions').filter(({ content }) => !replaced.has(content)),
    files: own('files'),
    risks: own('risks'),
    tried: own('tried'),
    next_steps: own('next_steps'),
    open_questions: own('open_questions'),
  };
  const merged = mergeExtractions([toExtraction(before), toExtraction(fresh)]);
  const words = (list: PartlyEvidenced['next_steps']) => list.map(({ content }) => content);
  return {
    ...fresh,
    decisions: merged.decisions as Content['decisions'],
    files: merged.files as Content['files'],
    risks: merged.risks as Content['risks'],
    tried: merged.tried,
    next_steps: words(merged.next_steps),
    open_questions: words(merged.open_questions),
  };
}

/** A content's lists in the form in which extractions are merged; a decision without a confidence was stated. */
function toExtraction({ decisions, files, risks, tried, next_steps, open_questions }: Content): PartlyEvidenced {
  const statement = (content: string) => ({ content });
  return {
    decisions: decisions.map((decision) => ({ ...decision, confidence: decision.confidence ?? 1 })),
    revoked: [],
    files,
    risks,
    tried,
    next_steps: next_steps.map(statement),
    open_questions: open_questions.map(statement),
    results: [],
    where_it_stands: [],
    instructions: [],
    environment: [],
    words: [],
    title: '',
    summary: '',
    cut: [],
  };
}

function withoutAbsent<T extends object>(value: T): Partial<T> {
  return Object.fromEntries(Object.entries(value).filter(([, member]) => member !== undefined)) as Partial<T>;
}
