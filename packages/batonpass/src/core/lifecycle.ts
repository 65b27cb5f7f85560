import type { Actor } from './actor.ts';
import type { Content } from './content.ts';
import type { EventDetails, HandoffEvent, Offer } from './delivery.ts';
import { describeEdit } from './edit-changes.ts';
import type { Handoff } from './handoff.ts';
import { toInstant } from './instant.ts';
import { assertApplicable, hasTakenEffect } from './lifecycle-guards.ts';
import { limits } from './limits.ts';
import { type Step, type StoreStep, transitions } from './transitions.ts';

/** Who takes a step, when, and the source of chance for a back-off's jitter (0 to below 1). */
export interface StepContext {
  actor: Actor;
  now_ms: number;
  random: () => number;
}

/** A step taken: the handoff after it, and its line of history. */
export interface Advance {
  handoff: Handoff;
  event: Omit<HandoffEvent, 'seq'>;
}

type Patch = Partial<Handoff['delivery']>;

/** The actor of lapses and expiries in the history: they come due by themselves. */
export const clockActor: Actor = { name: 'baton', type: 'agent' };

interface StateChange {
  delivery: Patch;
  content?: { content: Content; content_sha256: string };
  reason?: string;
  details?: EventDetails;
}

/**
 * Takes one step of the life cycle: pure, and the only place of its rules. Every store repeats the guard in its
 * statement, so that two processes that both passed here cannot both win.
 *
 * @returns the handoff after the step, or null where the step had already taken effect (the same agent acknowledges again).
 * @throws HandoffError `lease_lost` for a stale token in any state, `already_claimed` where another holds it,
 * `conflict` for every other state that the table does not allow, and for a proved name that is not the holder's.
 */
export function advance(handoff: Handoff, step: Step | StoreStep, given: StepContext): Advance | null {
  if (hasTakenEffect(handoff, step, given.actor)) return null;
  assertApplicable(handoff, step, given.actor);
  const context = { ...given, actor: { ...given.actor, ...holderBehind(handoff, step) } };
  const { delivery, content, reason, details: facts } = outcomeOf(handoff, step, context);
  const details = withDoer(facts, step, { holder: context.actor, actor: given.actor });
  const from = handoff.delivery.state;
  const merged = { ...handoff.delivery, ...delivery, version: handoff.delivery.version + 1 };
  const consumed = merged.state === 'open' ? (0 as const) : (1 as const);
  // An offer waits for its proof only while the handoff can still be received.
  const isReceivable = merged.state === 'open' || merged.state === 'claimed';
  const offered = isReceivable ? merged.offered : undefined;
  return {
    handoff: { ...handoff, ...content, delivery: withoutAbsent({ ...merged, offered, consumed }) },
    event: {
      handoff_id: handoff.id,
      name: transitions[step.type].event,
      // A lapse or expiry happened when it was due, not when somebody noticed it.
      at: toInstant(dueAt(handoff, step, context.now_ms) ?? context.now_ms),
      actor: context.actor,
      from,
      to: merged.state,
      ...(reason === undefined ? {} : { reason }),
      ...(details === undefined ? {} : { details }),
    },
  };
}

/** Without members that are undefined: what is absent is absent in every store alike. */
function withoutAbsent<T extends object>(value: T): T {
  const present: Partial<T> = {};
  for (const name in value) if (value[name] !== undefined) present[name] = value[name];
  return present as T;
}

/** A caller with the lease's token acts as its holder, under any name; a proof is the session's. */
function holderBehind({ delivery }: Handoff, step: Step | StoreStep): Omit<Actor, 'token_id'> | undefined {
  const { lease, offered } = delivery;
  if (step.type === 'inject') return offered && { name: offered.by, type: 'hook' };
  if (lease === undefined || step.type === 'claim' || !('token' in step) || step.token === undefined) return undefined;
  return { name: lease.holder, type: lease.holder_type };
}

/** Of a step that another caller took with the holder's token, the facts name both. A proof is found, not taken. */
function withDoer(
  facts: EventDetails | undefined,
  step: Step | StoreStep,
  { holder, actor }: { holder: Actor; actor: Actor },
): EventDetails | undefined {
  return actor.name === holder.name || step.type === 'inject' ? facts : { ...facts, by: actor.name };
}

