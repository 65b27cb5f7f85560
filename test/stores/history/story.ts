import { completeContent } from '../../../packages/batonpass/src/core/complete-content.ts';
import type { HandoffEvent } from '../../../packages/batonpass/src/core/delivery.ts';
import type { Handoff } from '../../../packages/batonpass/src/core/handoff.ts';
import { begin } from '../../../packages/batonpass/src/core/lifecycle-begin.ts';
import type { State } from '../../../packages/batonpass/src/core/state.ts';
import type { Evidence } from './check-history.ts';
import type { Operation } from './history.ts';
import { PROJECT } from './recorder.ts';
import { stepEvents } from './replay.ts';

/** How a hand-written history differs from what a sound store gives. */
interface Twist {
  came?: Operation['came'];
  /** Whether the store's history has it. Default: it has. */
  happens?: boolean;
  key?: string;
  /** Its position in the store's order. Default: last. */
  seq?: number;
}

const LEASE_MS = 1_000;

/**
 * A history written by hand, one operation after the other, and the store's own next to it. Everything is sound that no
 * twist makes otherwise.
 */
export class Story implements Evidence {
  readonly operations: Operation[] = [];
  readonly events: HandoffEvent[] = [];
  handoffs: Handoff[] = [];
  /** The store's clock; it advances on its own only where `wait` is set. */
  clock_ms = Date.parse('2026-03-01T12:00:00Z');

  /** Moves the store's clock. */
  wait(ms: number): this {
    this.clock_ms += ms;
    return this;
  }

  /** A create whose handoff has its id for a title. */
  create(id: string, { task_id, key = id, ...twist }: Twist & { task_id?: string } = {}): this {
    this.#ask({ actor: 'writer', verb: 'create', key, id }, twist);
    if (twist.happens === false) return this;
    const content = completeContent({ title: key, task_id }, { source_agent: 'writer' });
    const actor = { name: 'writer', type: 'agent' } as const;
    const { handoff } = begin({ ...content, project: PROJECT, state: 'open' }, { id, actor, now_ms: this.clock_ms });
    this.handoffs.push(handoff);
    return this.#happen(id, { name: 'handoff-created', to: 'open', actor: 'writer', ...twist });
  }

  claim(actor: string, id: string, fence: number, twist: Twist = {}): this {
    const leases = [{ id, fence, expires_ms: this.clock_ms + LEASE_MS }];
    this.#ask({ actor, verb: 'claim', leases, key: twist.key }, twist);
    if (twist.happens === false) return this;
    return this.#happen(id, { name: 'handoff-claimed', to: 'claimed', actor, details: { fence }, ...twist });
  }

  renew(actor: string, id: string, fence: number, twist: Twist = {}): this {
    this.#ask({ actor, verb: 'renew', id, fence, expires_ms: this.clock_ms + LEASE_MS }, twist);
    if (twist.happens === false) return this;
    return this.#happen(id, { name: stepEvents.renew, to: 'claimed', actor, ...twist });
  }

  /** The step that ends a lease well or badly. */
  end(verb: 'acknowledge' | 'release' | 'fail', [actor, id, fence]: [string, string, number], twist: Twist = {}): this {
    this.#ask({ actor, verb, id, fence, key: twist.key }, twist);
    if (twist.happens === false) return this;
    const to = verb === 'acknowledge' ? 'acknowledged' : 'open';
    return this.#happen(id, { name: stepEvents[verb], to, actor, ...twist });
  }

  /** A lapse, at the instant when the lease ended. */
  lapse(id: string, at_ms: number = this.clock_ms): this {
    return this.#happen(id, { name: 'handoff-lapsed', to: 'open', actor: 'baton', at_ms });
  }

  #ask(request: Omit<Operation, 'call' | 'came' | `${'begun' | 'ended'}_${string}`>, { came = 'ok' }: Twist): void {
    const call = `call-${this.operations.length}`;
    const begun_us = this.operations.length * 100;
    const times = { begun_us, ended_us: begun_us + 50, begun_clock_ms: this.clock_ms, ended_clock_ms: this.clock_ms };
    const { leases, expires_ms, ...known } = request;
    const answer = came === 'ok' ? { leases, expires_ms } : {};
    this.operations.push({ ...known, ...answer, call, came, ...times });
  }

  #happen(
    id: string,
    given: { name: string; to: State; actor: string; details?: { fence: number }; at_ms?: number; seq?: number },
  ): this {
    const { name, to, actor, details, at_ms = this.clock_ms, seq = this.events.length + 1 } = given;
    const from = this.events.findLast((event) => event.handoff_id === id)?.to;
    const at = new Date(at_ms).toISOString();
    this.events.push({ seq, handoff_id: id, name, at, actor: { name: actor, type: 'agent' }, from, to, details });
    this.handoffs = this.handoffs.map((each) =>
      each.id === id ? { ...each, delivery: { ...each.delivery, state: to } } : each,
    );
    return this;
  }
}
