import { z } from 'zod';
import type { Handoff } from '../core/handoff.ts';
import { limits } from '../core/limits.ts';
import { type LineageEntry, lineageEntrySchema, toLineageEntry } from '../core/lineage.ts';
import { defineOperation } from '../core/operation.ts';
import type { Store } from '../core/store.ts';
import type { OperationContext } from './context.ts';
import { referenceSchema, resolveHandoff } from './resolve-handoff.ts';

/**
 * Everything that a handoff comes from, and everything that followed from it. The record links only to its origins: the
 * followers are searched among the handoffs written after it, and where a bound cuts the search, the answer states it.
 */
export const handoffLineage = defineOperation({
  name: 'handoff.lineage',
  summary:
    'Returns what a handoff comes from and what followed from it: its conversation, versions, work and next handoffs.',
  mutates: false,
  doors: { http: { role: 'agent' } },
  input: z.strictObject({ id: referenceSchema }),
  output: async () =>
    z.strictObject({
      id: z.string(),
      /** All of them, the oldest first. */
      handoffs: z.array(lineageEntrySchema),
      /** Handoffs that are named as origin, and are not in this store. */
      absent: z.array(z.string()),
      /** Whether there may be more: too many handoffs were written since, or belong to it. */
      is_partial: z.boolean(),
    }),
  errors: ['not_found', 'invalid_input', 'unavailable'],
  run: async ({ id: reference }, context: OperationContext) => {
    const handoff = await resolveHandoff(reference, context);
    const store = await context.openStore();
    const { found, absent } = await climb(handoff, store);
    const later = await readLater(found, { store, project: handoff.project });
    const isWhole = descend(found, later.below) && later.isWhole;
    const handoffs = [...found.values()].sort((left, right) => (left.created_at < right.created_at ? -1 : 1));
    return { id: handoff.id, handoffs, absent, is_partial: !isWhole };
  },
});

type Family = Map<string, LineageEntry>;

const upOf = ({ parent_id, supersedes_id }: LineageEntry) =>
  [parent_id, supersedes_id].filter((id) => id !== undefined);

/** The handoff with all origins that its links lead to, and the handoffs of the conversations where they begin. */
async function climb(handoff: Handoff, store: Store): Promise<{ found: Family; absent: string[] }> {
  const found: Family = new Map();
  const absent: string[] = [];
  const waiting = [toLineageEntry(handoff)];
  for (let entry = waiting.pop(); entry !== undefined && !isFull(found); entry = waiting.pop()) {
    if (found.has(entry.id)) continue;
    found.set(entry.id, entry);
    for (const id of upOf(entry)) {
      const above = await store.get(id);
      // A handoff of another project counts as absent.
      if (above?.project === handoff.project) waiting.push(toLineageEntry(above));
      else absent.push(id);
    }
  }
  for (const { conversation } of [...found.values()].filter((entry) => upOf(entry).length === 0)) {
    if (conversation === undefined) continue;
    const filter = { project: handoff.project, session: conversation.session };
    const { handoffs } = await store.list({ filter, limit: limits.lineage_handoffs_max });
    const others = handoffs.map(toLineageEntry).filter((entry) => upOf(entry).length === 0);
    for (const entry of others) if (entry.conversation?.host === conversation.host) add(found, entry);
  }
  return { found, absent: [...new Set(absent)] };
}

const isFull = (found: Family) => found.size >= limits.lineage_handoffs_max;

function add(found: Family, entry: LineageEntry): boolean {
  if (isFull(found)) return false;
  found.set(entry.id, entry);
  return true;
}

/** The handoffs written since the oldest of them, by the origins that they name. */
async function readLater(
  found: Family,
  { store, project }: { store: Store; project: string },
): Promise<{ below: Map<string, LineageEntry[]>; isWhole: boolean }> {
  const below = new Map<string, LineageEntry[]>();
  const since = [...found.values()].map(({ created_at }) => created_at).sort()[0];
  let cursor: string | undefined;
  for (let read = 0; read < limits.lineage_read_max; read += limits.list_max) {
    const page = await store.list({ filter: { project, since }, limit: limits.list_max, ...(cursor && { cursor }) });
    for (const entry of page.handoffs.map(toLineageEntry)) {
      for (const id of upOf(entry)) below.set(id, [...(below.get(id) ?? []), entry]);
    }
    cursor = page.cursor;
    if (cursor === undefined) return { below, isWhole: true };
  }
  return { below, isWhole: false };
}

/** Adds their followers, and the followers of those. @returns whether there was room for all. */
function descend(found: Family, below: ReadonlyMap<string, readonly LineageEntry[]>): boolean {
  const waiting = [...found.keys()];
  for (let id = waiting.shift(); id !== undefined; id = waiting.shift()) {
    for (const entry of below.get(id) ?? []) {
      if (found.has(entry.id)) continue;
      if (!add(found, entry)) return false;
      waiting.push(entry.id);
    }
  }
  return true;
}