function outcomeOf(handoff: Handoff, step: Step | StoreStep, context: StepContext): StateChange {
  switch (step.type) {
    case 'edit':
    case 'approve':
    case 'withdraw':
    case 'supersede':
    case 'expire':
    case 'reopen':
    case 'break':
      return outcomeForWriter(handoff, step, context);
    case 'claim':
      return claimed(handoff, step, context);
    case 'lapse':
      return { delivery: { state: stateAfterFailedAttempt(handoff), lease: undefined } };
    default:
      return outcomeForHolder(handoff, step, context);
  }
}

type WriterStep = Extract<
  Step | StoreStep,
  { type: 'edit' | 'approve' | 'withdraw' | 'supersede' | 'expire' | 'reopen' | 'break' }
>;

function outcomeForWriter(handoff: Handoff, step: WriterStep, { actor, now_ms }: StepContext): StateChange {
  const { delivery } = handoff;
  switch (step.type) {
    case 'edit': {
      const { content, content_sha256 } = step;
      const content_revision = delivery.content_revision + 1;
      return {
        delivery: { content_revision, expires_at: expiryOf(content) },
        content: { content, content_sha256 },
        details: { content_sha256, content_revision, ...describeEdit(handoff.content, step) },
      };
    }
    case 'approve': {
      const { content_sha256, rendered_sha256, budget } = step;
      const approval = { by: actor.name, at: toInstant(now_ms), content_sha256, rendered_sha256, budget };
      return { delivery: { state: 'open', approval }, details: { content_sha256, rendered_sha256, budget } };
    }
    case 'withdraw':
      return { delivery: { state: 'withdrawn', lease: undefined }, reason: step.reason };
    case 'supersede':
      return { delivery: { state: 'withdrawn' }, details: { superseded_by: step.by_id } };
    case 'expire':
      return { delivery: { state: 'expired' } };
    case 'reopen':
      return { delivery: reopened(handoff, now_ms), reason: step.reason };
    case 'break':
      return broken(handoff, step);
  }
}

type HolderStep = Exclude<Step, WriterStep>;

function outcomeForHolder(handoff: Handoff, step: HolderStep, context: StepContext): StateChange {
  const { actor, now_ms } = context;
  const { delivery } = handoff;
  const { lease, attempts } = delivery;
  const now = toInstant(now_ms);
  const running = (lease_ms: number) => lease && { ...lease, expires_at: toInstant(now_ms + lease_ms) };
  switch (step.type) {
    case 'renew':
      return { delivery: { lease: running(step.lease_ms) } };
    case 'report': {
      const { text, data } = step;
      return {
        delivery: {},
        reason: text,
        details: { fence: delivery.fence, ...(data === undefined ? {} : { data }) },
      };
    }
    case 'acknowledge':
      return {
        delivery: { state: 'acknowledged', lease: undefined, acknowledged_by: actor.name, acknowledged_at: now },
      };
    case 'inject':
      return injected(handoff, step, now);
    case 'release':
      return {
        delivery: {
          state: 'open',
          lease: undefined,
          offered: undefined,
          attempts: attempts - countedBy(lease),
          available_at: handoff.created_at,
        },
        reason: step.reason,
      };
    case 'fail':
      return failed(handoff, step.reason, context);
    case 'ask': {
      const waiting_on = { question: step.question, asked_by: actor.name, asked_at: now };
      const held = lease && withoutAbsent({ ...lease, expires_at: undefined });
      return { delivery: { state: 'waiting', waiting_on, lease: held }, reason: step.question };
    }
    case 'answer': {
      const waiting_on = delivery.waiting_on && {
        ...delivery.waiting_on,
        answer: step.answer,
        answered_by: actor.name,
        answered_at: now,
      };
      return { delivery: { state: 'claimed', waiting_on, lease: running(step.lease_ms) }, reason: step.answer };
    }
  }
}

/** The receiver is the session that was offered it, no matter which caller found the proof. */
function injected({ delivery }: Handoff, step: Extract<Step, { type: 'inject' }>, now: string): StateChange {
  const { session, rendered_sha256, row, at = now } = step;
  const { host = '', by = '' } = delivery.offered ?? {};
  return {
    delivery: {
      state: 'acknowledged',
      lease: undefined,
      injected: { host, session, at, proof: rendered_sha256 },
      acknowledged_by: by,
      acknowledged_at: now,
    },
    details: { session, host, rendered_sha256, row },
  };
}

type ClaimStep = Extract<StoreStep, { type: 'claim' }>;

