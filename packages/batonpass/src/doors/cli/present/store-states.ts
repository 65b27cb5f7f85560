import { type State, states } from '../../../core/state.ts';

/** The number of handoffs in each state, as `: 9 open, 1 acknowledged`; empty where there are none. */
export function presentStates(counts: Partial<Record<State, number>>): string {
  const parts = states.flatMap((state) => (counts[state] === undefined ? [] : [`${counts[state]} ${state}`]));
  return parts.length === 0 ? '' : `: ${parts.join(', ')}`;
}
