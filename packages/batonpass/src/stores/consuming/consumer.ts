import { limits } from '../../core/limits.ts';
import { maskSecrets } from '../../core/masking.ts';
import type { Call, ClaimAnswer, ClaimRequest, Store } from '../../core/store.ts';
import { machineTiming, pause, type Timing } from '../../core/timing.ts';
import { listenForOpen, type OpenSigns } from '../open-signs.ts';
import { type Consumed, type Held, Holdings, type LastStep } from './holdings.ts';
import type { ConsumeHandler, ConsumeOptions } from './options.ts';
import { isPassing, isRefusal } from './passing.ts';

/** How many handoffs a claim asked for, and how many there were. */
interface Claimed {
  asked: number;
  claimed: number;
}

/** How long the loop may go on before it lets in timers, signals and other work, in milliseconds. */
const TURN_MS_MAX = 10;

/** Into how many batches what waits for a handler is divided. */
const REFILLS = 2;

/** One run of `consume`. */
export class Consumer {
  readonly #store: Store;
  readonly #options: ConsumeOptions;
  readonly #handle: ConsumeHandler;
  readonly #timing: Timing;
  readonly #call: Omit<Call, 'operation'>;
  /** What every claim asks for. */
  readonly #wanted: Omit<ClaimRequest, 'max'>;
  readonly #concurrency: number;
  readonly #held_max: number;
  /** How much room a claim waits for: a batch goes round while another is worked at, not each handoff for itself. */
  readonly #refill: number;
  /** How many are claimed at once: where much is ahead, one part is on its way while the other is worked at. */
  readonly #batch_max: number;
  readonly #holdings: Holdings;
  /** Claimed, and waiting for a free handler; the oldest first. */
  readonly #ready: Held[] = [];
  #running = 0;
  /** What claims on their way have asked for. */
  #asked = 0;
  /** The next claim, begun while the last is on its way. */
  #next: Promise<Claimed> | undefined;
  readonly #stopping = new AbortController();
  #failure: { reason: unknown } | undefined;
  #signs: OpenSigns | undefined;
  /** Lets the claims go on that wait for room; the next one acknowledges what it is given, in its own transaction. */
  #giveRoom: (finished?: Held) => void = () => {};
  #isFull = false;
  #callOffGrace = () => {};
  #turn_ms = performance.now();

  constructor(store: Store, options: ConsumeOptions, handle: ConsumeHandler) {
    const { project, actor, task_id, kind, scope, include_unscoped } = options;
    const { concurrency = 1, prefetch = concurrency, lease_ms = limits.lease_ms_default } = options;
    this.#store = store;
    this.#options = options;
    this.#handle = handle;
    this.#timing = options.timing ?? machineTiming;
    this.#call = { actor, project };
    this.#wanted = { project, task_id, kind, scope, include_unscoped, lease_ms };
    this.#concurrency = concurrency;
    this.#held_max = concurrency + prefetch;
    this.#refill = Math.max(1, Math.floor(prefetch / REFILLS));
    const half = Math.max(concurrency, Math.ceil(this.#held_max / REFILLS));
    this.#batch_max = Math.min(limits.batch_max, this.#refill === 1 ? this.#held_max : half);
    this.#holdings = new Holdings({
      ...{ store, call: this.#call, lease_ms, timing: this.#timing },
      onRoom: () => {
        if (this.#hasRoom) this.#giveRoom();
      },
      onError: (error) => this.#report(error),
      onFatal: (error) => this.#fail(error),
    });
  }

  async run(): Promise<Consumed> {
    const { signal } = this.#options;
    const stop = () => this.#stop();
    signal?.addEventListener('abort', stop);
    if (signal?.aborted) stop();
    await this.#claimUntilStopped().catch((error: unknown) => this.#fail(error));
    // What a claim ahead still brings is released before the loop ends.
    await this.#next?.catch(() => {});
    this.#endListening();
    await this.#holdings.empty();
    this.#callOffGrace();
    signal?.removeEventListener('abort', stop);
    if (this.#failure !== undefined) throw this.#failure.reason;
    return this.#holdings.consumed;
  }

  get #isStopping(): boolean {
    return this.#stopping.signal.aborted;
  }

  get #hasRoom(): boolean {
    return this.#held_max - this.#holdings.size - this.#asked >= this.#refill;
  }

  #stop(): void {
    if (this.#isStopping) return;
    this.#stopping.abort();
    this.#giveRoom();
    this.#endListening();
    this.#releaseReady();
    const { grace_ms, signal } = this.#options;
    if (grace_ms === undefined) return;
    this.#callOffGrace = this.#timing.after(grace_ms, () => this.#holdings.interrupt(signal?.reason));
  }

  /** Stops the loop with an error that no retry heals. */
  #fail(reason: unknown): void {
    this.#failure ??= { reason };
    this.#stop();
  }

