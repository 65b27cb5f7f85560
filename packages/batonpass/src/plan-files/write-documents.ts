import { HandoffError } from '../core/errors.ts';
import {
  brokenRule,
  changeConfig,
  configDefaults,
  type PlanConfiguration,
  readSettings,
  renderConfig,
} from './documents/config-document.ts';
import { inlineValue } from './documents/inline-value.ts';
import { assertMerged } from './documents/merge-conflicts.ts';
import { type PlanContent, phaseSets } from './documents/plan-content.ts';
import { refused } from './documents/plan-errors.ts';
import { updatePlanProgress } from './documents/plan-progress.ts';
import { writeExistingPlan, writeNewPlan } from './documents/plan-writing.ts';
import type { ProgressRequest } from './documents/progress-request.ts';
import { changeReferences, type ReferenceChange } from './documents/references-changes.ts';
import { renderEmptyReferences } from './documents/references-template.ts';
import { describeProgress, type ProgressReport } from './plan-answers.ts';
import { type LockedPlan, type PlanCall, withPlan } from './plan-lock.ts';
import { type PlanDocumentName, type PlanPlace, readPlanDocument, requirePlanDocument } from './plan-place.ts';
import { type ReferencesSummary, summarizeReferences } from './read-documents.ts';

/** Which plan a request is about. */
export interface PlanRequest extends PlanCall {
  plan_directory: string;
}

/** What writing a document answers. */
export interface WrittenDocument {
  outcome: 'created' | 'updated';
  file: string;
}

/**
 * Writes `plan.md`, or changes what a content names in one that is there.
 *
 * @throws HandoffError `file_not_found` for the folder, `validation_failed`, `invalid_structure`,
 * `phase_transition_violation`; then nothing is written.
 */
export async function writePlan(
  place: PlanPlace,
  { plan_content, ...request }: PlanRequest & { plan_content: PlanContent },
): Promise<WrittenDocument> {
  return withPlan(place, request, (plan) => {
    const present = readForChange(plan, 'plan.md');
    const text =
      present === null ? writeNewPlan(completed(plan, plan_content)) : writeExistingPlan(present, plan_content);
    if (text !== present) plan.write('plan.md', text);
    return { outcome: present === null ? 'created' : 'updated', file: `${plan.shown}plan.md` };
  });
}

/** As {@link readPlanDocument}. @throws HandoffError `invalid_structure` too, for a document with a merge conflict. */
function readForChange(plan: LockedPlan, name: PlanDocumentName): string | null {
  const text = readPlanDocument(plan, name);
  if (text !== null) assertMerged(text, `${plan.shown}${name}`);
  return text;
}

/** A new plan needs a title, and has the phases of its type where the content names none. */
function completed(plan: LockedPlan, content: PlanContent): PlanContent & { title: string; phases: readonly string[] } {
  const { title } = content;
  if (title === undefined) throw refused('A new plan has no title', ['Give plan_content.title']);
  const phases = content.phases ?? phasesOfType(plan);
  if (phases === undefined || phases.length === 0) {
    throw refused('A new plan has no phases', [
      'Give plan_content.phases',
      'Write config.md first: its plan type has some',
    ]);
  }
  return { ...content, title, phases };
}

function phasesOfType(plan: LockedPlan): readonly string[] | undefined {
  const { plan_type } = readSettings(readPlanDocument(plan, 'config.md') ?? '').said;
  return plan_type === undefined ? undefined : phaseSets[plan_type];
}

/**
 * Writes `config.md`, or changes the given settings of one that is there.
 *
 * @throws HandoffError `file_not_found` for the folder; `validation_failed` for settings that break a rule together, or
 * where plan type or branch is missing; `invalid_structure` in a merge conflict; then nothing is written.
 */
