import type { LineageNode } from '../../../../batonpass/src/core/lineage.ts';

/** More are a thicket: the tree shows them. */
export const GRAPH_NODES_MAX = 300;

/** Sizes of the graph, in pixels. */
export const graphSizes = { width: 208, height: 46, gap_x: 40, gap_y: 14, margin: 10 } as const;

/** A place of the graph. */
export interface PlacedNode {
  node: LineageNode;
  x: number;
  y: number;
}

/** A way between two places: of the tree, or that of a handoff that also goes on from another than it replaces. */
export interface PlacedLink {
  key: string;
  from: PlacedNode;
  to: PlacedNode;
  kind: 'continues' | 'replaces' | 'beside';
}

/** A descent laid out from left to right. */
export interface PlacedGraph {
  nodes: PlacedNode[];
  links: PlacedLink[];
  width: number;
  height: number;
}

/** Lays a descent out: each level a column, each end a line, and what comes before them in their middle. */
export function layOut(roots: readonly LineageNode[]): PlacedGraph {
  const { width, height, gap_x, gap_y, margin } = graphSizes;
  const nodes: PlacedNode[] = [];
  const links: PlacedLink[] = [];
  let lines = 0;
  let columns = 0;
  const place = (node: LineageNode, column: number): PlacedNode => {
    columns = Math.max(columns, column + 1);
    const placed: PlacedNode = { node, x: margin + column * (width + gap_x), y: 0 };
    nodes.push(placed);
    const below = node.children.map((child) => place(child, column + 1));
    const [first, last] = [below[0], below.at(-1)];
    if (first === undefined || last === undefined) {
      placed.y = margin + lines * (height + gap_y);
      lines += 1;
    } else placed.y = (first.y + last.y) / 2;
    for (const to of below) links.push({ key: `${node.key}>${to.node.key}`, from: placed, to, kind: kindOf(to.node) });
    return placed;
  };
  for (const root of roots) place(root, 0);
  return {
    nodes,
    links: [...links, ...linksBeside(nodes)],
    width: 2 * margin + columns * (width + gap_x) - gap_x,
    height: 2 * margin + lines * (height + gap_y) - gap_y,
  };
}

function kindOf(node: LineageNode): PlacedLink['kind'] {
  return node.type === 'handoff' && node.link === 'replaces' ? 'replaces' : 'continues';
}

function linksBeside(nodes: readonly PlacedNode[]): PlacedLink[] {
  const byId = new Map(nodes.flatMap((each) => (each.node.type === 'handoff' ? [[each.node.entry.id, each]] : [])));
  return nodes.flatMap((to): PlacedLink[] => {
    if (to.node.type !== 'handoff' || to.node.link !== 'replaces') return [];
    const from = byId.get(to.node.entry.parent_id ?? '');
    return from === undefined ? [] : [{ key: `${from.node.key}..${to.node.key}`, from, to, kind: 'beside' }];
  });
}
