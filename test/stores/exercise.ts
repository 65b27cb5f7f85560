import { describe } from 'vitest';
import { type Exercise, exerciseStore } from '../../packages/batonpass/src/stores/contract/exercise.ts';
import { type RequirementId, requirements } from '../requirements.ts';
import { verifies } from '../verifies.ts';

/** Runs the store contract with vitest; its ids are checked here, for the suite knows no table of requirements. */
export function exercise(given: Omit<Exercise, 'runner'>): void {
  exerciseStore({
    ...given,
    runner: {
      describe,
      it: (ids, name, run) => verifies(ids.map(toRequirementId), name, run),
    },
  });
}

function toRequirementId(id: string): RequirementId {
  if (!Object.hasOwn(requirements, id)) throw new Error(`The contract cites an unknown requirement: ${id}.`);
  return id as RequirementId;
}
