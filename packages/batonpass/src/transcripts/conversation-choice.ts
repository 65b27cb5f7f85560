import { HandoffError } from '../core/errors.ts';
import { toTitle } from './session-title.ts';

/** Which of several conversations of one file is meant; by default the newest that has a prompt. */
export interface Choice {
  /** Its id, its title, or when it started. */
  conversation?: string;
}

/**
 * The conversation that was chosen.
 *
 * @throws HandoffError `invalid_input` where one was named and is not there.
 */
export function assertChosen<Kept>(
  kept: Kept | undefined,
  { conversation }: Choice,
  names: () => string[],
): Kept | undefined {
  if (kept !== undefined || conversation === undefined) return kept;
  const others = names();
  throw new HandoffError('invalid_input', `No conversation "${conversation}" is in this file.`, {
    details: { conversation },
    alternatives: [...others.map((name) => `There is: ${toTitle(name)}`), 'Leave the name out for the newest.'],
  });
}
