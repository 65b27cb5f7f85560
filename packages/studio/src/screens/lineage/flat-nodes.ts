import type { LineageNode } from '../../../../batonpass/src/core/lineage.ts';

/** A place of a tree in a row of its own. */
export interface FlatNode {
  node: LineageNode;
  /** From 1. */
  level: number;
  /** Among those of one place, from 1. */
  place: number;
  size: number;
  isClosed: boolean;
  /** The key of what it stands below; absent at the top. */
  above?: string;
  /** The key of the top that it stands below, or is. */
  root: string;
}

/** The places of a tree that are open, from top to bottom. */
export function flatten(roots: readonly LineageNode[], closed: ReadonlySet<string>): FlatNode[] {
  const rows: FlatNode[] = [];
  const walk = (nodes: readonly LineageNode[], level: number, above: FlatNode | undefined) => {
    for (const [index, node] of nodes.entries()) {
      const row: FlatNode = {
        node,
        level,
        place: index + 1,
        size: nodes.length,
        isClosed: closed.has(node.key),
        ...(above && { above: above.node.key }),
        root: above?.root ?? node.key,
      };
      rows.push(row);
      if (!row.isClosed) walk(node.children, level + 1, row);
    }
  };
  walk(roots, 1, undefined);
  return rows;
}
