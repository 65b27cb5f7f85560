import { configDefaults, renderConfig } from './documents/config-document.ts';
import { editLines, readLines } from './documents/document-lines.ts';
import { codeValue, inlineValue } from './documents/inline-value.ts';
import { readHeading, readLabel, unwrapValue } from './documents/markdown-line.ts';
import { writeNewPlan } from './documents/plan-writing.ts';
import { changeReferences } from './documents/references-changes.ts';
import { renderEmptyReferences } from './documents/references-template.ts';
import type { PlanDraft } from './plan-from-content.ts';
import type { PlanDocumentName } from './plan-place.ts';
import { assertConfig } from './write-documents.ts';

/** The whole documents of a plan. */
export type PlanTexts = Readonly<Record<PlanDocumentName, string>>;

/** Where a plan comes from. */
export interface PlanOrigin {
  handoff_id: string;
  /** Who made it and how reliable it is: a line below the title, for its readers. */
  note: string;
}

/**
 * The documents of a new plan; nothing is read or written. `references.md` names the handoff that it was made from.
 *
 * @throws HandoffError `validation_failed` or `phase_transition_violation` for a content that contradicts itself.
 */
export function renderPlanTexts(draft: PlanDraft & { phases: readonly string[] }, origin: PlanOrigin): PlanTexts {
  const config = { ...configDefaults, ...draft.configuration };
  assertConfig(config);
  const plan = writeNewPlan({ ...draft.plan_content, phases: draft.phases });
  const references = draft.references.reduce(
    (text, change) => changeReferences(text, change).text,
    withOrigin(renderEmptyReferences(config), origin.handoff_id),
  );
  return { 'config.md': renderConfig(config), 'references.md': references, 'plan.md': withNote(plan, origin.note) };
}

/** The id of the handoff that a plan was made from, from its `references.md`; undefined where that has none. */
export function readOrigin(references: string): string | undefined {
  const labels = readLines(references).map(({ text, is_structure }) => (is_structure ? readLabel(text) : null));
  const value = labels.find((label) => label?.name === ORIGIN_LABEL)?.value;
  return value === undefined ? undefined : unwrapValue(value);
}

const ORIGIN_LABEL = 'Handoff';

/** A line of its own: requests that change references leave it where it is. */
function withOrigin(references: string, handoff_id: string): string {
  return insertBelow(references, [`**${ORIGIN_LABEL}**: ${codeValue(handoff_id)}`]);
}

function withNote(plan: string, note: string): string {
  return insertBelow(plan, [`> ${inlineValue(note)}`]);
}

/** Puts lines below the title, with a blank line before them. */
function insertBelow(text: string, lines: readonly string[]): string {
  const present = readLines(text);
  const title = present.findIndex((line) => line.is_structure && readHeading(line.text)?.level === 1);
  return editLines(present, [{ at: title + 1, remove: 0, insert: ['', ...lines] }]);
}
