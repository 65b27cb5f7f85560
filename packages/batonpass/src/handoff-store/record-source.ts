import type { HandoffEvent } from '../core/delivery.ts';
import { isHandoffError } from '../core/errors.ts';
import type { Handoff } from '../core/handoff.ts';
import type { EventsRequest, StoredHandoff } from '../core/store.ts';
import { RecordFiles } from './record-files.ts';
import { toStoredHandoff } from './stored-record.ts';

/**
 * A folder of records, read as a store is that handoffs are copied from. It has no history of its own: what is created
 * or acknowledged during a copying is taken by the next one.
 */
export class RecordSource {
  /** Why a record could not be read, by id: such a one is not given out. */
  readonly damaged: Map<string, string> = new Map();
  readonly #files: RecordFiles;
  readonly #project: string;
  readonly #ids: readonly string[];

  /** @param folder - with the records in it. @param project - that the handoffs are to belong to. */
  constructor(folder: string, project: string) {
    this.#files = new RecordFiles(folder);
    this.#project = project;
    // In the order of their making: an id begins with its time.
    this.#ids = [...this.#files.names().records].sort();
  }

  /** So many, oldest first, from a place on. */
  async export({ cursor, limit }: { cursor?: string; limit: number }) {
    const begins = Number(cursor ?? 0);
    const ends = begins + limit;
    const handoffs = this.#ids.slice(begins, ends).flatMap((id) => this.#read(id) ?? []);
    return { handoffs, ...(ends < this.#ids.length && { cursor: String(ends) }) };
  }

  /** One handoff, or null where there is none that can be read. */
  async get(id: string): Promise<Handoff | null> {
    return this.#read(id)?.handoff ?? null;
  }

  /** The history of one handoff; there is none of the whole folder. */
  async events({ handoff_id, after_seq = 0 }: EventsRequest): Promise<HandoffEvent[]> {
    const events = handoff_id === undefined ? [] : (this.#read(handoff_id)?.events ?? []);
    return events.filter(({ seq }) => seq > after_seq);
  }

  #read(id: string): StoredHandoff | undefined {
    try {
      const found = this.#files.readWithText(id);
      if (found === null) return undefined;
      return toStoredHandoff(found.record, found.text, this.#project);
    } catch (error) {
      if (!isHandoffError(error)) throw error;
      this.damaged.set(id, error.message);
      return undefined;
    }
  }
}
