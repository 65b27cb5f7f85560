import { z } from 'zod';
import type { Handoff } from './handoff.ts';
import { stateSchema } from './state.ts';

/** A handoff in its lineage: where it comes from, who reviewed it, who claimed it, and its state. */
export const lineageEntrySchema = z.strictObject({
  id: z.string(),
  title: z.string(),
  kind: z.string(),
  state: stateSchema,
  created_at: z.string(),
  source_agent: z.string(),
  target_agent: z.string().optional(),
  /** The handoff that it continues. */
  parent_id: z.string().optional(),
  /** What it replaces. */
  supersedes_id: z.string().optional(),
  /** The conversation that it was read out of, or written in. */
  conversation: z.strictObject({ host: z.string().optional(), session: z.string() }).optional(),
  /** Edits of its draft, the first writing included. */
  revisions: z.int(),
  begun_as_draft: z.literal(true).optional(),
  approved_by: z.string().optional(),
  /** How many times it was claimed. */
  claims: z.int(),
  /** Who has it now. */
  held_by: z.string().optional(),
  acknowledged_by: z.string().optional(),
});

export type LineageEntry = z.infer<typeof lineageEntrySchema>;

/** A handoff's descent, without what it passes on. */
export function toLineageEntry({ id, created_at, content, delivery }: Handoff): LineageEntry {
  const { title, kind, source_agent, target_agent, parent_id, supersedes_id, origin } = content;
  const { state, content_revision, begun_as_draft, approval, fence, lease, acknowledged_by } = delivery;
  const { host, session } = origin ?? {};
  return {
    id,
    title,
    kind,
    state,
    created_at,
    source_agent,
    ...(target_agent !== undefined && { target_agent }),
    ...(parent_id !== undefined && { parent_id }),
    ...(supersedes_id !== undefined && { supersedes_id }),
    ...(session !== undefined && { conversation: { ...(host !== undefined && { host }), session } }),
    revisions: content_revision,
    ...(begun_as_draft && { begun_as_draft }),
    ...(approval && { approved_by: approval.by }),
    claims: fence,
    ...(lease && { held_by: lease.holder }),
    ...(acknowledged_by !== undefined && { acknowledged_by }),
  };
}

/** A node in the tree of a lineage: a conversation, a handoff, or the work that was done with a handoff. */
export type LineageNode = { key: string; children: LineageNode[] } & (
  | { type: 'conversation'; host?: string; session: string }
  | { type: 'handoff'; entry: LineageEntry; link: 'begins' | 'continues' | 'replaces' }
  | { type: 'work'; entry: LineageEntry }
);

/**
 * The tree of a lineage, the oldest first: what replaces a handoff is below it, what continues it is below the work
 * that was done with it. One with both links is below the one that it replaces; one whose links lead nowhere here, or
 * in a circle, is at the top.
 */
export function growLineage(entries: readonly LineageEntry[]): LineageNode[] {
  const known = new Map(entries.map((entry) => [entry.id, entry]));
  const below = new Map<string, LineageEntry[]>();
  const tops: LineageEntry[] = [];
  for (const entry of [...entries].sort(byTime)) {
    const above = standsBelow(entry, known);
    if (above === undefined) tops.push(entry);
    else below.set(above, [...(below.get(above) ?? []), entry]);
  }
  return gathered(tops, (entry) => toNode(entry, 'begins', below));
}

/** The id at the top of a handoff's known ancestors: first by what it continues, else by what it replaces. */
export function rootOf(id: string, entries: readonly LineageEntry[]): string {
  const known = new Map(entries.map((entry) => [entry.id, entry]));
  const passed = new Set<string>();
  let root = id;
  for (let next: string | undefined = id; next !== undefined && !passed.has(next); ) {
    passed.add(next);
    root = next;
    const entry: LineageEntry | undefined = known.get(next);
    next = entry && [entry.parent_id, entry.supersedes_id].find((above) => above !== undefined && known.has(above));
  }
  return root;
}

function byTime(left: LineageEntry, right: LineageEntry): number {
  if (left.created_at !== right.created_at) return left.created_at < right.created_at ? -1 : 1;
  return left.id < right.id ? -1 : 1;
}

/** The handoff that an entry is below, unless the entry is among its ancestors. */
function standsBelow(entry: LineageEntry, known: ReadonlyMap<string, LineageEntry>): string | undefined {
  const above = linkOf(entry, known);
  const passed = new Set([entry.id]);
  for (let id = above; id !== undefined; ) {
    // In a circle each member would be below another, and none would be shown.
    if (passed.has(id)) return undefined;
    passed.add(id);
    const next = known.get(id);
    id = next && linkOf(next, known);
  }
  return above;
}

function linkOf({ supersedes_id, parent_id }: LineageEntry, known: ReadonlyMap<string, unknown>): string | undefined {
  return [supersedes_id, parent_id].find((id) => id !== undefined && known.has(id));
}

/** Those of one conversation are together below it. */
function gathered(tops: readonly LineageEntry[], grow: (entry: LineageEntry) => LineageNode): LineageNode[] {
  const roots: LineageNode[] = [];
  const conversations = new Map<string, LineageNode>();
  for (const entry of tops) {
    const { conversation } = entry;
    const key = conversation && JSON.stringify([conversation.host, conversation.session]);
    if (conversation === undefined || key === undefined) {
      roots.push(grow(entry));
      continue;
    }
    const present = conversations.get(key);
    const node: LineageNode = present ?? { key, type: 'conversation', ...conversation, children: [] };
    node.children.push(grow(entry));
    if (present !== undefined) continue;
    conversations.set(key, node);
    roots.push(node);
  }
  return roots;
}

function toNode(
  entry: LineageEntry,
  link: 'begins' | 'continues' | 'replaces',
  below: ReadonlyMap<string, readonly LineageEntry[]>,
): LineageNode {
  const following = below.get(entry.id) ?? [];
  const replacing = following.filter(({ supersedes_id }) => supersedes_id === entry.id);
  const going_on = following
    .filter((each) => !replacing.includes(each))
    .map((each) => toNode(each, 'continues', below));
  const work: LineageNode[] =
    entry.claims > 0 || entry.acknowledged_by !== undefined
      ? [{ key: `${entry.id}/work`, type: 'work', entry, children: going_on }]
      : going_on;
  const children = [...work, ...replacing.map((each) => toNode(each, 'replaces', below))];
  return { key: entry.id, type: 'handoff', entry, link, children };
}
