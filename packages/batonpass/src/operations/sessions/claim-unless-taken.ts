import { isHandoffError } from '../../core/errors.ts';

/**
 * Takes a step that another may take at the same moment: of two who reach for one handoff, one gets it.
 *
 * @returns nothing for the other one.
 */
export async function claimUnlessTaken<Answer extends { handoffs: readonly unknown[] }>(
  claim: () => Promise<Answer>,
): Promise<Answer['handoffs'] | []> {
  try {
    return (await claim()).handoffs;
  } catch (error) {
    if (isHandoffError(error) && ['already_claimed', 'conflict', 'not_found'].includes(error.code)) return [];
    throw error;
  }
}
