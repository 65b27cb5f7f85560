import type { Handoff } from '../../../batonpass/src/core/handoff.ts';
import type { State } from '../../../batonpass/src/core/state.ts';
import { transitions } from '../../../batonpass/src/core/transitions.ts';
import { announce, announceFailure, followStep, offerUndo } from '../shell/announcements.ts';
import { call, createKey } from './call.ts';
import { describeProblem } from './server-problem.ts';

/** What a user may do with a handoff in a state, by the life cycle's table. Only a waiting handoff can be released without its lease's token. */
export function stepsFrom(state: State) {
  const may = (step: 'approve' | 'answer' | 'withdraw' | 'break' | 'reopen') =>
    (transitions[step].from as readonly State[]).includes(state);
  return {
    review: may('approve'),
    answer: may('answer'),
    release: state === 'waiting',
    withdraw: may('withdraw'),
    break: may('break'),
    reopen: may('reopen'),
  };
}

/** The handoff that a step applies to. */
export interface Subject {
  id: string;
  title: string;
  state: State;
}

/** Shows the state that a handoff is in now, as far as is known: at once, and again where a step was refused. */
export type OnState = (state: State) => void;

type Verb = 'withdraw' | 'reopen' | 'release';

const words = {
  withdraw: { done: 'Withdrew', to: 'withdrawn', back: 'reopen' },
  reopen: { done: 'Reopened', to: 'open', back: 'withdraw' },
  release: { done: 'Released', to: 'open', back: undefined },
} as const;

/**
 * Takes a step: shown at once, announced when it is done, reverted where the server refuses it. Where the life cycle
 * allows it, undo is offered: a withdrawn handoff is reopened, a reopened one withdrawn.
 */
export function takeStep(verb: Verb, { id, content, delivery }: Handoff, onState: OnState): Promise<void> {
  const take = async (verb: Verb, state: State, isUndo: boolean) => {
    const { done, to, back } = words[verb];
    const isUndone = (verb === 'withdraw' && state !== 'waiting') || state === 'withdrawn';
    onState(to);
    try {
      const { delivery: now } = await call(`handoff.${verb}`, { id }, { idempotencyKey: createKey() });
      onState(now.state);
      const text = `${done} “${content.title}”.`;
      if (back === undefined || !isUndone || isUndo) announce(text);
      else offerUndo(text, () => followStep(take(back, now.state, true)));
    } catch (error) {
      onState(state);
      announceFailure(describeProblem(error));
    }
  };
  return followStep(take(verb, delivery.state, false));
}

/** Ends another holder's lease: only the one that was shown. */
export function breakLease(
  { id, content, delivery }: Handoff,
  to: 'open' | 'withdrawn',
  onState: OnState,
): Promise<void> {
  const input = { id, to, if_fence: delivery.fence };
  const asked = call('handoff.break', input, { idempotencyKey: createKey() });
  return settle(asked, onState, (state) => `Ended the lease on “${content.title}”: it is ${state}.`);
}

/** Answers the question of a waiting handoff. */
export function answerQuestion({ id, title }: Subject, answer: string, onState: OnState): Promise<void> {
  const asked = call('handoff.answer', { id, answer }, { idempotencyKey: createKey() });
  return settle(asked, onState, () => `Answered “${title}”. Its holder continues.`);
}

/** Shows and announces the result of a step. */
async function settle(asked: Promise<Handoff>, onState: OnState, describe: (state: State) => string): Promise<void> {
  try {
    const { state } = (await asked).delivery;
    onState(state);
    announce(describe(state));
  } catch (error) {
    announceFailure(describeProblem(error));
  }
}