export async function writeConfig(
  place: PlanPlace,
  { configuration, ...request }: PlanRequest & { configuration: Partial<PlanConfiguration> },
): Promise<WrittenDocument> {
  return withPlan(place, request, (plan) => {
    const present = readForChange(plan, 'config.md');
    const changed = present === null ? null : changeConfig(present, configuration);
    const { said, wrong } = changed === null ? { said: configuration } : readSettings(changed);
    if (wrong !== undefined) throw wrongSetting(wrong);
    const config = { ...configDefaults, ...said };
    assertConfig(config);
    const text = changed ?? renderConfig(config);
    if (text !== present) plan.write('config.md', text);
    return { outcome: present === null ? 'created' : 'updated', file: `${plan.shown}config.md` };
  });
}

/** @throws HandoffError `validation_failed` for settings that break a rule together, or lack plan type or branch. */
export function assertConfig(config: Partial<PlanConfiguration>): asserts config is PlanConfiguration {
  const missing = (['plan_type', 'branch'] as const).filter((setting) => !config[setting]);
  if (missing.length > 0) {
    throw invalidConfig(`Missing ${missing.join(' and ')}`, [`Give configuration.${missing[0]}`]);
  }
  const broken = brokenRule(config as PlanConfiguration);
  if (broken !== undefined) throw invalidConfig(broken.details, broken.alternatives);
}

function invalidConfig(details: string, alternatives: readonly string[]): HandoffError {
  return new HandoffError('validation_failed', 'Invalid configuration combination', {
    details: { details },
    alternatives,
  });
}

/** A value that a person wrote is theirs until a request names the setting. */
function wrongSetting(setting: string): HandoffError {
  return invalidConfig(`Invalid value for ${setting} field in config.md`, [`Give configuration.${setting}`]);
}

/** What changing references answers. */
export interface ChangedReferences {
  outcome: 'updated';
  changes: string[];
  references_summary: ReferencesSummary;
}

/**
 * Adds, updates or removes a reference; the first one makes `references.md`.
 *
 * @throws HandoffError `file_not_found`, `reference_not_found`, `validation_failed`, `invalid_structure`; then nothing is written.
 */
export async function writeReferences(
  place: PlanPlace,
  { change, ...request }: PlanRequest & { change: ReferenceChange },
): Promise<ChangedReferences> {
  return withPlan(place, request, (plan) => {
    const present = readForChange(plan, 'references.md');
    const { text, changes } = changeReferences(present ?? emptyReferences(plan), change);
    if (changes.length > 0) plan.write('references.md', text);
    return { outcome: 'updated', changes, references_summary: summarizeReferences(text) };
  });
}

function emptyReferences(plan: LockedPlan): string {
  return renderEmptyReferences(readSettings(readPlanDocument(plan, 'config.md') ?? '').said);
}

/**
 * Moves a task, and with the last one its phase; files that were made become references. Repeating it changes nothing.
 *
 * The references are written before the plan: after a crash between the two, the same request completes the rest.
 *
 * @throws HandoffError `file_not_found`, `invalid_structure`, `validation_failed`, `phase_transition_violation`; then
 * nothing is written.
 */
export async function updateProgress(
  place: PlanPlace,
  {
    files_created = [],
    update,
    phase_transition,
    ...request
  }: PlanRequest & ProgressRequest & { files_created?: readonly string[] },
): Promise<ProgressReport> {
  return withPlan(place, request, (plan) => {
    const present = requirePlanDocument(plan, 'plan.md');
    assertMerged(present, `${plan.shown}plan.md`);
    const progress = { ...(update && { update }), ...(phase_transition && { phase_transition }) };
    const { text, phase } = updatePlanProgress(present, progress);
    noteFiles(plan, files_created);
    if (text !== present) plan.write('plan.md', text);
    return describeProgress(text, phase, update);
  });
}

function noteFiles(plan: LockedPlan, paths: readonly string[]): void {
  if (paths.length === 0) return;
  const present = readForChange(plan, 'references.md');
  const text = paths.reduce((written, path) => {
    const change = { action: 'add', type: 'file', identifier: inlineValue(path) } as const;
    return changeReferences(written, change).text;
  }, present ?? emptyReferences(plan));
  if (text !== present) plan.write('references.md', text);
}
