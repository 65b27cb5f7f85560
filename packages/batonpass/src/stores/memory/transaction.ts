import type { Actor } from '../../core/actor.ts';
import type { HandoffEvent } from '../../core/delivery.ts';
import type { Handoff } from '../../core/handoff.ts';
import { type Advance, advance } from '../../core/lifecycle.ts';
import { absentPayload, type PointedPayload } from '../../core/payload.ts';
import type { Step, StoreStep } from '../../core/transitions.ts';

/** A handoff and its position in the one order of the store: FIFO reads upwards, lists downwards. */
export interface Entry {
  seq: number;
  handoff: Handoff;
}

/** An event and the project that it is found by. */
export interface EventEntry extends HandoffEvent {
  project: string;
}

/** Everything that the memory store holds. */
export interface Contents {
  /** In the order of `seq`: a map keeps the order of first insertion. */
  handoffs: Map<string, Entry>;
  events: EventEntry[];
  answers: Map<string, RememberedAnswer>;
  /** Canonical JSON by its SHA-256. */
  payloads: Map<string, string>;
  /** The last sequence numbers given, which are never given again. */
  last: { seq: number; event_seq: number };
}

/** A store's contents before anything was added. */
export function createContents(): Contents {
  return {
    handoffs: new Map(),
    events: [],
    answers: new Map(),
    payloads: new Map(),
    last: { seq: 0, event_seq: 0 },
  };
}

/** The answer of a keyed call. */
export interface RememberedAnswer {
  request_sha256: string;
  answer: unknown;
  expires_at_ms: number;
}

/** Changes that take effect together, or, when one of them throws, not at all. */
export class Transaction {
  readonly #contents: Contents;
  readonly #changed = new Map<string, Entry>();
  readonly #events: EventEntry[] = [];
  readonly #payloads = new Map<string, string>();
  readonly #forgotten = new Set<string>();
  readonly #last: Contents['last'];

  constructor(contents: Contents) {
    this.#contents = contents;
    this.#last = { ...contents.last };
  }

  /** Its current value within this transaction. */
  get(id: string): Entry | undefined {
    return this.#changed.get(id) ?? this.#contents.handoffs.get(id);
  }

  /** All, oldest first, with their current values within this transaction. */
  list(): Entry[] {
    const added = [...this.#changed.values()].filter(({ handoff }) => !this.#contents.handoffs.has(handoff.id));
    const known = [...this.#contents.handoffs.values()].map((entry) => this.#changed.get(entry.handoff.id) ?? entry);
    return [...known, ...added];
  }

  /** Keeps a handoff's new form together with its line of history. */
  record({ handoff, event }: Advance): Handoff {
    return this.keep(handoff, [event]);
  }

  /** Keeps a handoff as it is given, with further lines of history. */
  keep(handoff: Handoff, events: readonly Advance['event'][]): Handoff {
    const seq = this.get(handoff.id)?.seq ?? this.#nextSeq();
    this.#changed.set(handoff.id, { seq, handoff });
    for (const event of events) {
      this.#last.event_seq += 1;
      this.#events.push({ ...event, seq: this.#last.event_seq, project: handoff.project });
    }
    return handoff;
  }

  /** Drops what is left of the history of a handoff that comes again. */
  forget(id: string): void {
    this.#forgotten.add(id);
  }

  /** Keeps the payload that a handoff points to. @throws HandoffError `invalid_input` where its project has none such. */
  keepPayload(project: string, pointed: PointedPayload | undefined): void {
    if (pointed === undefined) return;
    const { ref, json } = pointed;
    if (json !== undefined) {
      this.#payloads.set(ref.sha256, json);
      return;
    }
    const isOfProject = ({ handoff }: Entry) =>
      handoff.project === project && handoff.content.payload_ref?.sha256 === ref.sha256;
    if (!this.list().some(isOfProject)) throw absentPayload(ref);
  }

  #nextSeq(): number {
    this.#last.seq += 1;
    return this.#last.seq;
  }

  /** Takes a step with a handoff; null where it had already taken effect. */
  take(handoff: Handoff, step: Step | StoreStep, context: { actor: Actor; now_ms: number; random: () => number }) {
    const advanced = advance(handoff, step, context);
    return advanced === null ? null : this.record(advanced);
  }

  /** Whether anything would change. */
  get isEmpty(): boolean {
    return this.#events.length === 0;
  }

  commit(): void {
    const { handoffs, events, payloads } = this.#contents;
    for (const [id, entry] of this.#changed) handoffs.set(id, entry);
    const isForgotten = ({ handoff_id }: EventEntry) => this.#forgotten.has(handoff_id);
    if (this.#forgotten.size > 0 && events.some(isForgotten)) {
      const left = events.filter((event) => !isForgotten(event));
      events.length = 0;
      for (const event of left) events.push(event);
    }
    for (const event of this.#events) events.push(event);
    for (const [sha256, json] of this.#payloads) payloads.set(sha256, json);
    this.#contents.last = this.#last;
  }
}
