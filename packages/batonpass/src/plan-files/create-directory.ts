import { existsSync, mkdirSync, readdirSync, renameSync } from 'node:fs';
import { join } from 'node:path';
import { HandoffError } from '../core/errors.ts';
import { explainDiskError } from '../disk/disk-error.ts';
import { syncFolder } from '../disk/sync-folder.ts';
import { type PlanStanding, standingOf } from './plan-answers.ts';
import { type PlanCall, withPlan } from './plan-lock.ts';
import { findPlanFolder, type PlanPlace, plansFolder, readPlanDocument, showPlanFolder } from './plan-place.ts';
import { assertTaskName, numberTaskName } from './task-name.ts';

/** What to do about a plan of the same name. */
export const collisionChoices = ['use-existing', 'create-new', 'replace'] as const;

/** One of the ways out of a collision. */
export type CollisionChoice = (typeof collisionChoices)[number];

/** What `create-directory` answers. */
export interface CreatedDirectory {
  /** Absent where the question is to be answered first. */
  outcome?: 'created' | 'resumed';
  artifacts: {
    plan_directory: string;
    /** The name that was asked for, where another was taken. */
    original_name?: string;
    /** Where the documents of a replaced plan are now. */
    former_directory?: string;
  };
  existing_plan?: true;
  plan_status?: Pick<PlanStanding, 'current_phase' | 'current_task'>;
  name_modified?: true;
  question?: string;
  options?: CollisionChoice[];
}

/** Numbers that are tried for a free name. */
const NUMBERS_MAX = 10_000;

/**
 * Makes the folder of a plan. Where one of that name exists, the answer is a question and nothing changes; `replace`
 * moves its documents into `.replaced/` next to the plans, and loses nothing.
 *
 * @throws HandoffError `validation_failed` for a name that is none, `path_outside_root`, `unavailable`.
 */
export async function createPlanDirectory(
  place: PlanPlace,
  { task_name, collision, signal }: PlanCall & { task_name: string; collision?: CollisionChoice },
): Promise<CreatedDirectory> {
  const name = assertTaskName(task_name);
  const plans = plansFolder(place);
  const artifacts = { plan_directory: showPlanFolder(place, name) };
  makePlans(plans);
  if (makeFolder(plans, name)) return { outcome: 'created', artifacts };
  if (collision === 'create-new') return createNumbered(place, plans, name);
  const existing = describeExisting(place, artifacts.plan_directory);
  if (collision === 'use-existing') return { outcome: 'resumed', artifacts, ...existing };
  if (collision === 'replace') {
    const former = await moveAside(place, { plans, name, signal });
    return { outcome: 'created', artifacts: { ...artifacts, ...(former && { former_directory: former }) } };
  }
  const question = `Plan directory ${artifacts.plan_directory} exists already. What shall be done?`;
  return { artifacts, ...existing, question, options: [...collisionChoices] };
}

function describeExisting(
  place: PlanPlace,
  plan_directory: string,
): Pick<CreatedDirectory, 'existing_plan' | 'plan_status'> {
  const text = readPlanDocument(findPlanFolder(place, plan_directory), 'plan.md');
  const standing = text === null ? undefined : attemptStanding(text);
  if (standing === undefined) return { existing_plan: true };
  const { current_phase, current_task } = standing;
  return { existing_plan: true, plan_status: { current_phase, current_task } };
}

/** A plan that cannot be read is there all the same. */
function attemptStanding(text: string): PlanStanding | undefined {
  try {
    return standingOf(text);
  } catch (error) {
    if (error instanceof HandoffError) return undefined;
    throw error;
  }
}

function createNumbered(place: PlanPlace, plans: string, original_name: string): CreatedDirectory {
  for (let number = 2; number <= NUMBERS_MAX; number += 1) {
    const name = numberTaskName(original_name, number);
    if (!makeFolder(plans, name)) continue;
    const artifacts = { plan_directory: showPlanFolder(place, name), original_name };
    return { outcome: 'created', artifacts, name_modified: true };
  }
  throw new HandoffError('unavailable', `No free name for ${original_name}`, {
    details: { details: `${NUMBERS_MAX} numbered plans of that name exist` },
    alternatives: ['Choose another task name'],
  });
}

/** Every entry but the lock is moved, the plan first: what a crash leaves has no plan, and is whole in the two places. */
async function moveAside(
  place: PlanPlace,
  { plans, name, signal }: PlanCall & { plans: string; name: string },
): Promise<string | undefined> {
  return withPlan(place, { plan_directory: name, signal }, ({ path, assertHeld }) => {
    const entries = readdirSync(path).filter((entry) => entry !== '.lock');
    if (entries.length === 0) return undefined;
    const former = makeFormer(plans, name);
    const isFirst = (entry: string) => (entry === 'plan.md' ? 0 : 1);
    for (const entry of entries.sort((a, b) => isFirst(a) - isFirst(b))) {
      assertHeld();
      renameSync(join(path, entry), join(plans, former, entry));
    }
    syncFolder(join(plans, former));
    syncFolder(path);
    return showPlanFolder(place, former);
  });
}

/** Makes the folder for the former documents of a plan, and names it below the folder of plans. */
export function makeFormer(plans: string, name: string): string {
  makePlans(join(plans, '.replaced'));
  for (let number = 1; number <= NUMBERS_MAX; number += 1) {
    const former = `.replaced/${name}-${number}`;
    if (makeFolder(plans, former)) return former;
  }
  throw new HandoffError('unavailable', `No room to move the former ${name} aside`, {
    details: { details: `.replaced holds ${NUMBERS_MAX} plans of that name` },
    alternatives: ['Remove some of them', 'Choose another task name'],
  });
}

/** Makes the folder of all plans where it is absent. */
export function makePlans(plans: string): void {
  try {
    if (!existsSync(plans)) mkdirSync(plans, { recursive: true });
  } catch (error) {
    throw explainDiskError(error, plans, 'written');
  }
}

/** Creates a folder durably; false where something has its name already. */
function makeFolder(plans: string, name: string): boolean {
  try {
    mkdirSync(join(plans, name));
    syncFolder(plans);
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false;
    throw explainDiskError(error, join(plans, name), 'written');
  }
}
