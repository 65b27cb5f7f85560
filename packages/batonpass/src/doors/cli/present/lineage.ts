import { growLineage, type LineageEntry, type LineageNode } from '../../../core/lineage.ts';
import type { OperationOutput } from '../../../operations/catalogue.ts';
import { shortId } from './handoff-line.ts';
import { counted } from './plural.ts';
import { oneLine, type View, widthOf } from './view.ts';

/** A title needs this many columns at least; a line is then wider than the view. */
const TITLE_COLUMNS_MIN = 16;

/** Deeper levels are not indented further: the rest must hold a title. */
const INDENT_COLUMNS_MAX = 24;

/** The tree of a handoff's lineage, one handoff per line; the handoff that was asked for is highlighted. */
export function presentLineage({ id, handoffs }: OperationOutput<'handoff.lineage'>, view: View): string {
  const lines: string[] = [];
  const walk = (nodes: readonly LineageNode[], indent: string) => {
    for (const [index, node] of nodes.entries()) {
      const isLast = index === nodes.length - 1;
      lines.push(presentNode(node, `${indent}${isLast ? '└ ' : '├ '}`, { id, view }));
      walk(node.children, `${indent}${isLast ? '  ' : '│ '}`);
    }
  };
  walk(growLineage(handoffs), '');
  return lines.join('\n');
}

function presentNode(node: LineageNode, lead: string, { id, view }: { id: string; view: View }): string {
  const start = view.style('gray', lead.length > INDENT_COLUMNS_MAX ? `… ${lead.slice(-INDENT_COLUMNS_MAX)}` : lead);
  if (node.type === 'conversation') {
    return `${start}conversation ${oneLine([node.host, node.session].filter(Boolean).join(' '), view.width - 14)}`;
  }
  if (node.type === 'work') return `${start}${view.style('gray', describeWork(node.entry))}`;
  const { entry, link } = node;
  const told = [...(link === 'replaces' ? ['replaces it'] : []), ...describeReview(entry)].join(', ');
  const facts = `${shortId(entry.id)}  ${entry.state}${told === '' ? '' : ` (${oneLine(told, 60)})`}`;
  const left = view.width - widthOf(start) - facts.length - 2;
  const title = oneLine(entry.title, Math.max(TITLE_COLUMNS_MIN, left));
  return `${start}${view.style('bold', facts)}  ${entry.id === id ? view.style('bold', title) : title}`;
}

function describeReview({ begun_as_draft, revisions, approved_by }: LineageEntry): string[] {
  if (begun_as_draft === undefined) return [];
  return [
    revisions === 1 ? 'draft' : `draft of ${counted(revisions, 'revision')}`,
    ...(approved_by === undefined ? [] : [`approved by ${approved_by}`]),
  ];
}

function describeWork({ claims, held_by, acknowledged_by }: LineageEntry): string {
  const taken = claims === 0 ? 'never claimed' : `claimed ${claims === 1 ? 'once' : `${claims} times`}`;
  if (acknowledged_by !== undefined) return oneLine(`${taken}, acknowledged by ${acknowledged_by}`, 80);
  return oneLine(held_by === undefined ? taken : `${taken}, held by ${held_by}`, 80);
}
