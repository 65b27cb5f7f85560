import { isHandoffError } from '../../core/errors.ts';

/**
 * Takes a step that another caller may take at the same moment: of two callers for one handoff, one gets it.
 *
 * @returns nothing for the other one; every other failure is thrown.
 */
export async function unlessTaken<Answer>(step: () => Promise<Answer>): Promise<Answer | undefined> {
  try {
    return await step();
  } catch (error) {
    if (isHandoffError(error) && ['already_claimed', 'conflict', 'not_found'].includes(error.code)) return undefined;
    throw error;
  }
}
