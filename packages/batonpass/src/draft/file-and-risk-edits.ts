import { toProjectPath } from '../extraction/file-path.ts';
import { normalize } from '../extraction/merge-extractions.ts';
import { toDraftText } from './draft-texts.ts';
import type { HandoffDraft, HandoffFileRef, HandoffRisk } from './handoff-draft.ts';
import { rememberRemoved, rememberSettled } from './review-memory.ts';

/** Adds a file, or changes the one of that path; nothing where the path leads out of the project. */
export function addFileRef(draft: HandoffDraft, ref: HandoffFileRef): HandoffDraft {
  const path = toProjectPath(ref.path.toWellFormed());
  if (path === undefined) return draft;
  const known = draft.filesReferenced.find((other) => other.path === path);
  if (known !== undefined) return updateFileRef(draft, known.id, { ...ref, path });
  const added = { ...ref, path, context: toDraftText(ref.context) };
  const next = { ...draft, filesReferenced: [...draft.filesReferenced, added] };
  return rememberSettled(next, added.id);
}

/** Changes a file; its former path does not come back. Nothing where a new path is another file's or leads out. */
export function updateFileRef(draft: HandoffDraft, id: string, change: Partial<HandoffFileRef>): HandoffDraft {
  const file = draft.filesReferenced.find((other) => other.id === id);
  if (file === undefined) return draft;
  const path = change.path === undefined ? file.path : toProjectPath(change.path.toWellFormed());
  if (path === undefined) return draft;
  if (draft.filesReferenced.some((other) => other !== file && other.path === path)) return draft;
  const context = change.context === undefined ? file.context : toDraftText(change.context);
  const changed = { ...file, ...defined(change), id, path, context };
  const filesReferenced = draft.filesReferenced.map((other) => (other === file ? changed : other));
  const next = rememberSettled({ ...draft, filesReferenced }, id);
  return path === file.path ? next : rememberRemoved(next, 'files', [file.path]);
}

/** Removes files; they do not come back. */
export function removeFileRefs(draft: HandoffDraft, ids: readonly string[]): HandoffDraft {
  const gone = new Set(ids);
  const former = draft.filesReferenced.filter(({ id }) => gone.has(id)).map(({ path }) => path);
  if (former.length === 0) return draft;
  const filesReferenced = draft.filesReferenced.filter(({ id }) => !gone.has(id));
  return rememberRemoved({ ...draft, filesReferenced }, 'files', former);
}

/** Adds a risk, or changes the one that has these words. */
export function addRisk(draft: HandoffDraft, risk: HandoffRisk): HandoffDraft {
  const description = toDraftText(risk.description);
  if (description === '') return draft;
  const known = draft.risks.find((other) => normalize(other.description) === normalize(description));
  if (known !== undefined) return updateRisk(draft, known.id, { ...risk, description });
  const next = { ...draft, risks: [...draft.risks, { ...risk, description }] };
  return rememberSettled(next, risk.id);
}

/** Changes a risk; its former words do not come back. */
export function updateRisk(draft: HandoffDraft, id: string, change: Partial<HandoffRisk>): HandoffDraft {
  const risk = draft.risks.find((other) => other.id === id);
  if (risk === undefined) return draft;
  const description = change.description === undefined ? risk.description : toDraftText(change.description);
  if (description === '') return draft;
  const changed = { ...risk, ...defined(change), id, description };
  const next = rememberSettled({ ...draft, risks: draft.risks.map((other) => (other === risk ? changed : other)) }, id);
  if (description === risk.description) return next;
  return rememberRemoved(next, 'risks', [risk.description]);
}

/** Removes risks; they do not come back. */
export function removeRisks(draft: HandoffDraft, ids: readonly string[]): HandoffDraft {
  const gone = new Set(ids);
  const former = draft.risks.filter(({ id }) => gone.has(id)).map(({ description }) => description);
  if (former.length === 0) return draft;
  return rememberRemoved({ ...draft, risks: draft.risks.filter(({ id }) => !gone.has(id)) }, 'risks', former);
}

/** Words the summary. */
export function setSummary(draft: HandoffDraft, text: string): HandoffDraft {
  const brainstormSummary = toDraftText(text);
  if (brainstormSummary === draft.brainstormSummary) return draft;
  return rememberSettled({ ...draft, brainstormSummary }, 'brainstormSummary');
}

/** A change without what it leaves undefined. */
function defined<T extends object>(change: T): T {
  return Object.fromEntries(Object.entries(change).filter(([, value]) => value !== undefined)) as T;
}
