import type { Actor } from './actor.ts';
import { HandoffError } from './errors.ts';
import type { Handoff } from './handoff.ts';
import { limits } from './limits.ts';
import type { State } from './state.ts';
import { type Step, type StoreStep, transitions } from './transitions.ts';

/**
 * Refuses a step that the life cycle does not allow now. A stale token is always `lease_lost`, in any state,
 * so that a holder who was paused for an hour gets one clear answer.
 *
 * @throws HandoffError `lease_lost`, `already_claimed` or `conflict`, with the present state and who holds it.
 */
export function assertApplicable(handoff: Handoff, step: Step | StoreStep, actor: Actor): void {
  if ('token' in step && step.token !== undefined && step.type !== 'claim') {
    assertToken(handoff, step.token, step.type);
    assertOwnLease(handoff, step.type, actor);
  } else if (step.type === 'inject') assertOffered(handoff, step);
  else if (step.type === 'release' && step.session !== undefined) assertOfferedTo(handoff, step.session, actor);
  else assertNotHeldByAnother(handoff, step.type);
  const allowed: readonly State[] = transitions[step.type].from;
  if (!allowed.includes(handoff.delivery.state)) throw wrongState(handoff, step.type, allowed);
  assertRight(handoff, step, actor);
  if (step.type === 'edit') assertVersion(handoff, step.if_version);
  if (step.type === 'break') assertSeenLease(handoff, step.if_fence);
  if (step.type === 'approve') assertContent(handoff, step.content_sha256);
  if (step.type === 'report') assertRoomInHistory(handoff);
}

/** Whether a step had already taken effect: the same agent acknowledges again, the same proof is found again. */
export function hasTakenEffect({ delivery }: Handoff, step: Step | StoreStep, actor: Actor): boolean {
  const { state, acknowledged_by, injected } = delivery;
  if (step.type === 'inject') return injected?.session === step.session && injected.proof === step.rendered_sha256;
  return (
    step.type === 'acknowledge' &&
    step.token === undefined &&
    state === 'acknowledged' &&
    acknowledged_by === actor.name
  );
}

/**
 * @param step - what the token was shown for, where that would have changed something.
 * @throws HandoffError `lease_lost` where the token is not that of the present lease.
 */
export function assertToken(handoff: Handoff, token: string, step?: string): void {
  if (handoff.delivery.lease?.token === token) return;
  throw new HandoffError(
    'lease_lost',
    `The lease on handoff ${handoff.id} is not held with this token any more: ${describeState(handoff)}.${step === undefined ? '' : ` Nothing was changed by "${step}".`}`,
    {
      details: factsOf(handoff),
      alternatives: [
        `See what happened: baton log ${handoff.id}`,
        'Claim again if it is open, and treat work done under the old lease as possibly done twice.',
      ],
    },
  );
}

/**
 * A lease's token may be handed to a child process, which acts for the holder. A caller that a token of the store let in has
 * a proved name, and acts in no other.
 *
 * @throws HandoffError `conflict`.
 */
function assertOwnLease(handoff: Handoff, step: Step['type'] | StoreStep['type'], { name, token_id }: Actor): void {
  const { lease } = handoff.delivery;
  if (token_id === undefined || lease === undefined || lease.holder === name) return;
  throw new HandoffError(
    'conflict',
    `Handoff ${handoff.id} cannot be ${pastOf(step)} by ${name}: its lease is held by ${lease.holder}.`,
    {
      details: { ...factsOf(handoff), actor: name },
      alternatives: [
        `Call with the token of ${lease.holder}.`,
        `Or take it over: ${lease.holder} releases it, then claim it: baton claim ${handoff.id}`,
      ],
    },
  );
}

/** @throws HandoffError as `assertNotHeldByAnother`, unless a hook names the session that it was put into. */
function assertOfferedTo(handoff: Handoff, session: string, actor: Actor): void {
  if (actor.type !== 'hook' || !isOfferedTo(handoff, session)) assertNotHeldByAnother(handoff, 'release');
}

/** Whether a session was offered it last: an agent that claimed it since then is the receiver now. */
function isOfferedTo({ delivery }: Handoff, session: string): boolean {
  const { lease, offered } = delivery;
  return offered?.session === session && (lease === undefined || lease.fence === offered.fence);
}

/** A proof counts for the last offer alone, and for exactly its bytes. */
function assertOffered(handoff: Handoff, { session, rendered_sha256 }: Extract<Step, { type: 'inject' }>): void {
  const { offered } = handoff.delivery;
  if (isOfferedTo(handoff, session) && offered?.rendered_sha256 === rendered_sha256) return;
  throw new HandoffError(
    'conflict',
    `Handoff ${handoff.id} was not put into session ${session} last: ${describeState(handoff)}.`,
    {
      details: { ...factsOf(handoff), session, rendered_sha256 },
      alternatives: [`See what happened: baton log ${handoff.id}`],
    },
  );
}

