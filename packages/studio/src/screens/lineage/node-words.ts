import { showHidden } from '../../../../batonpass/src/core/hidden-characters.ts';
import type { LineageEntry, LineageNode } from '../../../../batonpass/src/core/lineage.ts';

/** The name of a node: its title, or its kind. */
export function titleOf(node: LineageNode): string {
  if (node.type === 'conversation') return `Conversation ${showHidden(node.session)}`;
  return node.type === 'work' ? describeWork(node.entry) : showHidden(node.entry.title);
}

/** The details next to it. */
export function factsOf(node: LineageNode): string {
  if (node.type === 'conversation') return showHidden(node.host ?? '');
  if (node.type === 'work') return '';
  const { entry, link } = node;
  const way = `${entry.source_agent} → ${entry.target_agent ?? 'anybody'}`;
  const told = [link === 'replaces' ? 'replaces it' : '', entry.kind, ...describeReview(entry), way];
  return showHidden(told.filter((each) => each !== '').join(' · '));
}

function describeReview({ begun_as_draft, revisions, approved_by }: LineageEntry): string[] {
  if (begun_as_draft === undefined) return [];
  const draft = revisions === 1 ? 'drafted' : `drafted, ${revisions} revisions`;
  return approved_by === undefined ? [draft] : [draft, `approved by ${approved_by}`];
}

function describeWork({ claims, held_by, acknowledged_by }: LineageEntry): string {
  const taken = claims === 0 ? 'Never claimed' : `Claimed ${claims === 1 ? 'once' : `${claims} times`}`;
  if (acknowledged_by !== undefined) return showHidden(`${taken}, acknowledged by ${acknowledged_by}`);
  return showHidden(held_by === undefined ? taken : `${taken}, held by ${held_by}`);
}

/** The address of a node; a conversation has none. */
export function addressOf(node: LineageNode): string | undefined {
  if (node.type === 'conversation') return undefined;
  return `/${node.type === 'work' ? 'run' : 'h'}/${encodeURIComponent(node.entry.id)}`;
}
