import type { Content } from '../../../../batonpass/src/core/content.ts';
import type { HandoffDecision, HandoffFileRef, HandoffRisk } from '../../../../batonpass/src/draft/handoff-draft.ts';

/** The parts of a draft that a review changes: the rest of the record is never sent, and so stays as it is. */
export interface DraftParts {
  decisions: HandoffDecision[];
  filesReferenced: HandoffFileRef[];
  risks: HandoffRisk[];
  brainstormSummary: string;
}

/** The lists of a review. */
export const listNames = ['decisions', 'filesReferenced', 'risks'] as const;

export type ListName = (typeof listNames)[number];

/** One item of such a list. */
export type DraftEntry = HandoffDecision | HandoffFileRef | HandoffRisk;

/** The items of one list, of any kind: compare and merge treat them alike. */
export function entriesOf(parts: DraftParts, list: ListName): readonly DraftEntry[] {
  return parts[list];
}

/** The same parts with another list. */
export function withEntries(parts: DraftParts, list: ListName, entries: readonly DraftEntry[]): DraftParts {
  return { ...parts, [list]: entries };
}

/** The parts of a record in a review. Items keep all of their fields, also those that the review does not show. */
export function partsOf({ decisions, files, risks, summary }: Content): DraftParts {
  return { decisions, filesReferenced: files, risks, brainstormSummary: summary };
}

/** Picks the parts from any object that has them. */
export function partsIn({ decisions, filesReferenced, risks, brainstormSummary }: DraftParts): DraftParts {
  return { decisions, filesReferenced, risks, brainstormSummary };
}

/** The field of an item's text. */
export const textFields = { decisions: 'content', filesReferenced: 'context', risks: 'description' } as const;

/** The text of an item. */
export function textOf(list: ListName, entry: DraftEntry): string {
  return String((entry as unknown as Readonly<Record<string, unknown>>)[textFields[list]] ?? '');
}

/** The level of an item; a decision has none. */
export function levelOf(entry: DraftEntry): 'high' | 'medium' | 'low' | undefined {
  return 'relevance' in entry ? entry.relevance : 'severity' in entry ? entry.severity : undefined;
}

/** Whether two values are the same JSON, in any order of their fields; an undefined field counts as absent. */
export function isSame(a: unknown, b: unknown): boolean {
  if (Object.is(a, b)) return true;
  if (!isObject(a) || !isObject(b) || Array.isArray(a) !== Array.isArray(b)) return false;
  return [...new Set([...Object.keys(a), ...Object.keys(b)])].every((key) => isSame(a[key], b[key]));
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return value !== null && typeof value === 'object';
}
