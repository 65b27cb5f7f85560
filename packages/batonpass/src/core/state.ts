import { z } from 'zod';

/** The states of a handoff. `docs/lifecycle.md` draws them from the table in `lifecycle.ts`. */
export const states = [
  /** Written, not yet approved; only a draft's content may be edited. */
  'draft',
  /** Waiting in its queue; the one state that can be claimed. */
  'open',
  /** Held by one receiver under a lease. */
  'claimed',
  /** Held, but stopped at a question to a person; the lease does not run. */
  'waiting',
  /** Received; the end of a good delivery. */
  'acknowledged',
  /** Given up after `max_attempts`; a person can reopen it. */
  'dead',
  /** Cancelled, or replaced by a newer handoff. */
  'withdrawn',
  /** Nobody claimed it before `expires_at`. */
  'expired',
] as const;

/** A state by name. */
export const stateSchema = z.enum(states);

export type State = (typeof states)[number];

const finalStates: ReadonlySet<State> = new Set(['acknowledged', 'dead', 'withdrawn', 'expired']);

/** Whether nobody is to act on it any more, unless a person reopens it. */
export function isFinal(state: State): boolean {
  return finalStates.has(state);
}