/** The steps that the holder takes with a token, and others without one, by their commands. */
const tokenCommands: ReadonlyMap<string, string> = new Map([
  ['acknowledge', 'ack'],
  ['release', 'release'],
]);

/** Acknowledge and release exist without a token too, but never for another agent's lease. */
function assertNotHeldByAnother(handoff: Handoff, step: Step['type'] | StoreStep['type']): void {
  const { state } = handoff.delivery;
  const held = state === 'claimed' || (state === 'waiting' && step === 'acknowledge');
  if (!held || step === 'lapse' || step === 'break') return;
  const command = tokenCommands.get(step);
  throw new HandoffError(
    'already_claimed',
    `Handoff ${handoff.id} cannot be ${pastOf(step)}${command === undefined ? '' : ' without the token of its claim'}: ${describeState(handoff)}.`,
    {
      details: factsOf(handoff),
      alternatives: [
        command === undefined
          ? 'The holder can finish or release it with the token that the claim gave.'
          : `If you claimed it, add the token that the claim gave: baton ${command} ${handoff.id} --token TOKEN`,
        step === 'claim' || step === 'acknowledge'
          ? `Wait for it: baton claim ${handoff.id} --wait`
          : `See who holds it and its progress: baton show ${handoff.id}`,
      ],
    },
  );
}

function wrongState(handoff: Handoff, step: Step['type'] | StoreStep['type'], allowed: readonly State[]): HandoffError {
  return new HandoffError('conflict', `Handoff ${handoff.id} cannot be ${pastOf(step)}: ${describeState(handoff)}.`, {
    details: { ...factsOf(handoff), allowed },
    alternatives: adviceFor(handoff),
  });
}

/**
 * Who may take a step, by the table: an addressed handoff is its addressee's, a question is answered by a person, another's
 * handoff is withdrawn by its addressee or a person, and of an open one nothing can be released but the offer to a
 * session, by a hook.
 */
function assertRight(handoff: Handoff, step: Step | StoreStep, actor: Actor): void {
  const { state } = handoff.delivery;
  const { target_agent } = handoff.content;
  const isOpenRelease = step.type === 'release' && state === 'open';
  if (isOpenRelease && !(actor.type === 'hook' && isOfferedTo(handoff, step.session ?? ''))) {
    throw wrongState(handoff, 'release', ['claimed', 'waiting']);
  }
  const isOpenAcknowledge = step.type === 'acknowledge' && step.token === undefined;
  if (isOpenAcknowledge && target_agent !== undefined && target_agent !== actor.name) {
    throw new HandoffError('conflict', `Handoff ${handoff.id} is addressed to ${target_agent}, not to ${actor.name}.`, {
      details: { ...factsOf(handoff), target_agent },
      alternatives: [
        `Act under that name: --as ${target_agent}`,
        `Withdraw it, if it is yours: baton withdraw ${handoff.id}`,
      ],
    });
  }
  if (step.type === 'withdraw' && state !== 'waiting') assertMayWithdraw(handoff, actor);
  const needsPerson =
    step.type === 'answer' ||
    step.type === 'break' ||
    (state === 'waiting' && step.type === 'withdraw') ||
    (state === 'waiting' && step.type === 'release' && step.token === undefined);
  if (needsPerson && actor.type !== 'person') {
    throw new HandoffError(
      'conflict',
      `${step.type === 'break' ? `The lease on handoff ${handoff.id} is broken by a person alone` : `Handoff ${handoff.id} waits for a person`}; ${actor.name} is none (${actor.type}).`,
      {
        details: { ...factsOf(handoff), actor },
        alternatives: [
          step.type === 'break'
            ? `A person does so at a terminal: baton release ${handoff.id} --force`
            : `A person answers it: baton answer ${handoff.id} "…"`,
          'The holder can release it with its token.',
        ],
      },
    );
  }
}

/** @throws HandoffError `conflict` for an agent that neither wrote the handoff nor is its addressee. */
function assertMayWithdraw(handoff: Handoff, actor: Actor): void {
  const { source_agent, target_agent } = handoff.content;
  if (actor.type === 'person' || actor.name === source_agent || actor.name === target_agent) return;
  throw new HandoffError(
    'conflict',
    `Handoff ${handoff.id} is ${source_agent}'s: ${actor.name} is neither its author nor its addressee.`,
    {
      details: { ...factsOf(handoff), source_agent, target_agent, actor },
      alternatives: [
        `Ask ${source_agent} or a person to withdraw it: baton withdraw ${handoff.id}`,
        `Say why it should not be done, so that all see it: baton claim ${handoff.id}, then baton fail ${handoff.id} --reason "…"`,
      ],
    },
  );
}

