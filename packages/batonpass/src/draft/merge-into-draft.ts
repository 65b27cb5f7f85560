import type { EvidencedResult, ExtractionResult } from '../extraction/extraction-result.ts';
import { toProjectPath } from '../extraction/file-path.ts';
import { type Kept, mergeFiles, saysTheSame, toKept } from '../extraction/merge-extractions.ts';
import { followEdit } from '../extraction/summary-clauses.ts';
import { withDecisions } from './decision-edits.ts';
import { toDraftEvidence, toDraftText } from './draft-texts.ts';
import type { HandoffDecision, HandoffDraft, HandoffFileRef, HandoffRisk } from './handoff-draft.ts';

/**
 * Merges an extraction into a draft, after what is there. Items of the same meaning appear once, under the id that is
 * there, the one with more confidence; what a person pinned, worded or removed stays as it is; implied ones come last.
 *
 * @returns the same draft where the extraction has nothing new.
 */
export function mergeIntoDraft(
  draft: HandoffDraft,
  result: ExtractionResult | EvidencedResult,
  createId: () => string,
): HandoffDraft {
  const evidenced: EvidencedResult = result;
  const summary = toDraftText(result.summary);
  const isSettled = draft.review.settled.includes('brainstormSummary') || summary === '';
  const merged = {
    ...withDecisions(draft, mergeDecisions(draft, evidenced.decisions, createId)),
    filesReferenced: mergeReferencedFiles(draft, evidenced.filesReferenced, createId),
    risks: mergeRisks(draft, evidenced.risks, createId),
    brainstormSummary: isSettled ? draft.brainstormSummary : withoutRemoved(summary, draft),
  };
  return JSON.stringify(merged) === JSON.stringify(draft) ? draft : merged;
}

/** An extraction repeats what was removed, in its summary too. */
function withoutRemoved(summary: string, { review }: HandoffDraft): string {
  return review.removed.decisions.reduce((told, former) => followEdit(told, former), summary);
}

type Extracted<List extends 'decisions' | 'filesReferenced' | 'risks'> = EvidencedResult[List][number];

function mergeDecisions(
  { decisions, review }: HandoffDraft,
  extracted: readonly Extracted<'decisions'>[],
  createId: () => string,
): HandoffDecision[] {
  const items = decisions.map((item) => ({ item, kept: toKept(item.content, item.evidence) }));
  return mergeTexts(
    {
      items,
      removed: review.removed.decisions,
      isFixed: ({ source }) => source !== 'ai-extracted',
      surer: surerDecision,
    },
    extracted.map(({ content, confidence, evidence, ...rest }) => ({
      id: '',
      content: toDraftText(content),
      source: 'ai-extracted' as const,
      confidence,
      ...toDraftEvidence(evidence),
      ...ofExtraction(rest),
    })),
    { createId, read: ({ content, evidence }) => toKept(content, evidence) },
  );
}

/** What the rules and a model add to a decision beyond the source's fields. */
function ofExtraction(rest: object): Pick<HandoffDecision, 'support' | 'supersedes'> {
  const { support, supersedes } = rest as Pick<HandoffDecision, 'support' | 'supersedes'>;
  return { ...(support === undefined ? {} : { support }), ...(supersedes === undefined ? {} : { supersedes }) };
}

function surerDecision(known: HandoffDecision, found: HandoffDecision): HandoffDecision {
  const [before, now] = [known.confidence ?? 1, found.confidence ?? 1];
  const isSurer = now > before || (now === before && (found.evidence !== undefined || known.evidence === undefined));
  const [lead, other] = isSurer ? [found, known] : [known, found];
  const supersedes = [...new Set([...(other.supersedes ?? []), ...(lead.supersedes ?? [])])];
  return { ...other, ...lead, id: known.id, ...(supersedes.length === 0 ? {} : { supersedes }) };
}

function mergeRisks(
  { risks, review }: HandoffDraft,
  extracted: readonly Extracted<'risks'>[],
  createId: () => string,
): HandoffRisk[] {
  const items = risks.map((item) => ({ item, kept: toKept(item.description, item.evidence) }));
  return mergeTexts(
    {
      items,
      removed: review.removed.risks,
      isFixed: ({ id }) => review.settled.includes(id),
      surer: (known, found) => ({ ...known, ...found, id: known.id }),
    },
    extracted.map(({ description, severity, evidence }) => ({
      id: '',
      description: toDraftText(description),
      severity,
      ...toDraftEvidence(evidence),
    })),
    { createId, read: ({ description, evidence }) => toKept(description, evidence) },
  );
}

/** What is there, and how it is compared with what was found. */
interface Present<T> {
  items: { item: T; kept: Kept<object> }[];
  /** Texts that do not come back. */
  removed: readonly string[];
  /** Whether a person left an item as it is. */
  isFixed: (item: T) => boolean;
  /** What remains of an item and another of the same meaning. */
  surer: (known: T, found: T) => T;
}

function mergeTexts<T extends { id: string }>(
  { items, removed, isFixed, surer }: Present<T>,
  extracted: readonly T[],
  { createId, read }: { createId: () => string; read: (item: T) => Kept<object> },
): T[] {
  const gone = removed.map((text) => toKept(text));
  const merged = [...items];
  for (const found of extracted) {
    const kept = read(found);
    if (kept.text === '' || gone.some((other) => saysTheSame(other, kept))) continue;
    const same = merged.filter((other) => saysTheSame(other.kept, kept));
    // A person's item wins even where an extracted one has the same meaning.
    if (same.some(({ item }) => isFixed(item))) continue;
    const known = same[0];
    if (known === undefined) merged.push({ item: { ...found, id: createId() }, kept });
    else {
      const item = surer(known.item, found);
      merged[merged.indexOf(known)] = { item, kept: read(item) };
    }
  }
  return merged.map(({ item }) => item);
}

/** One file a path; the highest relevance, and the context of the one that has evidence. */
function mergeReferencedFiles(
  { filesReferenced, review }: HandoffDraft,
  extracted: readonly Extracted<'filesReferenced'>[],
  createId: () => string,
): HandoffFileRef[] {
  const byPath = new Map(filesReferenced.map((file) => [toProjectPath(file.path) ?? file.path, file]));
  const [removed, settled] = [new Set(review.removed.files), new Set(review.settled)];
  for (const { path: spelt, relevance, context, evidence } of extracted) {
    const path = toProjectPath(spelt.toWellFormed());
    if (path === undefined || removed.has(path)) continue;
    const file = { path, relevance, context: toDraftText(context), ...toDraftEvidence(evidence) };
    const known = byPath.get(path);
    if (known === undefined) byPath.set(path, { id: createId(), ...file });
    else if (!settled.has(known.id)) byPath.set(path, { ...known, ...mergeFiles([known, file])[0], id: known.id });
  }
  return [...byPath.values()];
}