function claimed(handoff: Handoff, step: ClaimStep, { actor, now_ms }: StepContext): StateChange {
  const { delivery } = handoff;
  const fence = delivery.fence + 1;
  const attempts = delivery.attempts + countedBy({ holder_type: actor.type });
  const expires_at = toInstant(now_ms + step.lease_ms);
  const lease = { holder: actor.name, holder_type: actor.type, token: step.token, fence, expires_at };
  const offered = step.offer && { ...step.offer, by: actor.name, fence };
  const details = claimDetails({ fence, attempts }, step.offer);
  // The reason of the wait is over: it lapses into its old place, without a back-off that a moved clock prolonged.
  const available_at = handoff.created_at;
  return { delivery: { state: 'claimed', lease, fence, attempts, offered, available_at }, details };
}

/** A claim's entry in the history. */
function claimDetails(counts: { fence: number; attempts: number }, offer: Offer | undefined): EventDetails {
  const { fence, attempts } = counts;
  if (offer === undefined) return { fence, attempts };
  const { host, session, rendered_sha256 } = offer;
  return { session, host, fence, attempts, rendered_sha256 };
}

/** A hook's claim counts no attempt: a session that was never shown a handoff did not fail at it. */
function countedBy(lease: { holder_type: Actor['type'] } | undefined): 0 | 1 {
  return lease === undefined || lease.holder_type === 'hook' ? 0 : 1;
}

/** A handoff that used up its attempts is dead; before that it returns to its old place. */
function stateAfterFailedAttempt({ delivery }: Handoff): 'open' | 'dead' {
  return delivery.attempts >= delivery.max_attempts ? 'dead' : 'open';
}

function failed(handoff: Handoff, reason: string, { actor, now_ms, random }: StepContext): StateChange {
  const { attempts } = handoff.delivery;
  const wait_ms = Math.min(limits.backoff_ms_max, limits.backoff_ms_min * 2 ** Math.max(0, attempts - 1));
  // Half of the wait is fixed, half by chance: receivers that failed together do not return together.
  const jittered_ms = Math.round(wait_ms / 2 + (wait_ms / 2) * random());
  const state = stateAfterFailedAttempt(handoff);
  const available_at = state === 'open' ? toInstant(now_ms + jittered_ms) : handoff.delivery.available_at;
  const failure = { reason, by: actor.name, at: toInstant(now_ms) };
  return {
    delivery: { state, lease: undefined, offered: undefined, failure, available_at },
    reason,
    details: { attempts },
  };
}

/**
 * An expiry that has passed does not apply again; attempts start at zero. What began as a draft and was never approved is
 * a draft again: withdrawing it does not avoid its review.
 */
function reopened(handoff: Handoff, now_ms: number): Patch {
  const { expires_at, begun_as_draft, approval } = handoff.delivery;
  const passed = expires_at !== undefined && Date.parse(expires_at) <= now_ms;
  return {
    state: begun_as_draft === true && approval === undefined ? 'draft' : 'open',
    attempts: 0,
    available_at: handoff.created_at,
    expires_at: passed ? undefined : expires_at,
    failure: undefined,
  };
}

/** The fence rises, so that a later write of the former holder elsewhere is refused there too. */
function broken({ created_at, delivery }: Handoff, { to, reason }: Extract<Step, { type: 'break' }>): StateChange {
  const { lease, attempts } = delivery;
  const fence = delivery.fence + 1;
  const patch = { state: to, lease: undefined, offered: undefined, fence };
  const returned = { attempts: attempts - countedBy(lease), available_at: created_at };
  return {
    delivery: to === 'open' ? { ...patch, ...returned } : patch,
    reason,
    details: { ...(lease && { holder: lease.holder }), fence },
  };
}

/** A content's expiry in the one form of a delivery: milliseconds, UTC. */
export function expiryOf({ expires_at }: Content): string | undefined {
  return expires_at === undefined ? undefined : toInstant(Date.parse(expires_at));
}

function dueAt(handoff: Handoff, step: Step | StoreStep, now_ms: number): number | undefined {
  const { lease, expires_at } = handoff.delivery;
  // One that ends further ahead than any lease was given under a clock that has been set back since: it ends now.
  if (step.type === 'lapse' && lease?.expires_at !== undefined) return Math.min(Date.parse(lease.expires_at), now_ms);
  // What was past its time when it was made expires then, not before it was there.
  if (step.type === 'expire' && expires_at !== undefined)
    return Math.max(Date.parse(expires_at), Date.parse(handoff.created_at));
  return undefined;
}
