import type { Evidence } from '../core/evidence.ts';
import { isImplied } from '../core/implied.ts';
import { normalize } from '../extraction/merge-extractions.ts';
import { followEdit } from '../extraction/summary-clauses.ts';
import { toDraftText } from './draft-texts.ts';
import type { HandoffDecision, HandoffDraft } from './handoff-draft.ts';
import { rememberRemoved } from './review-memory.ts';

/** Adds a decision, unless the same text is there; an extracted one that a person adds becomes that person's own. */
export function addDecision(draft: HandoffDraft, decision: HandoffDecision): HandoffDraft {
  const content = toDraftText(decision.content);
  if (content === '') return draft;
  const byPerson = decision.source !== 'ai-extracted';
  const known = draft.decisions.find((other) => normalize(other.content) === normalize(content));
  if (known === undefined) {
    return withDecisions(draft, [...draft.decisions, { ...decision, content }]);
  }
  if (!byPerson || known.source !== 'ai-extracted') return draft;
  return replaceDecision(draft, { ...takenIn(known), content, source: decision.source });
}

/** Rewords a decision; its former text does not come back. */
export function updateDecision(draft: HandoffDraft, id: string, text: string): HandoffDraft {
  const decision = draft.decisions.find((other) => other.id === id);
  const content = toDraftText(text);
  if (decision === undefined || content === '') return draft;
  if (decision.source === 'user-edited' && decision.content === content) return draft;
  const edited = replaceDecision(draft, { ...takenIn(decision), content, source: 'user-edited' });
  return rememberRemoved(toldAnew(edited, decision.content, content), 'decisions', [decision.content]);
}

/** Removes decisions; they do not come back. */
export function removeDecisions(draft: HandoffDraft, ids: readonly string[]): HandoffDraft {
  const gone = new Set(ids);
  const former = draft.decisions.filter(({ id }) => gone.has(id)).map(({ content }) => content);
  if (former.length === 0) return draft;
  const rest = { ...draft, decisions: draft.decisions.filter(({ id }) => !gone.has(id)) };
  const told = former.reduce((told, content) => toldAnew(told, content), rest);
  return rememberRemoved(told, 'decisions', former);
}

/** Pins a decision, or unpins it: one that nobody extracted is a person's own text. */
export function pinDecision(draft: HandoffDraft, id: string, isPinned: boolean): HandoffDraft {
  const decision = draft.decisions.find((other) => other.id === id);
  if (decision === undefined || isPinned === (decision.source === 'user-pinned')) return draft;
  const isExtracted = decision.confidence !== undefined || decision.evidence !== undefined;
  const source = isPinned ? 'user-pinned' : isExtracted ? 'ai-extracted' : 'user-edited';
  return replaceDecision(draft, { ...takenIn(decision), source });
}

/** Moves a decision to another place, 0 the first, among the stated ones, or among the implied. */
export function moveDecision(draft: HandoffDraft, id: string, toIndex: number): HandoffDraft {
  const decision = draft.decisions.find((other) => other.id === id);
  if (decision === undefined) return draft;
  const others = draft.decisions.filter((other) => other !== decision);
  const moved = withDecisions(draft, others.toSpliced(Math.max(0, Math.trunc(toIndex)), 0, decision));
  return moved.decisions.every((other, index) => other === draft.decisions[index]) ? draft : moved;
}

/** Makes one decision of several, at the place of the first, with the evidence of all. */
export function mergeDecisions(draft: HandoffDraft, ids: readonly string[]): HandoffDraft {
  const merged = draft.decisions.filter(({ id }) => ids.includes(id));
  const [first] = merged;
  if (first === undefined || merged.length < 2) return draft;
  const winner = merged.reduce((best, other) => (weigh(other) > weigh(best) ? other : best), first);
  const one = joinDecisions(winner, merged);
  const decisions = draft.decisions.flatMap((other) =>
    other === first ? [one] : merged.includes(other) ? [] : [other],
  );
  const former = merged.filter((other) => other !== winner).map(({ content }) => content);
  return rememberRemoved(withDecisions(draft, decisions), 'decisions', former);
}

/** Adds decisions to a draft, the implied ones after the stated ones. */
export function withDecisions(draft: HandoffDraft, decisions: readonly HandoffDecision[]): HandoffDraft {
  return {
    ...draft,
    decisions: [...decisions.filter((decision) => !isImplied(decision)), ...decisions.filter(isImplied)],
  };
}

/** A removal or rewording applies to the summary too, unless a person wrote that. */
function toldAnew(draft: HandoffDraft, former: string, present?: string): HandoffDraft {
  if (draft.review.settled.includes('brainstormSummary')) return draft;
  return { ...draft, brainstormSummary: followEdit(draft.brainstormSummary, former, present) };
}

/** A decision from planning is no longer new once a person has accepted it. */
function takenIn({ fromPlanning: _, ...decision }: HandoffDecision): HandoffDecision {
  return decision;
}

function replaceDecision(draft: HandoffDraft, decision: HandoffDecision): HandoffDraft {
  return withDecisions(
    draft,
    draft.decisions.map((other) => (other.id === decision.id ? decision : other)),
  );
}

/** A person's words weigh more than every extraction. */
function weigh({ source, confidence }: HandoffDecision): number {
  return source === 'ai-extracted' ? (confidence ?? 1) : 2;
}

function joinDecisions(winner: HandoffDecision, all: readonly HandoffDecision[]): HandoffDecision {
  const { fromPlanning: _, ...kept } = winner;
  const evidence = winner.evidence ?? all.find((decision) => decision.evidence !== undefined)?.evidence;
  const places = all.flatMap((decision) => [
    ...(decision.evidence ? [decision.evidence] : []),
    ...(decision.support ?? []),
  ]);
  const support = distinctEvidence(places).filter((place) => evidence === undefined || !isSame(place, evidence));
  const supersedes = [...new Set(all.flatMap((decision) => decision.supersedes ?? []))];
  return {
    ...kept,
    ...(evidence === undefined ? {} : { evidence }),
    ...(support.length === 0 ? {} : { support }),
    ...(supersedes.length === 0 ? {} : { supersedes }),
    ...(all.every(({ fromPlanning }) => fromPlanning) ? { fromPlanning: true } : {}),
  };
}

function distinctEvidence(places: readonly Evidence[]): Evidence[] {
  return places.filter((place, index) => places.findIndex((other) => isSame(place, other)) === index);
}

function isSame(a: Evidence, b: Evidence): boolean {
  return a.message === b.message && a.quote === b.quote && a.transcript === b.transcript;
}
