import type { HandoffEvent } from '../../core/delivery.ts';
import { limits } from '../../core/limits.ts';
import { continues, digestStored } from '../../stores/stored-digest.ts';
import type { CopySource } from './copy-handoffs.ts';

/** How one handoff stands in another store. */
export type Relation =
  /** Just so there. */
  | 'same'
  /** There it went on from what is here: nothing of this is missing there. */
  | 'ahead'
  /** There it is in an earlier version. */
  | 'behind'
  /** In both it went on, each in its own way. */
  | 'parted'
  /** Not there. */
  | 'missing';

/** Compares what two stores have under one id, history line by history line. */
export async function relationOf(id: string, from: CopySource, to: CopySource): Promise<Relation> {
  const [here, there] = [await readStored(id, from), await readStored(id, to)];
  if (there === undefined) return 'missing';
  // Removed here meanwhile: what is there is all there is.
  if (here === undefined) return 'ahead';
  if (digestStored(here) === digestStored(there)) return 'same';
  if (here.events.length < there.events.length && continues(there.events, here.events)) return 'ahead';
  if (there.events.length < here.events.length && continues(here.events, there.events)) return 'behind';
  return 'parted';
}

/** A handoff with its history, or undefined. The lease's token, which a store gives its holder alone, is left out. */
async function readStored(id: string, store: CopySource) {
  for (;;) {
    const handoff = await store.get(id);
    if (handoff === null) return undefined;
    const events = await readHistory(id, store);
    // Two reads: a step in between shows itself by the version.
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
