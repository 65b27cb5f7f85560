import { encodeCanonicalJson, sha256Hex } from '../core/canonical-json.ts';
import type { Content, ContentInput } from '../core/content.ts';
import type { HandoffDecision, HandoffDraft, HandoffSnapshot } from './handoff-draft.ts';
import { planAgentName } from './plan-agent-name.ts';

/** What a snapshot is made of. */
export type SnapshotSource = Pick<
  HandoffDraft | HandoffSnapshot,
  'decisions' | 'filesReferenced' | 'risks' | 'brainstormSummary'
>;

/** A snapshot and its identity. */
export interface FrozenSnapshot {
  snapshot: HandoffSnapshot;
  /** SHA-256 of the snapshot's canonical JSON. */
  sha256: string;
}

/**
 * A deep copy of a draft, frozen throughout, with the hash of its canonical JSON. What was new from planning is so no
 * more: the copy holds it. A frozen snapshot gives itself and the same hash.
 *
 * @throws HandoffError `invalid_input` where a text has no JSON form (a lone surrogate that was set past the actions).
 */
export function freezeSnapshot(draft: SnapshotSource): FrozenSnapshot {
  const text = encodeCanonicalJson({
    decisions: draft.decisions.map(({ fromPlanning: _, ...decision }) => decision),
    filesReferenced: draft.filesReferenced,
    risks: draft.risks,
    brainstormSummary: draft.brainstormSummary,
  });
  return { snapshot: deepFreeze(JSON.parse(text) as HandoffSnapshot), sha256: sha256Hex(text) };
}

/** Where an empty summary is kept: a content's own summary is never empty. */
const summaryKey = 'brainstormSummary';

/**
 * The content of a snapshot's handoff: of kind `context`, for the plan agent.
 *
 * @param extra - further fields of the content, and replacements of these two.
 */
export function snapshotToContent(snapshot: SnapshotSource, extra: Partial<ContentInput> = {}): ContentInput {
  const { snapshot: copy } = freezeSnapshot(snapshot);
  const isEmpty = copy.brainstormSummary === '';
  return {
    kind: 'context',
    target_agent: planAgentName,
    ...extra,
    ...(isEmpty ? { extra: { ...extra.extra, [summaryKey]: '' } } : { summary: copy.brainstormSummary }),
    decisions: [...copy.decisions],
    files: [...copy.filesReferenced],
    risks: [...copy.risks],
  };
}

/** The snapshot in a content, deep-frozen; the inverse of `snapshotToContent`, with the same hash. */
export function contentToSnapshot(content: Content): HandoffSnapshot {
  const isEmpty = content.extra?.[summaryKey] === '';
  return freezeSnapshot({
    decisions: content.decisions as HandoffDecision[],
    filesReferenced: content.files.map(({ git: _, ...file }) => file),
    risks: content.risks as HandoffSnapshot['risks'],
    brainstormSummary: isEmpty ? '' : content.summary,
  }).snapshot;
}

/**
 * The content without the mark of an empty summary, for where a summary was worded: with it the planner would get
 * none. Nothing else of `extra` is touched; an `extra` that had only the mark is removed.
 */
export function withoutEmptySummary<T extends ContentInput>(content: T): T {
  if (content.extra?.[summaryKey] !== '') return content;
  const { extra: all, ...rest } = content;
  const { [summaryKey]: _, ...extra } = all ?? {};
  return (Object.keys(extra).length === 0 ? rest : { ...rest, extra }) as T;
}

function deepFreeze<T>(value: T): T {
  if (value !== null && typeof value === 'object' && !Object.isFrozen(value)) {
    Object.freeze(value);
    for (const part of Object.values(value)) deepFreeze(part);
  }
  return value;
}
