import assert from 'node:assert/strict';
import type { Actor } from '../../core/actor.ts';
import { completeContent } from '../../core/complete-content.ts';
import type { ContentInput } from '../../core/content.ts';
import { type HandoffError, type HandoffErrorCode, isHandoffError } from '../../core/errors.ts';
import type { Handoff } from '../../core/handoff.ts';
import type { Call, ClaimRequest, NewHandoff, Store, StoreSurroundings } from '../../core/store.ts';
import type { Step } from '../../core/transitions.ts';

/** The instant at which every case begins. */
export const START_MS = Date.parse('2026-03-01T12:00:00Z');

/** A minute, in milliseconds. */
export const MINUTE_MS = 60_000;

/** The lease of every claim that does not say otherwise. */
export const LEASE_MS = 15 * MINUTE_MS;

/** Who creates, where a case does not say otherwise. */
export const writer: Actor = { name: 'writer', type: 'agent' };
/** Who claims first. */
export const receiver: Actor = { name: 'receiver', type: 'agent' };
/** Another agent, who wants the same. */
export const rival: Actor = { name: 'rival', type: 'agent' };
/** The person of a case. */
export const reviewer: Actor = { name: 'reviewer', type: 'person' };
/** A host's session, whose claims count no attempt. */
export const hook: Actor = { name: 'session', type: 'hook' };

/** The time and chance that a case holds in its hand. */
export interface Clock {
  surroundings: StoreSurroundings;
  /** Moves the time; back too. */
  move: (ms: number) => void;
}

/** A clock that stands still, random values that repeat, and tokens that count. */
export function createClock(start_ms = START_MS): Clock {
  let now_ms = start_ms;
  let chance = 0.5;
  let tokens = 0;
  return {
    surroundings: {
      now: () => now_ms,
      random: () => {
        chance = (chance * 9301 + 0.49297) % 1;
        return chance;
      },
      createToken: () => {
        tokens += 1;
        return `token-${tokens}`;
      },
    },
    move: (ms) => {
      now_ms += ms;
    },
  };
}

/** One case's store, empty at first, with short words for what cases do with it. */
export class Bench {
  readonly store: Store;
  readonly clock: Clock;

  constructor(store: Store, clock: Clock) {
    this.store = store;
    this.clock = clock;
  }

  get now(): string {
    return new Date(this.clock.surroundings.now()).toISOString();
  }

  /** Creates handoffs, open unless said otherwise, in one call. */
  async create(...given: (ContentInput & { state?: 'draft' | 'open'; max_attempts?: number })[]): Promise<Handoff[]> {
    return this.store.create(given.map(newHandoff), callBy(writer, 'handoff.create'));
  }

  async createOne(given: Parameters<Bench['create']>[0] = {}): Promise<Handoff> {
    return only(await this.create(given));
  }

  /** Claims for an actor; the request's other members have usual values. */
  async claim(actor: Actor, request: Partial<ClaimRequest> = {}): Promise<Handoff[]> {
    return (await this.store.claim(claimOf(request), callBy(actor, 'handoff.claim'))).handoffs;
  }

  async claimOne(actor: Actor, request: Partial<ClaimRequest> = {}): Promise<Handoff> {
    return only(await this.claim(actor, request));
  }

  async step(actor: Actor, { id }: Pick<Handoff, 'id'>, step: Step): Promise<Handoff> {
    return this.store.transition(id, step, callBy(actor, `handoff.${step.type}`));
  }

  async read({ id }: Pick<Handoff, 'id'>): Promise<Handoff> {
    const found = await this.store.get(id);
    assert.ok(found, `Handoff ${id} is gone.`);
    return found;
  }

  async stateOf(handoff: Pick<Handoff, 'id'>): Promise<string> {
    return (await this.read(handoff)).delivery.state;
  }

  /** The names of a handoff's events, oldest first. */
  async history({ id }: Pick<Handoff, 'id'>): Promise<string[]> {
    return (await this.store.events({ handoff_id: id, limit: 1_000 })).map((event) => event.name);
  }
}

/** The project of every case that names no other. */
export const PROJECT = 'https://example.org/team/project';

/** A payload that is kept apart from its handoff. */
export const LARGE_PAYLOAD = { text: 'ä'.repeat(40_000), deep: { list: [1, 2, 3] } };

/** A call in the usual project; keyed where a key is given. */
export function callBy(actor: Actor, operation: string, idempotency_key?: string): Call {
  return { actor, project: PROJECT, operation, ...(idempotency_key === undefined ? {} : { idempotency_key }) };
}

/** A claim of one handoff for the usual lease, with what a case changes of it. */
export function claimOf(request: Partial<ClaimRequest> = {}): ClaimRequest {
  return { project: PROJECT, lease_ms: LEASE_MS, max: 1, ...request };
}

/** A complete new handoff of the usual project, open unless said otherwise. */
export function newHandoff(given: ContentInput & { state?: 'draft' | 'open'; max_attempts?: number }): NewHandoff {
  const { state = 'open', max_attempts, ...content } = given;
  return {
    ...completeContent(content, { source_agent: writer.name }),
    project: PROJECT,
    state,
    ...(max_attempts === undefined ? {} : { max_attempts }),
  };
}

/** The step that gives a draft another content. */
export function editTo(given: ContentInput, if_version?: number): Step {
  const completed = completeContent(given, { source_agent: writer.name });
  return { type: 'edit', ...completed, ...(if_version === undefined ? {} : { if_version }) };
}

/** The token of a handoff just claimed. */
export function tokenOf({ delivery }: Handoff): string {
  assert.ok(delivery.lease?.token, 'A claim gives its token.');
  return delivery.lease.token;
}

/** The one member of a list; fails where there are more or fewer. */
export function only<T>(found: readonly T[]): T {
  assert.equal(found.length, 1);
  return found[0] as T;
}

/** The error that a call is refused with; fails where it is not refused, or otherwise. */
export async function refusal(call: Promise<unknown>, code: HandoffErrorCode): Promise<HandoffError> {
  const error = await call.then(
    () => undefined,
    (reason: unknown) => reason,
  );
  assert.ok(isHandoffError(error), `Expected a refusal with ${code}, got ${error}.`);
  assert.equal(error.code, code, error.message);
  assert.ok(error.alternatives.length > 0, `A refusal says what to do next: ${error.message}`);
  return error;
}
