import { withLock } from '../disk/lock.ts';
import { findPlanFolder, type PlanDocumentName, type PlanFolder, type PlanPlace } from './plan-place.ts';

/** A plan's folder while this process alone writes to it. */
export interface LockedPlan extends PlanFolder {
  /** Gives a document its whole new text; readers see the old or the new one, after a crash too. */
  write: (name: PlanDocumentName, text: string) => void;
  /** @throws HandoffError `lease_lost` where another process took over. */
  assertHeld: () => void;
}

/** Options of a request. */
export interface PlanCall {
  /** Ends the waiting for the lock. */
  signal?: AbortSignal;
}

/**
 * Runs a body that reads and writes the documents of a plan, one process at a time. What it throws before it writes
 * leaves all as it was.
 *
 * @throws HandoffError as {@link findPlanFolder}; `unavailable` where the plan is in use too long.
 */
export async function withPlan<T>(
  place: PlanPlace,
  { plan_directory, signal }: PlanCall & { plan_directory: string },
  body: (plan: LockedPlan) => T | Promise<T>,
): Promise<T> {
  const folder = findPlanFolder(place, plan_directory);
  return withLock(
    folder.path,
    (lock) => {
      const write = (name: PlanDocumentName, text: string) => lock.replaceFile(name, text);
      return body({ ...folder, write, assertHeld: () => lock.assertHeld() });
    },
    { signal },
  );
}
