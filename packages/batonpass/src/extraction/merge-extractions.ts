import { type Content, isByPerson } from '../core/content.ts';
import type { Evidence } from '../core/evidence.ts';
import { limits } from '../core/limits.ts';
import { contentWords, countShared, likeness } from './content-words.ts';
import type { ExtractedDecision, ExtractedFile } from './extraction.ts';
import { toProjectPath } from './file-path.ts';
import type { PartlyEvidenced } from './partly-evidenced.ts';

/** From this likeness on, two texts say the same. */
const sameMin = 0.7;

/** Less likeness is enough where both rest on the same words of the conversation. */
const sameEvidenceMin = 0.3;

/** What a person made of an earlier extraction. */
export interface OfPeople {
  /** The current decisions; those that a person pinned or edited win over items that say the same. */
  decisions?: Content['decisions'];
  /** Texts and paths of what a person removed, which does not come back. */
  removed?: readonly string[];
}

/**
 * One extraction of several of the same conversation: of rules and of a model, or of a first and a second time. Items
 * that say the same are kept once: the surer one; of equals the later, which knew more. Nothing that only one of
 * them found is lost.
 *
 * @param extractions - in their order: what is later wins among equals.
 * @param people - what a person pinned, edited or removed is left out of the result, so that adding the result to his
 * items repeats and overrules none of them. Default: nobody touched anything.
 */
export function mergeExtractions(extractions: readonly PartlyEvidenced[], people: OfPeople = {}): PartlyEvidenced {
  const lists = <T>(read: (extraction: PartlyEvidenced) => readonly T[]) => extractions.flatMap(read);
  const last = extractions.at(-1);
  const decisions = mergeLike(
    lists((extraction) => extraction.decisions),
    ofDecision,
  );
  const risks = mergeLike(
    lists((extraction) => extraction.risks),
    ofRisk,
  );
  // These follow from the conversation alone: the last extraction that read all of it has them.
  const whole = extractions.findLast(({ words }) => words.length > 0) ?? last;
  const merged: PartlyEvidenced = {
    where_it_stands: whole?.where_it_stands ?? [],
    instructions: whole?.instructions ?? [],
    environment: whole?.environment ?? [],
    words: whole?.words ?? [],
    decisions: saidFirst(decisions),
    revoked: [...new Set(lists((extraction) => extraction.revoked))],
    files: mergeFiles(lists((extraction) => extraction.files)),
    risks: risks.sort((a, b) => degree[a.severity] - degree[b.severity]),
    tried: mergeLike(
      lists((extraction) => extraction.tried),
      ({ what }) => ({ text: what, weight: 1 }),
    ),
    next_steps: mergeLike(
      lists((extraction) => extraction.next_steps),
      ofStatement,
    ),
    open_questions: mergeLike(
      lists((extraction) => extraction.open_questions),
      ofStatement,
    ),
    results: mergeLike(
      lists((extraction) => extraction.results),
      ({ description }) => ({ text: description, weight: 1 }),
    ),
    title: extractions.findLast(({ title }) => title !== '')?.title ?? '',
    summary: extractions.findLast(({ summary }) => summary !== '')?.summary ?? '',
    cut: [...new Set(lists((extraction) => extraction.cut))],
  };
  return withinLists(withoutPeoples(merged, people));
}

type Decision = PartlyEvidenced['decisions'][number];
type Statement = PartlyEvidenced['next_steps'][number];

/** What was agreed in words comes before what was implied. */
function saidFirst(decisions: readonly Decision[]): Decision[] {
  return [
    ...decisions.filter(({ confidence }) => confidence === 1),
    ...decisions.filter(({ confidence }) => confidence < 1),
  ];
}

const degree = { high: 0, medium: 1, low: 2 };

/** What items are compared by, and which of two stays. */
interface Compared {
  text: string;
  /** The greater one stays. */
  weight: number;
  evidence?: Evidence | undefined;
}

function ofDecision({ content, confidence, evidence }: Decision): Compared {
  return { text: content, weight: confidence, evidence };
}

function ofRisk({ description, evidence }: PartlyEvidenced['risks'][number]): Compared {
  return { text: description, weight: 1, evidence };
}

function ofStatement({ content, evidence }: Statement): Compared {
  return { text: content, weight: 1, evidence };
}

/** An item with what it is compared by, read once. */
export interface Kept<T> extends Compared {
  item: T;
  /** The text as `normalize` gives it. */
  normal: string;
  words: ReadonlySet<string>;
}

