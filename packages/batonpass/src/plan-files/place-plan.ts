import { join } from 'node:path';
import { HandoffError } from '../core/errors.ts';
import type { HeldLock } from '../disk/held-lock.ts';
import { withLock } from '../disk/lock.ts';
import { writeWhole } from '../disk/write-whole.ts';
import { makeFormer, makePlans } from './create-directory.ts';
import { type LockedPlan, type PlanCall, withPlan } from './plan-lock.ts';
import {
  findPlanFolder,
  listPlanNames,
  type PlanPlace,
  plansFolder,
  readPlanDocument,
  showPlanFolder,
} from './plan-place.ts';
import { type PlanTexts, readOrigin } from './plan-texts.ts';
import { assertTaskName, numberTaskName } from './task-name.ts';

/** A plan to write to the disk for one handoff. */
export interface PlacedPlan extends PlanCall {
  handoff_id: string;
  /** The name of its folder; where a plan of another origin has it, the next free number is added. */
  name: string;
  texts: PlanTexts;
  /** Called while no other process can write; where it throws, nothing is written. */
  assertRight: () => Promise<void>;
}

/** The place of a written plan. */
export interface PlanPlacement {
  plan_directory: string;
  /** Where the documents of an earlier attempt are, if they differed. */
  former_directory?: string;
}

/** Numbers that are tried for a free name. */
const NUMBERS_MAX = 10_000;

/**
 * Puts the one plan of a handoff on the disk. Its folder appears with all documents at once; one that an earlier attempt
 * made for the same handoff gets the new documents, under any name. After a crash the old plan is there, or
 * the new one, or, of one that was there, some documents of each: then the same call completes it.
 *
 * A process that was stopped while it wrote, and was taken over, writes nothing more.
 *
 * @throws what `assertRight` throws; HandoffError `validation_failed` for a name that is none, `lease_lost`,
 * `path_outside_root`, `unavailable`.
 */
export async function placePlan(place: PlanPlace, given: PlacedPlan): Promise<PlanPlacement> {
  const name = assertTaskName(given.name);
  const plans = plansFolder(place);
  makePlans(plans);
  const { made, present } = await withLock(
    plans,
    async (lock) => {
      await given.assertRight();
      const present = findPlanOfHandoff(place, given.handoff_id);
      return present === undefined ? { made: createPlan(lock, name, given.texts) } : { present };
    },
    { signal: given.signal },
  );
  return present === undefined ? { plan_directory: showPlanFolder(place, made) } : replacePlan(place, present, given);
}

/**
 * The name of the plan that was made from a handoff; undefined where there is none.
 *
 * @throws HandoffError `path_outside_root`, `unavailable`.
 */
function findPlanOfHandoff(place: PlanPlace, handoff_id: string): string | undefined {
  return listPlanNames(place).find((name) => readOriginOf(place, name) === handoff_id);
}

/** What cannot be read was not made here. */
function readOriginOf(place: PlanPlace, name: string): string | undefined {
  try {
    const references = readPlanDocument(findPlanFolder(place, name), 'references.md');
    return references === null ? undefined : readOrigin(references);
  } catch (error) {
    if (error instanceof HandoffError) return undefined;
    throw error;
  }
}

function createPlan(lock: HeldLock, name: string, texts: PlanTexts): string {
  for (let number = 1; number <= NUMBERS_MAX; number += 1) {
    const candidate = number === 1 ? name : numberTaskName(name, number);
    if (lock.createFolder(candidate, texts)) return candidate;
  }
  throw new HandoffError('unavailable', `No free name for ${name}`, {
    details: { details: `${NUMBERS_MAX} plans of that name exist` },
    alternatives: ['Choose another name'],
  });
}

/** The plan comes last: where it is the new one, the others are. */
async function replacePlan(
  place: PlanPlace,
  name: string,
  { texts, assertRight, signal }: PlacedPlan,
): Promise<PlanPlacement> {
  return withPlan(place, { plan_directory: name, signal }, async (plan) => {
    await assertRight();
    const former = keepFormer(place, plan, texts);
    for (const document of ['config.md', 'references.md', 'plan.md'] as const) plan.write(document, texts[document]);
    const plan_directory = plan.shown;
    return former === undefined ? { plan_directory } : { plan_directory, former_directory: former };
  });
}

/** Somebody may have worked by it already: a plan that differs is copied aside before it is replaced. */
function keepFormer(place: PlanPlace, plan: LockedPlan, texts: PlanTexts): string | undefined {
  const present = readPlanDocument(plan, 'plan.md');
  if (present === null || present === texts['plan.md']) return undefined;
  const plans = plansFolder(place);
  const former = makeFormer(plans, plan.name);
  for (const document of ['config.md', 'references.md', 'plan.md'] as const) {
    const text = readPlanDocument(plan, document);
    if (text !== null) writeWhole(join(plans, former, document), Buffer.from(text));
  }
  return showPlanFolder(place, former);
}
