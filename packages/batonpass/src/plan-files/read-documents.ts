import { limits } from '../core/limits.ts';
import { findConfigFaults, type PlanConfiguration, readConfig } from './documents/config-document.ts';
import { findConflicts } from './documents/merge-conflicts.ts';
import { readPlan } from './documents/plan-document.ts';
import { error, type Finding, findPlanFaults, warning } from './documents/plan-findings.ts';
import { type ReferenceType, referenceGroups } from './documents/reference-groups.ts';
import { type ReferencesDocument, readReferences } from './documents/references-document.ts';
import { describePlan, type PlanAnswer } from './plan-answers.ts';
import { outlinePlan, type PlanOutline } from './plan-outline.ts';
import { findPlanFolder, type PlanPlace, readPlanDocument, requirePlanDocument } from './plan-place.ts';

/** What references a plan has. */
export interface ReferencesAnswer {
  issue: { url: string; title: string } | null;
  branch: string | null;
  adrs: string[];
  interfaces: string[];
  implementation_files: string[];
  /** Absent where there are none. */
  configuration_files?: string[];
  /** Absent where there are none. */
  test_files?: string[];
  external_docs: string[];
  dependencies: string[];
}

/** How many references there are. */
export interface ReferencesSummary {
  adrs_count: number;
  interfaces_count: number;
  files_count: number;
  external_docs_count: number;
}

/** The findings of a check of a document; without errors it can be worked with. */
export interface ValidationAnswer {
  outcome: 'valid' | 'invalid';
  validation_errors: { code: string; message: string }[];
  validation_warnings: { code: string; message: string }[];
}

/** @throws HandoffError `file_not_found`, `invalid_structure`, `invalid_format`, `path_outside_root`. */
export function readPlanStatus(place: PlanPlace, plan_directory: string): PlanAnswer {
  return describePlan(requirePlanDocument(findPlanFolder(place, plan_directory), 'plan.md'));
}

/** @throws HandoffError `file_not_found`, `invalid_structure`, `invalid_format`, `path_outside_root`. */
export function readPlanOutline(
  place: PlanPlace,
  plan_directory: string,
): PlanOutline & { name: string; plan_directory: string } {
  const folder = findPlanFolder(place, plan_directory);
  return { name: folder.name, plan_directory: folder.shown, ...outlinePlan(requirePlanDocument(folder, 'plan.md')) };
}

/** @throws HandoffError `file_not_found`, `parse_error`, `invalid_structure`, `invalid_format`, `path_outside_root`. */
export function readPlanConfig(place: PlanPlace, plan_directory: string): PlanConfiguration {
  return readConfig(requirePlanDocument(findPlanFolder(place, plan_directory), 'config.md'));
}

/** @throws HandoffError `file_not_found`, `invalid_format`, `path_outside_root`. */
export function readPlanReferences(place: PlanPlace, plan_directory: string): ReferencesAnswer {
  const document = readReferences(requirePlanDocument(findPlanFolder(place, plan_directory), 'references.md'));
  const { issue, branch } = document;
  const configuration_files = inGroup(document, 'configuration');
  const test_files = inGroup(document, 'test');
  return {
    issue,
    branch,
    adrs: ofType(document, 'adr'),
    interfaces: ofType(document, 'interface'),
    implementation_files: inGroup(document, 'implementation'),
    ...(configuration_files.length > 0 && { configuration_files }),
    ...(test_files.length > 0 && { test_files }),
    external_docs: ofType(document, 'external'),
    dependencies: ofType(document, 'dependency'),
  };
}

/** Counts the references of a document. */
export function summarizeReferences(text: string): ReferencesSummary {
  const document = readReferences(text);
  return {
    adrs_count: ofType(document, 'adr').length,
    interfaces_count: ofType(document, 'interface').length,
    files_count: ofType(document, 'file').length,
    external_docs_count: ofType(document, 'external').length,
  };
}

/** Checks `plan.md`. @throws HandoffError `file_not_found` for the folder, `invalid_format`, `path_outside_root`. */
export function validatePlan(place: PlanPlace, plan_directory: string): ValidationAnswer {
  const folder = findPlanFolder(place, plan_directory);
  const text = readPlanDocument(folder, 'plan.md');
  const missing = error('PLAN_NOT_FOUND', `${folder.shown}plan.md does not exist`);
  return toAnswer(text === null ? [missing] : [...findConflicts(text), ...findPlanFaults(readPlan(text))]);
}

/** Checks `config.md`. @throws as {@link validatePlan}. */
export function validateConfig(place: PlanPlace, plan_directory: string): ValidationAnswer {
  const folder = findPlanFolder(place, plan_directory);
  const text = readPlanDocument(folder, 'config.md');
  const missing = error('CONFIG_NOT_FOUND', `${folder.shown}config.md does not exist`);
  return toAnswer(text === null ? [missing] : [...findConflicts(text), ...findConfigFaults(text)]);
}

/** Checks `references.md`, which may be absent. @throws as {@link validatePlan}. */
export function validateReferences(place: PlanPlace, plan_directory: string): ValidationAnswer {
  const folder = findPlanFolder(place, plan_directory);
  const text = readPlanDocument(folder, 'references.md');
  return toAnswer(
    text === null
      ? [warning('REFERENCES_NOT_FOUND', `${folder.shown}references.md does not exist`)]
      : findConflicts(text),
  );
}

function toAnswer(findings: readonly Finding[]): ValidationAnswer {
  const of = (wanted: Finding['severity']) =>
    findings
      .filter(({ severity }) => severity === wanted)
      .slice(0, limits.entries_max)
      .map(({ code, message }) => ({ code, message }));
  const validation_errors = of('error');
  return {
    outcome: validation_errors.length === 0 ? 'valid' : 'invalid',
    validation_errors,
    validation_warnings: of('warning'),
  };
}

function ofType({ references }: ReferencesDocument, type: ReferenceType): string[] {
  return references.filter(({ group }) => referenceGroups[group].type === type).map(({ identifier }) => identifier);
}

function inGroup({ references }: ReferencesDocument, group: string): string[] {
  return references.filter((each) => each.group === group).map(({ identifier }) => identifier);
}
