import { z } from 'zod';
import type { Handoff } from '../core/handoff.ts';
import { limits } from '../core/limits.ts';
import { type LineageEntry, lineageEntrySchema, toLineageEntry } from '../core/lineage.ts';
import { defineOperation } from '../core/operation.ts';
import type { Store } from '../core/store.ts';
import type { OperationContext } from './context.ts';
import { referenceSchema, resolveHandoff } from './resolve-handoff.ts';

/**
 * Everything that a handoff comes from and that came of it. The record has links up only: what came of a handoff is
 * found among what was written after it, and a bound on that says so.
 */
export const handoffLineage = defineOperation({
  name: 'handoff.lineage',
  summary: 'Tells what a handoff comes from and what came of it: its conversation, versions, work and next handoffs.',
  mutates: false,
  doors: { http: { role: 'agent' } },
  input: z.strictObject({ id: referenceSchema }),
  output: async () =>
    z.strictObject({
      id: z.string(),
      /** The whole family, the oldest first. */
      handoffs: z.array(lineageEntrySchema),
      /** Handoffs that are named as origin, and are not here. */
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

/** The handoff with all that its links lead up to, and those of the conversations where that begins. */
async function climb(handoff: Handoff, store: Store): Promise<{ found: Family; absent: string[] }> {
  const found: Family = new Map();
  const absent: string[] = [];
  const waiting = [toLineageEntry(handoff)];
  for (let entry = waiting.pop(); entry !== undefined && !isFull(found); entry = waiting.pop()) {
    if (found.has(entry.id)) continue;
    found.set(entry.id, entry);
    for (const id of upOf(entry)) {
      const above = await store.get(id);
      // Another project's is as absent as one that never was.
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

/** What was written since the oldest of them, by what it names as its origin. */
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

/** Adds what came of them, and of that. @returns whether there was room for all. */
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