function assertSeenLease(handoff: Handoff, if_fence: number | undefined): void {
  const { fence } = handoff.delivery;
  if (if_fence === undefined || if_fence === fence) return;
  throw new HandoffError(
    'conflict',
    `Handoff ${handoff.id} has a different lease from the one that was seen: ${describeState(handoff)}.`,
    { details: { ...factsOf(handoff), fence, if_fence }, alternatives: [`Look at it again: baton show ${handoff.id}`] },
  );
}

/** @throws HandoffError `conflict` where a draft is another version than the one that its editor saw. */
export function assertVersion(handoff: Handoff, if_version: number | undefined): void {
  const { version } = handoff.delivery;
  if (if_version === undefined || if_version === version) return;
  throw new HandoffError(
    'conflict',
    `Draft ${handoff.id} was changed meanwhile: version ${version}, not ${if_version}.`,
    {
      details: factsOf(handoff),
      alternatives: [`Read the current version and apply your edit to it: baton show ${handoff.id}`],
    },
  );
}

function assertContent(handoff: Handoff, content_sha256: string): void {
  if (content_sha256 === handoff.content_sha256) return;
  throw new HandoffError(
    'conflict',
    `Draft ${handoff.id} is not the content that was reviewed: it has hash ${handoff.content_sha256}, the approval names ${content_sha256}.`,
    {
      details: { ...factsOf(handoff), content_sha256: handoff.content_sha256 },
      alternatives: [`Review the current content, then approve it: baton show ${handoff.id}`],
    },
  );
}

/** A version is a line of history; a step that ends the work is always accepted. */
function assertRoomInHistory({ id, delivery }: Handoff): void {
  const { version } = delivery;
  if (version < limits.reported_version_max) return;
  throw new HandoffError(
    'too_large',
    `The history of handoff ${id} has ${version} lines; no reports are accepted beyond ${limits.reported_version_max}.`,
    {
      details: { id, version, version_max: limits.reported_version_max },
      alternatives: [
        'Continue without reports, or write them to a file: every other step still works.',
        'Finish the work, and create a new handoff for the rest: baton create --parent ID',
      ],
    },
  );
}

/** The state as the end of a sentence, with who and when. */
function describeState({ delivery }: Handoff): string {
  const { state, lease, acknowledged_by, acknowledged_at, waiting_on } = delivery;
  if (state === 'claimed') return `it is claimed by ${lease?.holder} until ${lease?.expires_at}`;
  if (state === 'waiting') return `it waits for an answer to ${waiting_on?.asked_by}`;
  if (state === 'acknowledged') return `it was acknowledged by ${acknowledged_by} at ${acknowledged_at}`;
  return `it is ${state}`;
}

function factsOf({ id, delivery }: Handoff): Record<string, unknown> {
  const { state, version, lease, acknowledged_by, acknowledged_at } = delivery;
  return {
    id,
    state,
    version,
    holder: lease?.holder,
    lease_expires_at: lease?.expires_at,
    acknowledged_by,
    acknowledged_at,
  };
}

function adviceFor({ id, delivery }: Handoff): string[] {
  switch (delivery.state) {
    case 'draft':
      return [`Review and open it: baton approve ${id}`];
    case 'open':
      return [`Claim it: baton claim ${id}`];
    case 'claimed':
    case 'waiting':
      return [`See who holds it and since when: baton log ${id}`];
    case 'acknowledged':
      return [`See its history: baton log ${id}`, 'Create a new handoff: baton create --parent ID'];
    default:
      return [`Open it again: baton reopen ${id}`];
  }
}

const pastForms: Record<Step['type'] | StoreStep['type'], string> = {
  edit: 'edited',
  approve: 'approved',
  renew: 'renewed',
  report: 'reported on',
  acknowledge: 'acknowledged',
  inject: 'injected',
  release: 'released',
  fail: 'failed',
  ask: 'stopped at a question',
  answer: 'answered',
  withdraw: 'withdrawn',
  reopen: 'reopened',
  break: 'taken from its holder',
  claim: 'claimed',
  lapse: 'lapsed',
  expire: 'expired',
  supersede: 'superseded',
};

function pastOf(step: keyof typeof pastForms): string {
  return pastForms[step];
}
