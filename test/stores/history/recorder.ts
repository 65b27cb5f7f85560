import { completeContent } from '../../../packages/batonpass/src/core/complete-content.ts';
import { type HandoffErrorCode, isHandoffError } from '../../../packages/batonpass/src/core/errors.ts';
import { limits } from '../../../packages/batonpass/src/core/limits.ts';
import type { Call, Store } from '../../../packages/batonpass/src/core/store.ts';
import type { Step } from '../../../packages/batonpass/src/core/transitions.ts';
import { type Answer, type Line, type Request, readMachineClock, type Verb } from './history.ts';

/** The project of every recorded handoff. */
export const PROJECT = 'race';

/** A lease as its holder knows it. */
export interface Held {
  id: string;
  title: string;
  fence: number;
  token: string;
}

/** A handoff to be made. */
export interface Work {
  /** Its title; a retry repeats it. */
  key: string;
  task_id?: string;
  max_attempts?: number;
}

/** What a recorded claim asks for. */
export interface Wanted {
  task_id?: string;
  max?: number;
  lease_ms?: number;
  key?: string;
  /** Done with, in the claim's own transaction. */
  acknowledges?: Held;
}

/** The outcome of a recorded call. */
export interface Came {
  came: Answer['came'];
  code?: HandoffErrorCode;
  held: Held[];
}

/** The two sides of a recorder, and where it writes. */
export interface RecorderOptions {
  store: Store;
  /** Unique among the run's recorders. */
  name: string;
  /** Takes the lines of one moment. Those of a beginning are written before the store is called. */
  write: (lines: readonly Line[]) => void;
  /** The clock that the store was given. Default: the machine's. */
  now?: () => number;
  /** Whether the caller never gets the next answer. Default: it gets all. */
  losesAnswer?: () => boolean;
}

type Asked = Omit<Request, 'call'>;

/** Calls a store and writes down what it was asked and what it answered. */
export class Recorder {
  readonly #options: Required<RecorderOptions>;
  #calls = 0;

  constructor(options: RecorderOptions) {
    this.#options = { now: Date.now, losesAnswer: () => false, ...options };
  }

  /** Creates in one transaction; keyed, so that the same call again makes nothing new. */
  create(actor: string, works: readonly Work[]): Promise<Came> {
    const asked = works.map(({ key }): Asked => ({ actor, verb: 'create', key }));
    return this.#record(asked, async () => {
      const given = works.map(({ key, task_id, max_attempts }) => ({
        ...completeContent({ title: key, task_id }, { source_agent: actor }),
        project: PROJECT,
        state: 'open' as const,
        max_attempts,
      }));
      const made = await this.#options.store.create(given, callOf(actor, 'create', works[0]?.key));
      return { held: [], answers: made.map(({ id }) => ({ id })) };
    });
  }

  claim(actor: string, wanted: Wanted = {}): Promise<Came> {
    const { task_id, max = 1, lease_ms = limits.lease_ms_default, key, acknowledges: done } = wanted;
    const asked: Asked = { actor, verb: 'claim', max, ...(key === undefined ? {} : { key }) };
    const acknowledging = done && { actor, verb: 'acknowledge' as const, id: done.id, fence: done.fence };
    return this.#record(acknowledging ? [acknowledging, asked] : [asked], async () => {
      const acknowledges = done && { id: done.id, token: done.token };
      const request = { project: PROJECT, task_id, max, lease_ms, acknowledges };
      const { handoffs } = await this.#options.store.claim(request, callOf(actor, 'claim', key));
      const leases = handoffs.map(({ id, delivery: { fence, lease } }) => ({
        id,
        fence,
        expires_ms: Date.parse(lease?.expires_at ?? ''),
      }));
      const held = handoffs.map(({ id, content, delivery: { fence, lease } }) => ({
        id,
        title: content.title,
        fence,
        token: lease?.token ?? '',
      }));
      return { held, answers: done === undefined ? [{ leases }] : [{}, { leases }] };
    });
  }

  renew(actor: string, held: Held, lease_ms: number = limits.lease_ms_default): Promise<Came> {
    return this.#step(actor, held, { type: 'renew', token: held.token, lease_ms });
  }

  acknowledge(actor: string, held: Held): Promise<Came> {
    return this.#step(actor, held, { type: 'acknowledge', token: held.token });
  }

  release(actor: string, held: Held): Promise<Came> {
    return this.#step(actor, held, { type: 'release', token: held.token });
  }

  fail(actor: string, held: Held): Promise<Came> {
    return this.#step(actor, held, { type: 'fail', token: held.token, reason: 'It broke.' });
  }

  #step(actor: string, { id, fence }: Held, step: Step & { type: Verb }): Promise<Came> {
    return this.#record([{ actor, verb: step.type, id, fence }], async () => {
      const { delivery } = await this.#options.store.transition(id, step, callOf(actor, step.type));
      const expires_at = step.type === 'renew' ? delivery.lease?.expires_at : undefined;
      return { held: [], answers: [expires_at === undefined ? {} : { expires_ms: Date.parse(expires_at) }] };
    });
  }

  /** One call, which may do several things: all of them happen or none. */
  async #record(
    asked: readonly Asked[],
    perform: () => Promise<{ held: Held[]; answers: Omit<Answer, 'call' | 'came'>[] }>,
  ): Promise<Came> {
    const { now, write, losesAnswer } = this.#options;
    const requests = asked.map((each): Request => ({ ...each, call: this.#nextCall() }));
    const begun = { begun_us: readMachineClock(), begun_clock_ms: now() };
    write(requests.map((request) => ({ ...request, ...begun })));
    const end = (answerOf: (index: number) => Omit<Answer, 'call'>) => {
      const ended = { ended_us: readMachineClock(), ended_clock_ms: now() };
      write(requests.map(({ call }, index) => ({ call, ...answerOf(index), ...ended })));
    };
    try {
      const { held, answers } = await perform();
      const came = losesAnswer() ? 'unknown' : 'ok';
      end((index) => (came === 'ok' ? { came, ...answers[index] } : { came }));
      return { came, held: came === 'ok' ? held : [] };
    } catch (error) {
      // Anything else is a defect and ends the run; what it did is not known.
      if (!isHandoffError(error)) throw error;
      const { code, details } = error;
      const came = details.is_ambiguous === true ? 'unknown' : 'refused';
      end(() => ({ came, code }));
      return { came, code, held: [] };
    }
  }

  #nextCall(): string {
    this.#calls += 1;
    return `${this.#options.name}-${this.#calls}`;
  }
}

function callOf(actor: string, verb: Verb, idempotency_key?: string): Call {
  const call = { actor: { name: actor, type: 'agent' }, project: PROJECT, operation: `handoff.${verb}` } as const;
  return idempotency_key === undefined ? call : { ...call, idempotency_key };
}
