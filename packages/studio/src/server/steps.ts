import type { State } from '../../../batonpass/src/core/state.ts';
import { transitions } from '../../../batonpass/src/core/transitions.ts';
import { announce, announceFailure, followStep, offerUndo } from '../shell/announcements.ts';
import { call, createKey } from './call.ts';
import { describeProblem } from './server-problem.ts';

/** What a user may do with a handoff in each state, by the life cycle's table. */
export interface Steps {
  review: boolean;
  answer: boolean;
  release: boolean;
  withdraw: boolean;
  break: boolean;
  reopen: boolean;
}

/** The steps from a state in the life cycle. Only a waiting handoff can be released without its lease's token. */
export function stepsFrom(state: State): Steps {
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

/** How the view of the handoff follows a step. */
export interface Shown {
  /** The state that it is in now, as far as is known: called at once, and again where the step was refused. */
  onState: (state: State) => void;
  /** Whether the step undoes another one, and so cannot be undone itself. Default: no. */
  isUndo?: boolean;
}

type Verb = 'withdraw' | 'reopen' | 'release';

const words = {
  withdraw: { done: 'Withdrew', to: 'withdrawn', back: 'reopen' },
  reopen: { done: 'Reopened', to: 'open', back: 'withdraw' },
  release: { done: 'Released', to: 'open', back: undefined },
} as const;

/**
 * Takes a step: shown at once, announced when it is done, reverted where the server refuses it. Where the life cycle
 * allows it, undo is offered: a withdrawn handoff is reopened, a reopened one withdrawn.
 *
 * @returns whether it was done.
 */
export function takeStep(verb: Verb, subject: Subject, shown: Shown): Promise<boolean> {
  return followStep(takeShownStep(verb, subject, shown));
}

async function takeShownStep(verb: Verb, subject: Subject, shown: Shown): Promise<boolean> {
  const { done, to, back } = words[verb];
  const isUndone = (verb === 'withdraw' && subject.state !== 'waiting') || subject.state === 'withdrawn';
  shown.onState(to);
  try {
    const { delivery } = await call(`handoff.${verb}`, { id: subject.id }, { idempotencyKey: createKey() });
    shown.onState(delivery.state);
    const text = `${done} “${subject.title}”.`;
    const undo = async (verb: Verb) => {
      await takeStep(verb, { ...subject, state: delivery.state }, { ...shown, isUndo: true });
    };
    if (back === undefined || !isUndone || shown.isUndo === true) announce(text);
    else offerUndo(text, () => undo(back));
    return true;
  } catch (error) {
    shown.onState(subject.state);
    announceFailure(describeProblem(error));
    return false;
  }
}

/** Ends another holder's lease: only the one that was shown. @returns whether it was done. */
export async function breakLease(
  subject: Subject,
  { to, fence }: { to: 'open' | 'withdrawn'; fence: number },
  shown: Shown,
): Promise<boolean> {
  try {
    const input = { id: subject.id, to, if_fence: fence };
    const { delivery } = await call('handoff.break', input, { idempotencyKey: createKey() });
    shown.onState(delivery.state);
    announce(`Ended the lease on “${subject.title}”: it is ${delivery.state}.`);
    return true;
  } catch (error) {
    announceFailure(describeProblem(error));
    return false;
  }
}

/** Answers the question of a waiting handoff. @returns whether it was done. */
export async function answerQuestion(subject: Subject, answer: string, shown: Shown): Promise<boolean> {
  try {
    const { delivery } = await call('handoff.answer', { id: subject.id, answer }, { idempotencyKey: createKey() });
    shown.onState(delivery.state);
    announce(`Answered “${subject.title}”. Its holder continues.`);
    return true;
  } catch (error) {
    announceFailure(describeProblem(error));
    return false;
  }
}
