import type { Actor } from '../../core/actor.ts';
import type { HandoffEvent } from '../../core/delivery.ts';
import type { Handoff } from '../../core/handoff.ts';
import { type Advance, advance } from '../../core/lifecycle.ts';
import type { Step, StoreStep } from '../../core/transitions.ts';

/** A handoff and its place in the one order of the store: FIFO reads upwards, lists downwards. */
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
  #added = 0;

  constructor(contents: Contents) {
    this.#contents = contents;
  }

  /** As it stands within this transaction. */
  get(id: string): Entry | undefined {
    return this.#changed.get(id) ?? this.#contents.handoffs.get(id);
  }

  /** All, oldest first, as they stand within this transaction. */
  list(): Entry[] {
    const added = [...this.#changed.values()].filter(({ handoff }) => !this.#contents.handoffs.has(handoff.id));
    const known = [...this.#contents.handoffs.values()].map((entry) => this.#changed.get(entry.handoff.id) ?? entry);
    return [...known, ...added];
  }

  /** Keeps a handoff's new form together with its line of history. */
  record({ handoff, event }: Advance): Handoff {
    const seq = this.get(handoff.id)?.seq ?? this.#nextSeq();
    this.#changed.set(handoff.id, { seq, handoff });
    const event_seq = this.#contents.events.length + this.#events.length + 1;
    this.#events.push({ seq: event_seq, ...event, project: handoff.project });
    return handoff;
  }

  #nextSeq(): number {
    this.#added += 1;
    return this.#contents.handoffs.size + this.#added;
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
    for (const [id, entry] of this.#changed) this.#contents.handoffs.set(id, entry);
    for (const event of this.#events) this.#contents.events.push(event);
  }
}