  #report(error: unknown): void {
    try {
      this.#options.onError?.(error);
    } catch (thrown) {
      this.#fail(thrown);
    }
  }

  async #claimUntilStopped(): Promise<void> {
    let pause_ms: number = limits.retry_ms_min;
    while (!this.#isStopping || this.#next !== undefined) {
      const finished = await this.#untilRoom();
      await this.#letOthersIn();
      const ahead = this.#next;
      const claiming = ahead ?? this.#claim(finished);
      this.#next = undefined;
      this.#claimAhead();
      // Two that were begun at once would come at once; one that was begun before has its own time.
      if (ahead !== undefined && this.#hasRoom) this.#giveRoom();
      try {
        const { asked, claimed } = await claiming;
        this.#claimNoneAhead();
        pause_ms = limits.retry_ms_min;
        // Where all came that was asked for, there may be more.
        if (claimed === asked) this.#endListening();
        else if (this.#next === undefined && !this.#isStopping) await this.#untilSign(claimed === 0);
      } catch (error) {
        this.#claimNoneAhead();
        if (!isPassing(error)) throw error;
        this.#report(error);
        await pause(this.#timing, pause_ms, this.#stopping.signal);
        pause_ms = Math.min(pause_ms * 2, limits.retry_ms_max);
      }
    }
  }

  /** While one batch is on its way, or is read, the next is asked for as soon as there is room. */
  #claimAhead(): void {
    if (this.#refill === 1) return;
    this.#giveRoom = () => {
      this.#giveRoom = () => {};
      if (this.#isStopping) return;
      this.#next = this.#claim(undefined);
      // It is looked at when its turn comes.
      this.#next.catch(() => {});
    };
  }

  /** Neither a pause nor the wait for a sign is the time for a claim. */
  #claimNoneAhead(): void {
    this.#giveRoom = () => {};
  }

  /** @returns what has just finished, where room for one is enough: it is acknowledged together with the next claim. */
  async #untilRoom(): Promise<Held | undefined> {
    if (this.#next !== undefined || this.#hasRoom || this.#isStopping) return undefined;
    this.#isFull = this.#refill === 1;
    return new Promise((resolve) => {
      this.#giveRoom = (finished) => {
        this.#giveRoom = () => {};
        this.#isFull = false;
        resolve(finished);
      };
    });
  }

  /** A store that answers at once would never let a timer ring. */
  async #letOthersIn(): Promise<void> {
    if (performance.now() - this.#turn_ms < TURN_MS_MAX) return;
    await new Promise((resolve) => setImmediate(resolve));
    this.#turn_ms = performance.now();
  }

  async #claim(finished: Held | undefined): Promise<Claimed> {
    if (this.#isStopping) {
      if (finished !== undefined) void this.#holdings.settle(finished, acknowledgementOf(finished));
      return { asked: 0, claimed: 0 };
    }
    const free = this.#held_max - this.#holdings.size - this.#asked + (finished === undefined ? 0 : 1);
    const asked = Math.min(free, this.#batch_max);
    const asked_ms = this.#timing.now();
    this.#asked += asked;
    const { handoffs } = await this.#ask(asked, finished).finally(() => {
      this.#asked -= asked;
    });
    for (const handoff of handoffs) {
      const held = this.#holdings.keep(handoff, asked_ms);
      if (held !== undefined) this.#ready.push(held);
    }
    // Stopped while it claimed.
    if (this.#isStopping) this.#releaseReady();
    this.#startReady();
    return { asked, claimed: handoffs.length };
  }

  async #ask(max: number, finished: Held | undefined): Promise<ClaimAnswer> {
    const acknowledges = finished && { id: finished.handoff.id, token: finished.token };
    const request: ClaimRequest = { ...this.#wanted, max, acknowledges, exclude_ids: this.#holdings.lostIds };
    try {
      const answer = await this.#store.claim(request, { ...this.#call, operation: 'handoff.claim' });
      if (finished !== undefined) this.#holdings.end(finished, 'acknowledged');
      return answer;
    } catch (error) {
      if (finished === undefined) throw error;
      if (!isRefusal(error)) {
        void this.#holdings.settle(finished, acknowledgementOf(finished));
        throw error;
      }
      this.#holdings.end(finished, 'lost');
      return this.#ask(max, undefined);
    }
  }

  /** The first time it only begins to listen: what opened before that is found by one more claim. */
  async #untilSign(wasVain: boolean): Promise<void> {
    if (this.#signs === undefined) {
      this.#signs = listenForOpen(this.#store, { project: this.#call.project }, this.#timing);
      return;
    }
    // Also without a sign: the end of a back-off makes none.
    await this.#signs.wait(limits.subscription_look_ms, wasVain);
  }

  #endListening(): void {
    this.#signs?.end();
    this.#signs = undefined;
  }

  #startReady(): void {
    while (this.#running < this.#concurrency) {
      const held = this.#ready.shift();
      if (held === undefined) return;
      if (this.#holdings.begin(held)) void this.#run(held);
    }
  }

  async #run(held: Held): Promise<void> {
    this.#running += 1;
    const step = await this.#handled(held);
    this.#running -= 1;
    this.#startReady();
    if (this.#holdings.endHandler(held)) return;
    if (step.type !== 'acknowledge' || !this.#isFull) return this.#holdings.settle(held, step);
    held.isSettling = true;
    this.#giveRoom(held);
  }

  async #handled(held: Held): Promise<LastStep> {
    const { stopping } = held;
    try {
      await this.#handle(held.handoff, {
        // Made when it is asked for: most handlers never do.
        get signal() {
          return stopping.signal;
        },
      });
      return acknowledgementOf(held);
    } catch (error) {
      // The handler stopped because it was asked to: that is no failed attempt.
      if (stopping.signal.aborted) return { type: 'release', token: held.token, reason: describeReason(error) };
      return { type: 'fail', token: held.token, reason: describeReason(error) };
    }
  }

  #releaseReady(): void {
    for (const held of this.#ready.splice(0)) void this.#holdings.release(held);
  }
}

function acknowledgementOf({ token }: Held): LastStep {
  return { type: 'acknowledge', token };
}

/** What a handler threw, as the history keeps it: bounded, and with its secrets masked. */
function describeReason(error: unknown): string {
  const { text } = maskSecrets(wordsOf(error) || 'It failed without a reason.');
  return text.slice(0, limits.entry_characters_max).toWellFormed();
}

function wordsOf(error: unknown): string {
  try {
    return error instanceof Error ? `${error.message || error.name}` : String(error);
  } catch {
    // A value that cannot become text gives no reason; the failure is reported all the same.
    return '';
  }
}