function mergeLike<T extends object>(items: readonly T[], read: (item: T) => Compared): T[] {
  const kept: Kept<T>[] = [];
  for (const item of items) {
    const compared = read(item);
    const next = { ...compared, item, normal: normalize(compared.text), words: contentWords(compared.text) };
    const at = kept.findIndex((other) => saysTheSame(other, next));
    const same = kept[at];
    if (same === undefined) kept.push(next);
    else if (next.weight >= same.weight) kept[at] = { ...next, item: withSupersedes(item, same.item) };
    else kept[at] = { ...same, item: withSupersedes(same.item, item) };
  }
  return kept.map(({ item }) => item);
}

/** Whether two items say the same: in normal words, or like words upon the same evidence. */
export function saysTheSame(a: Kept<object>, b: Kept<object>): boolean {
  if (a.normal === b.normal) return true;
  if (a.words.size === 0 || b.words.size === 0) return false;
  const alike = likeness(a.words, b.words);
  const isSamePlace = a.evidence !== undefined && b.evidence !== undefined && isSameEvidence(a.evidence, b.evidence);
  if (isSamePlace) return alike >= sameEvidenceMin;
  // Each names what the other does not: "the read time-out", "the write time-out".
  return alike >= sameMin && countShared(a.words, b.words) >= Math.min(a.words.size, b.words.size);
}

function isSameEvidence(a: Evidence, b: Evidence): boolean {
  if (a.message !== b.message || a.transcript !== b.transcript) return false;
  return a.quote.includes(b.quote) || b.quote.includes(a.quote);
}

/** What a text says without letter case, marks, white space and its last stop. */
export function normalize(text: string): string {
  return text
    .toLowerCase()
    .normalize('NFKC')
    .replace(/[\s*_`"'“”‘’]+/g, ' ')
    .trim()
    .replace(/[.!…]+$/, '');
}

/** What either replaced stays replaced. */
function withSupersedes<T extends object>(item: T, other: T): T {
  const all = [...readSupersedes(other), ...readSupersedes(item)];
  return all.length === 0 ? item : { ...item, supersedes: [...new Set(all)] };
}

function readSupersedes(item: object): readonly string[] {
  return 'supersedes' in item ? ((item as ExtractedDecision).supersedes ?? []) : [];
}

/** One file a path; the highest relevance, and the context of the one that has evidence. */
export function mergeFiles(files: readonly ExtractedFile[]): ExtractedFile[] {
  const byPath = new Map<string, ExtractedFile>();
  for (const file of files) {
    const key = toProjectPath(file.path) ?? file.path;
    const known = byPath.get(key);
    if (known === undefined) byPath.set(key, file);
    else {
      const told = file.evidence !== undefined || known.evidence === undefined ? file : known;
      const relevance = degree[file.relevance] < degree[known.relevance] ? file.relevance : known.relevance;
      byPath.set(key, { ...told, path: known.path, relevance });
    }
  }
  return [...byPath.values()].sort((a, b) => degree[a.relevance] - degree[b.relevance]);
}

function withinLists(merged: PartlyEvidenced): PartlyEvidenced {
  const cut = [...merged.cut];
  const keep = <T>(what: string, items: readonly T[]): T[] => {
    const left = items.length - limits.entries_max;
    if (left > 0) cut.push(`${left} of ${items.length} ${what} were left out.`);
    return items.slice(0, limits.entries_max);
  };
  return {
    ...merged,
    decisions: keep('decisions', merged.decisions),
    files: keep('files', merged.files),
    risks: keep('risks', merged.risks),
    tried: keep('attempts', merged.tried),
    next_steps: keep('next steps', merged.next_steps),
    open_questions: keep('open questions', merged.open_questions),
    cut,
  };
}

/** A decision that a person pinned, edited or removed is left out, no matter what the extraction says of it. */
function withoutPeoples(merged: PartlyEvidenced, { decisions = [], removed = [] }: OfPeople): PartlyEvidenced {
  const theirs = decisions
    .filter(({ source }) => isByPerson(source))
    .map(({ content, evidence }) => toKept(content, evidence));
  const gone = removed.map((text) => toKept(text));
  const isGone = (text: string) => gone.some((other) => saysTheSame(other, toKept(text)));
  const isTheirs = (decision: Decision) => {
    const item = toKept(decision.content, decision.evidence);
    return theirs.some((other) => saysTheSame(other, item));
  };
  return {
    ...merged,
    decisions: merged.decisions.filter((decision) => !isTheirs(decision) && !isGone(decision.content)),
    // By its whole path: the words of "src/a.ts" are those of "src/b.ts".
    files: merged.files.filter(({ path }) => !removed.includes(toProjectPath(path) ?? path)),
    risks: merged.risks.filter(({ description }) => !isGone(description)),
  };
}

/** A text as it is compared with others. */
export function toKept(text: string, evidence?: Evidence): Kept<object> {
  return { text, weight: 1, evidence, item: {}, normal: normalize(text), words: contentWords(text) };
}
