import { type HandoffError, isHandoffError } from '../../core/errors.ts';
import type { State } from '../../core/state.ts';
import type { Store, StoredHandoff } from '../../core/store.ts';
import type { OperationContext } from '../context.ts';
import { exportPages } from './export-pages.ts';
import { type Relation, relationOf } from './relation.ts';

/** What is old enough to be archived. */
export interface Retention {
  states: readonly State[];
  /** What reached its state at this instant or before. */
  until_ms: number;
}

/** The findings and results of a pruning. */
export interface Pruned {
  looked_at: number;
  /** Old enough, by state. */
  due: Partial<Record<State, number>>;
  removed: number;
  /** Old enough, and still in the store, each with the reason. */
  kept: { id: string; reason: string }[];
}

/** A pruning; without an archive it only counts. */
export interface Pruning {
  retention: Retention;
  archive?: Store;
  context: OperationContext;
}

/**
 * Moves what is old enough into an archive, page by page: it is written there, read back there and compared, and only
 * then removed here, where it still has that version. A crash leaves a page in both; the next run removes it here.
 * Ends early where the signal aborts.
 */
export async function pruneStore(store: Store, { retention, archive, context }: Pruning): Promise<Pruned> {
  const pruned: Pruned = { looked_at: 0, due: {}, removed: 0, kept: [] };
  for await (const { handoffs } of exportPages(store, context.signal)) {
    const due = handoffs.filter((stored) => isDue(stored, retention));
    for (const { handoff } of due) {
      const { state } = handoff.delivery;
      pruned.due[state] = (pruned.due[state] ?? 0) + 1;
    }
    if (archive !== undefined && due.length > 0) await movePage(due, { store, archive, pruned });
    pruned.looked_at += handoffs.length;
    context.onProgress?.({ what: 'handoffs looked at', done: pruned.looked_at });
  }
  return pruned;
}

/** Its age is that of its state: what was acknowledged yesterday is young, however long it waited. */
function isDue({ handoff, events }: StoredHandoff, { states, until_ms }: Retention): boolean {
  const since = events.at(-1)?.at ?? handoff.created_at;
  return states.includes(handoff.delivery.state) && Date.parse(since) <= until_ms;
}

interface Moved {
  store: Store;
  archive: Store;
  pruned: Pruned;
}

async function movePage(due: readonly StoredHandoff[], { store, archive, pruned }: Moved): Promise<void> {
  const refused = await archiveAll(due, archive);
  const arrived: StoredHandoff[] = [];
  for (const stored of due) {
    const { id } = stored.handoff;
    const refusal = refused.get(id);
    // A damaged handoff cannot be compared: a store refuses to return it.
    const relation = refusal?.code === 'invalid_input' ? 'missing' : await relationOf(id, store, archive);
    // It changed meanwhile, so that it is not due any more.
    if (relation === 'behind') continue;
    const reason = await reasonToKeep(stored, relation, archive);
    if (reason === undefined) arrived.push(stored);
    else pruned.kept.push({ id, reason: refusal?.message ?? reason });
  }
  const versions = arrived.map(({ handoff }) => ({ id: handoff.id, version: handoff.delivery.version }));
  pruned.removed += await store.remove(versions);
}

/** Together; where one is refused, one by one. @returns with the reason of each refusal. */
async function archiveAll(due: readonly StoredHandoff[], archive: Store): Promise<Map<string, HandoffError>> {
  const refused = new Map<string, HandoffError>();
  try {
    await archive.import(due);
  } catch (error) {
    if (!isHandoffError(error) || (error.code !== 'conflict' && error.code !== 'invalid_input')) throw error;
    const [first] = due;
    if (due.length === 1 && first !== undefined) return refused.set(first.handoff.id, error);
    for (const stored of due) for (const [id, refusal] of await archiveAll([stored], archive)) refused.set(id, refusal);
  }
  return refused;
}

/** Why a handoff is not completely in the archive, as it is read back from there; undefined where it is. */
async function reasonToKeep(
  { handoff }: StoredHandoff,
  relation: Relation,
  archive: Store,
): Promise<string | undefined> {
  if (relation === 'missing') return 'The archive did not take it.';
  if (relation === 'parted') return 'It went on in the archive too, in another way.';
  if (handoff.content.payload_ref === undefined) return undefined;
  const payload = await archive.readPayload(handoff.id).catch((error: unknown) => {
    if (isHandoffError(error)) return null;
    throw error;
  });
  return payload === null ? 'The archive does not hold its payload.' : undefined;
}
