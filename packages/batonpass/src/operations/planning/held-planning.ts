import type { Actor } from '../../core/actor.ts';
import type { Json } from '../../core/canonical-json.ts';
import { HandoffError } from '../../core/errors.ts';
import type { Handoff } from '../../core/handoff.ts';
import { limits } from '../../core/limits.ts';
import type { Call, Store } from '../../core/store.ts';
import type { Timing } from '../../core/timing.ts';
import type { Step } from '../../core/transitions.ts';
import { planAgentName } from '../../draft/plan-agent-name.ts';
import { LeaseKeeper } from '../../stores/consuming/lease-keeper.ts';
import { isPassing } from '../../stores/consuming/passing.ts';
import type { OperationContext } from '../context.ts';
import { keptText } from './kept-values.ts';
import type { ReportData } from './report-data.ts';

/** The actor with which a run of this program claims, reports and passes on. */
export const planAgent: Actor = { name: planAgentName, type: 'agent' };

/**
 * A handoff that is claimed for planning: its lease is renewed, and reports are added to its history in their order. A run
 * that loses the lease, or cannot report, is stopped by `signal`, and writes nothing any more.
 */
export class HeldPlanning {
  readonly handoff: Handoff;
  readonly #store: Store;
  readonly #call: Omit<Call, 'operation'>;
  readonly #token: string;
  readonly #leases: LeaseKeeper<Handoff>;
  readonly #stopping = new AbortController();
  #reported: Promise<void> = Promise.resolve();
  #failure: { reason: unknown } | undefined;

  private constructor(handoff: Handoff, store: Store, { project, lease_ms, timing }: Holding) {
    this.handoff = handoff;
    this.#store = store;
    this.#call = { actor: planAgent, project };
    this.#token = handoff.delivery.lease?.token ?? '';
    this.#leases = new LeaseKeeper<Handoff>({
      lease_ms,
      timing,
      renew: () => this.#take({ type: 'renew', token: this.#token, lease_ms }),
      onLost: (_held, reason) => this.stop(reason),
      // A renewal that fails now is tried again until the lease ends; then the lease is lost.
      onError: () => {},
    });
  }

  /**
   * Claims a handoff as the planning agent.
   *
   * @throws HandoffError `already_claimed`, `conflict` where it is not open for it.
   */
  static async claim(id: string, context: OperationContext, { timing, call }: Claiming): Promise<HeldPlanning> {
    const store = await context.openStore();
    const { project, configuration } = context;
    const { lease_ms } = configuration;
    const asked_ms = timing.now();
    const request = { project, id, lease_ms, max: 1 };
    const { handoffs } = await store.claim(request, call);
    const [handoff] = handoffs;
    if (handoff === undefined) throw new Error('The store answered a claim by id with nothing.');
    const held = new HeldPlanning(handoff, store, { project, lease_ms, timing });
    held.#leases.keep(handoff, asked_ms);
    return held;
  }

  /** Aborted when the work must stop: the lease is lost, or the store does not take reports. */
  get signal(): AbortSignal {
    return this.#stopping.signal;
  }

  /** Why it must stop. */
  get failure(): { reason: unknown } | undefined {
    return this.#failure;
  }

  stop(reason: unknown): void {
    this.#failure ??= { reason };
    this.#stopping.abort(reason);
  }

  /** Adds words and data to the history, after the earlier reports. Never rejects: a failed report stops the work. */
  report(text: string, data: ReportData): Promise<void> {
    this.#reported = this.#reported.then(async () => {
      if (this.#failure !== undefined) return;
      const step = { type: 'report' as const, token: this.#token, text: wordsOf(text), data: data as Json };
      await this.#take(step).catch((error: unknown) => this.stop(error));
    });
    return this.#reported;
  }

  /** Gives the handoff back to its place; the attempt does not count. */
  release(reason: string): Promise<Handoff> {
    return this.#settle({ type: 'release', token: this.#token, reason: wordsOf(reason) });
  }

  /** Reports that this attempt failed: the handoff is offered again after a wait, or is dead. */
  fail(reason: string): Promise<Handoff> {
    return this.#settle({ type: 'fail', token: this.#token, reason: wordsOf(reason) });
  }

  /** Ends its timer. A handoff that is still held lapses. */
  end(): void {
    this.#leases.end();
  }

  async #settle(step: Step): Promise<Handoff> {
    await this.#reported;
    this.#leases.end();
    return this.#take(step);
  }

  /** A call that the store cannot serve now is repeated once: a busy moment must not cost a run. */
  async #take(step: Step): Promise<Handoff> {
    const call = { ...this.#call, operation: `handoff.${step.type}` };
    const take = () => this.#store.transition(this.handoff.id, step, call);
    return take().catch((error: unknown) => {
      if (isPassing(error)) return take();
      throw error;
    });
  }
}

interface Claiming {
  timing: Timing;
  /** As the planning agent. */
  call: Call;
}

interface Holding {
  project: string;
  lease_ms: number;
  timing: Timing;
}

function wordsOf(text: string): string {
  return keptText(text, limits.entry_characters_max).trim() || 'No reason was given.';
}

/** The error of a run that found its handoff with another. */
export function isLeaseLost(error: unknown): boolean {
  return error instanceof HandoffError && error.code === 'lease_lost';
}
