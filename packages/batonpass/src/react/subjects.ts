import { HandoffError } from '../core/errors.ts';
import type { Evidence } from '../core/evidence.ts';
import type { HandoffDraftStore, HandoffDraftStoreState } from '../draft/draft-store.ts';

/** A text on the review screen that can be edited: an entry of one of its lists by its id, or the summary. */
export interface Subject {
  kind: 'decision' | 'file' | 'risk' | 'summary' | 'new';
  id: string;
}

/** The summary: there is one. */
export const summarySubject: Subject = { kind: 'summary', id: '' };

/** The decision that is being added. */
export const newSubject: Subject = { kind: 'new', id: '' };

/** A subject as one text: its key in the document and in maps. */
export function toKey({ kind, id }: Subject): string {
  return `${kind}:${id}`;
}

/** The subject of a key; null for an invalid one. */
export function parseKey(key: string): Subject | null {
  const kind = key.slice(0, key.indexOf(':'));
  return isKind(kind) ? { kind, id: key.slice(kind.length + 1) } : null;
}

function isKind(word: string): word is Subject['kind'] {
  return ['decision', 'file', 'risk', 'summary', 'new'].includes(word);
}

/** The name of a subject in an announcement. */
export const nouns: Readonly<Record<Subject['kind'], string>> = {
  decision: 'decision',
  file: 'file',
  risk: 'risk',
  summary: 'summary',
  new: 'decision',
};

/** The stored text of a subject that can be edited; undefined where it is no longer there. */
export function readText(state: HandoffDraftStoreState, { kind, id }: Subject): string | undefined {
  if (kind === 'decision') return state.decisions.find((each) => each.id === id)?.content;
  if (kind === 'file') return state.filesReferenced.find((each) => each.id === id)?.context;
  if (kind === 'risk') return state.risks.find((each) => each.id === id)?.description;
  return kind === 'summary' ? state.brainstormSummary : '';
}

/** The places of a subject in the conversation, the first one first. */
export function evidenceOf(state: HandoffDraftStoreState, { kind, id }: Subject): readonly Evidence[] {
  const decision = kind === 'decision' ? state.decisions.find((each) => each.id === id) : undefined;
  const other =
    kind === 'file'
      ? state.filesReferenced.find((each) => each.id === id)
      : kind === 'risk'
        ? state.risks.find((each) => each.id === id)
        : decision;
  return [...(other?.evidence === undefined ? [] : [other.evidence]), ...(decision?.support ?? [])];
}

/**
 * Stores a subject's text. A decision or a risk that was removed meanwhile is added again.
 *
 * @throws HandoffError `conflict` where a file was removed meanwhile, and what the store's actions throw.
 */
export function writeText(store: HandoffDraftStore, { kind, id }: Subject, text: string): void {
  const state = store.getState();
  if (kind === 'summary') state.setSummary(text);
  else if (kind === 'new') state.addDecision(text, 'user-edited');
  else if (readText(state, { kind, id }) === undefined) addAgain(state, kind, text);
  else if (kind === 'decision') state.updateDecision(id, text);
  else if (kind === 'file') state.updateFileRef(id, { context: text });
  else state.updateRisk(id, { description: text });
}

function addAgain(state: HandoffDraftStoreState, kind: Subject['kind'], text: string): void {
  if (kind === 'decision') state.addDecision(text, 'user-edited');
  else if (kind === 'risk') state.addRisk({ description: text, severity: 'medium' });
  else {
    throw new HandoffError('conflict', 'This file was removed from the list meanwhile.', {
      alternatives: ['Undo brings it back.'],
    });
  }
}

/** Removes an entry from its list. */
export function removeSubject(store: HandoffDraftStore, { kind, id }: Subject): void {
  const state = store.getState();
  if (kind === 'decision') state.removeDecision(id);
  if (kind === 'file') state.removeFileRef(id);
  if (kind === 'risk') state.removeRisk(id);
}
