import type { HandoffEvent } from '../../core/delivery.ts';
import { limits } from '../../core/limits.ts';
import { continues, digestStored } from '../../stores/stored-digest.ts';
import type { CopySource } from './copy-handoffs.ts';

/** How a handoff compares with its copy in another store. */
export type Relation =
  /** The same there. */
  | 'same'
  /** The copy has further steps: nothing of this one is missing there. */
  | 'ahead'
  /** The copy is an earlier version. */
  | 'behind'
  /** Both have further steps, each its own. */
  | 'parted'
  /** No copy there. */
  | 'missing';

/** Compares what two stores have under one id, history line by history line. */
export async function relationOf(id: string, from: CopySource, to: CopySource): Promise<Relation> {
  const [here, there] = [await readStored(id, from), await readStored(id, to)];
  if (there === undefined) return 'missing';
  // Removed here meanwhile: only the copy exists.
  if (here === undefined) return 'ahead';
  if (digestStored(here) === digestStored(there)) return 'same';
  if (here.events.length < there.events.length && continues(there.events, here.events)) return 'ahead';
  if (there.events.length < here.events.length && continues(here.events, there.events)) return 'behind';
  return 'parted';
}

/** A handoff with its history, or undefined. Without the lease's token, which a store gives only to its holder. */
async function readStored(id: string, store: CopySource) {
  for (;;) {
    const handoff = await store.get(id);
    if (handoff === null) return undefined;
    const events = await readHistory(id, store);
    // Two reads: the version shows a step in between.
    if (events.length === handoff.delivery.version) return { handoff, events };
    const again = await store.get(id);
    if (again?.delivery.version === handoff.delivery.version) return { handoff, events };
  }
}

async function readHistory(id: string, store: CopySource): Promise<HandoffEvent[]> {
  const events: HandoffEvent[] = [];
  for (;;) {
    const more = await store.events({ handoff_id: id, after_seq: events.at(-1)?.seq, limit: limits.events_max });
    events.push(...more);
    if (more.length < limits.events_max) return events;
  }
}
