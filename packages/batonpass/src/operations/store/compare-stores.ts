import { sha256Hex } from '../../core/canonical-json.ts';
import type { Store } from '../../core/store.ts';
import { digestStored } from '../../stores/stored-digest.ts';
import type { OperationContext } from '../context.ts';
import type { Copied, CopySource } from './copy-handoffs.ts';
import { exportPages } from './export-pages.ts';
import { type Relation, relationOf } from './relation.ts';

/** How many there are, and one hash over the id and digest of each. */
export interface Tally {
  handoffs: number;
  sha256: string;
}

/** What a comparison of two stores found. */
export interface Comparison {
  /** What was read of the source, and what of the same handoffs the target holds: alike where nothing differs. */
  from: Tally;
  to: Tally;
  /** The handoffs that are not alike, by how they stand in the target. */
  differing: Map<string, Exclude<Relation, 'same'>>;
}

/** Looks in the target for everything that was copied, reading it anew. Ends early where the signal aborts. */
/** The two stores of a comparison. */
interface Compared {
  from: CopySource;
  to: Store;
  context: OperationContext;
}

/**
 * Looks in the target for everything that was read of the source, reading the target anew. Ends early where the signal
 * aborts; what was not looked at counts as missing then.
 */
export async function compareStores({ read, unfit }: Copied, { from, to, context }: Compared): Promise<Comparison> {
  const found = await readDigests(read, to, context);
  const differing: Comparison['differing'] = new Map();
  for (const [id, { digest }] of read) {
    if (found.get(id) === digest) continue;
    // What is damaged cannot be compared: a store refuses to give it out.
    const isKnown = unfit.has(id) || context.signal.aborted;
    const relation = isKnown ? 'missing' : await relationOf(id, from, to);
    if (relation === 'same') found.set(id, digest);
    else differing.set(id, relation);
  }
  const wanted = new Map([...read].map(([id, { digest }]) => [id, digest]));
  return { from: tallyOf(wanted), to: tallyOf(found), differing };
}

async function readDigests(read: Copied['read'], to: Store, { signal, onProgress }: OperationContext) {
  const found = new Map<string, string>();
  for await (const { handoffs } of exportPages(to, signal)) {
    for (const stored of handoffs) {
      if (read.has(stored.handoff.id)) found.set(stored.handoff.id, digestStored(stored));
    }
    onProgress?.({ what: 'handoffs compared', done: found.size, total: read.size });
  }
  return found;
}

function tallyOf(digests: ReadonlyMap<string, string>): Tally {
  const lines = [...digests].map(([id, digest]) => `${id} ${digest}\n`);
  return { handoffs: digests.size, sha256: sha256Hex(lines.sort().join('')) };
}
