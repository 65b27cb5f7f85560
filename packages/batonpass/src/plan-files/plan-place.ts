import { readdirSync, statSync } from 'node:fs';
import { isAbsolute, join, relative, resolve, sep } from 'node:path';
import { HandoffError } from '../core/errors.ts';
import { limits } from '../core/limits.ts';
import { didYouMean } from '../core/near-names.ts';
import { explainDiskError } from '../disk/disk-error.ts';
import { assertSafeName } from '../disk/safe-name.ts';
import { readRegularFile, resolveInside } from '../disk/safe-path.ts';

/** Where the plans of a project are. */
export interface PlanPlace {
  /** The project's top folder. */
  root: string;
  /** The folder of all plans: below the top folder, or absolute. */
  plans: string;
}

/** The name of a document of a plan. */
export type PlanDocumentName = 'plan.md' | 'config.md' | 'references.md';

/** A plan's folder that exists. */
export interface PlanFolder {
  name: string;
  /** Absolute, links resolved. */
  path: string;
  /** As answers show it, with `/` at its end. */
  shown: string;
}

/**
 * The folder of all plans, which need not exist.
 *
 * @throws HandoffError `path_outside_root` where a relative one, or a link on its way, leads out of the project.
 */
export function plansFolder({ root, plans }: PlanPlace): string {
  return isAbsolute(plans) ? plans : resolveInside(root, plans);
}

/**
 * The plans of a project, sorted; none where no plan was ever made. What begins with a dot is no plan: replaced ones are in
 * such a folder.
 *
 * @throws HandoffError `path_outside_root`, `unavailable`.
 */
export function listPlanNames(place: PlanPlace): string[] {
  const plans = plansFolder(place);
  try {
    return readdirSync(plans, { withFileTypes: true })
      .filter((entry) => entry.isDirectory() && !entry.name.startsWith('.'))
      .map(({ name }) => name)
      .sort();
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return [];
    throw explainDiskError(error, plans, 'read');
  }
}

/** A plan's folder as answers show it. */
export function showPlanFolder({ plans }: PlanPlace, name: string): string {
  return `${plans.replaceAll(sep, '/').replace(/\/$/, '')}/${name}/`;
}

/**
 * Finds a plan by its folder (`.claude/plans/jwt-auth/`) or by its name alone.
 *
 * @throws HandoffError `file_not_found` where it does not exist; `path_outside_root` for a place that is none of a plan,
 * or a link out of the folder of all plans.
 */
export function findPlanFolder(place: PlanPlace, plan_directory: string): PlanFolder {
  const name = nameOfPlan(place, plan_directory);
  const shown = showPlanFolder(place, name);
  const plans = plansFolder(place);
  if (!isFolder(plans)) throw planMissing(shown, []);
  const path = resolveInside(plans, name);
  if (!isFolder(path)) throw planMissing(shown, didYouMean(name, listPlanNames(place)));
  return { name, path, shown };
}

/** The last part of a path that must name a folder right below that of all plans. */
function nameOfPlan(place: PlanPlace, plan_directory: string): string {
  const given = plan_directory.replace(/(?<=.)\/{1,100}$/, '');
  const plans = resolve(place.root, place.plans);
  const isName = !/[/\\]/.test(plan_directory) && !/^\.{1,2}$/.test(given);
  const name = isName ? given : relative(plans, resolve(place.root, given));
  if (name === '' || name.includes(sep) || name === '..' || isAbsolute(name)) throw elsewhere(place, plan_directory);
  return assertSafeName(name, 'plan directory');
}

/**
 * The text of a document of a plan; null where it does not exist.
 *
 * @throws HandoffError `invalid_format` for bytes that are not UTF-8, which could not be kept; `too_large`;
 * `path_outside_root` for a link out of the folder; `unavailable`.
 */
export function readPlanDocument({ path, shown }: PlanFolder, name: PlanDocumentName): string | null {
  const bytes = attemptRead(path, name);
  if (bytes === null) return null;
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch (cause) {
    throw new HandoffError('invalid_format', 'Document is not UTF-8 text', {
      details: { details: `${shown}${name} holds bytes that are not UTF-8` },
      alternatives: [`Save ${name} as UTF-8`],
      cause,
    });
  }
}

/** @throws HandoffError `file_not_found` for a document that must be there, and as {@link readPlanDocument}. */
export function requirePlanDocument(folder: PlanFolder, name: PlanDocumentName): string {
  const text = readPlanDocument(folder, name);
  if (text !== null) return text;
  const { what, operation } = described[name];
  throw new HandoffError('file_not_found', `${what} not found`, {
    details: { details: `${folder.shown}${name} does not exist` },
    alternatives: [`Write it with ${operation}`, 'Check directory path and try again'],
  });
}

const described = {
  'plan.md': { what: 'Plan file', operation: 'write-plan' },
  'config.md': { what: 'Config file', operation: 'write-config' },
  'references.md': { what: 'References file', operation: 'write-references' },
} as const satisfies Record<PlanDocumentName, { what: string; operation: string }>;

function attemptRead(path: string, name: PlanDocumentName): Buffer | null {
  try {
    return readRegularFile(name, { root: path, bytes_max: limits.plan_document_bytes_max });
  } catch (error) {
    if (error instanceof HandoffError && error.code === 'file_not_found') return null;
    throw error;
  }
}

function isFolder(path: string): boolean {
  try {
    return statSync(path, { throwIfNoEntry: false })?.isDirectory() === true;
  } catch (error) {
    throw explainDiskError(error, path, 'read');
  }
}

/** The words of the protocol come first. */
function planMissing(shown: string, near: readonly string[]): HandoffError {
  return new HandoffError('file_not_found', 'Plan directory not found', {
    details: { details: `${shown} does not exist` },
    alternatives: ['Create new plan with plan-init skill', 'Check directory path and try again', ...near],
  });
}

function elsewhere(place: PlanPlace, plan_directory: string): HandoffError {
  const shown = plan_directory.slice(0, 200);
  return new HandoffError('path_outside_root', 'Plan directory is outside of the folder of plans', {
    details: { details: `${JSON.stringify(shown)} is not right below ${join(place.plans, '/')}` },
    alternatives: [`Name the directory as ${showPlanFolder(place, 'my-plan')}`, 'Name the plan alone, as my-plan'],
  });
}
