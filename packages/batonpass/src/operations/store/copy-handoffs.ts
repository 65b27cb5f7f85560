import { type HandoffError, isHandoffError } from '../../core/errors.ts';
import { limits } from '../../core/limits.ts';
import type { ImportAnswer, Store, StoredHandoff } from '../../core/store.ts';
import { digestStored } from '../../stores/stored-digest.ts';
import type { OperationContext } from '../context.ts';
import { exportPage, exportPages } from './export-pages.ts';

/** The source of copied handoffs: the methods of a store that copying and comparing need. */
export type CopySource = Pick<Store, 'export' | 'events' | 'get'>;

/** What a copy run has read and done. */
export interface Copied {
  /** Each handoff once, by its result when it was first read; a conflict is in none of these. */
  counts: ImportAnswer;
  /** The last state read of each handoff, by id: its digest, and where its page begins. */
  read: Map<string, { digest: string; begins: string | undefined }>;
  /** Why no store accepts a handoff that is not as the life cycle leaves it, by id. */
  unfit: Map<string, string>;
}

/** How often the changes made meanwhile are copied, before the rest is left to the next run. */
const catching_up_max = 3;

/**
 * Copies everything that one store contains into another, page by page, each page whole or not at all, while both may be
 * in use; then again the pages of what changed meanwhile. Ends early where the signal aborts. A crash leaves whole pages in
 * the target: the next run finds them there and continues.
 *
 * @throws what reading one or writing the other throws; what was copied before stays.
 */
export async function copyHandoffs(from: CopySource, to: Store, context: OperationContext): Promise<Copied> {
  return new Copying(from, to, context).run();
}

class Copying {
  readonly #from: CopySource;
  readonly #to: Store;
  readonly #context: OperationContext;
  readonly #copied: Copied = {
    counts: { added: 0, updated: 0, unchanged: 0 },
    read: new Map(),
    unfit: new Map(),
  };
  /** Where the last page begins, after which new handoffs come. */
  #last_page: string | undefined;

  constructor(from: CopySource, to: Store, context: OperationContext) {
    this.#from = from;
    this.#to = to;
    this.#context = context;
  }

  async run(): Promise<Copied> {
    const { signal } = this.#context;
    let seen = await findLastPlace(this.#from);
    await this.#copyFrom(undefined);
    for (let round = 0; round < catching_up_max && !signal.aborted; round += 1) {
      const changed = await listChangedSince(seen, this.#from);
      if (changed.ids.size === 0) break;
      seen = changed.last;
      await this.#catchUp(changed.ids);
    }
    return this.#copied;
  }

  async #copyFrom(begins: string | undefined): Promise<void> {
    for await (const page of exportPages(this.#from, this.#context.signal, begins)) {
      this.#last_page = page.begins;
      await this.#take(page.handoffs, page.begins);
    }
  }

  /** The pages of what changed, which are read again, and everything from the last one on. */
  async #catchUp(ids: ReadonlySet<string>): Promise<void> {
    const { read } = this.#copied;
    const places = new Set([...ids].flatMap((id) => read.get(id) ?? []).map(({ begins }) => begins));
    places.delete(this.#last_page);
    for (const begins of places) {
      if (this.#context.signal.aborted) return;
      const handoffs = await exportPage(this.#from, begins);
      await this.#take(
        handoffs.filter(({ handoff }) => ids.has(handoff.id)),
        begins,
      );
    }
    await this.#copyFrom(this.#last_page);
  }

  async #take(handoffs: readonly StoredHandoff[], begins: string | undefined): Promise<void> {
    const { read } = this.#copied;
    const [known, fresh] = [true, false].map((wanted) =>
      handoffs.filter(({ handoff }) => read.has(handoff.id) === wanted),
    );
    for (const stored of handoffs) read.set(stored.handoff.id, { digest: digestStored(stored), begins });
    await this.#import(known ?? [], () => {});
    await this.#import(fresh ?? [], (answer) => this.#count(answer));
    this.#context.onProgress?.({ what: 'handoffs copied', done: read.size });
  }

  /** Together; where one of them is refused, one by one, so that it keeps no other out. */
  async #import(handoffs: readonly StoredHandoff[], onTaken: (answer: ImportAnswer) => void): Promise<void> {
    if (handoffs.length === 0) return;
    try {
      onTaken(await this.#to.import(handoffs));
      for (const { handoff } of handoffs) this.#copied.unfit.delete(handoff.id);
    } catch (error) {
      if (!isRefusal(error)) throw error;
      const [first] = handoffs;
      if (handoffs.length > 1) for (const stored of handoffs) await this.#import([stored], onTaken);
      // A conflict is found when both stores are compared.
      else if (first !== undefined && error.code !== 'conflict')
        this.#copied.unfit.set(first.handoff.id, error.message);
    }
  }

  #count(answer: ImportAnswer): void {
    const { counts } = this.#copied;
    counts.added += answer.added;
    counts.updated += answer.updated;
    counts.unchanged += answer.unchanged;
  }
}

function isRefusal(error: unknown): error is HandoffError {
  return isHandoffError(error) && (error.code === 'conflict' || error.code === 'invalid_input');
}

async function findLastPlace(store: CopySource): Promise<number> {
  const [newest] = await store.events({ newest: true, limit: 1 });
  return newest?.seq ?? 0;
}

/** The handoffs with a line of history after a place, and the last place of all. */
async function listChangedSince(seen: number, store: CopySource): Promise<{ ids: Set<string>; last: number }> {
  const ids = new Set<string>();
  let last = seen;
  for (;;) {
    const events = await store.events({ after_seq: last, limit: limits.events_max });
    for (const { handoff_id } of events) ids.add(handoff_id);
    last = events.at(-1)?.seq ?? last;
    if (events.length < limits.events_max) return { ids, last };
  }
}
