import { useEffect, useMemo, useRef } from 'react';
import type { LineageNode } from '../../../../batonpass/src/core/lineage.ts';
import { navigate } from '../../shell/router.ts';
import { stateWords } from '../../shown/state-mark.tsx';
import type { LineageViewProps } from './lineage-tree.tsx';
import { addressOf, factsOf, titleOf } from './node-words.ts';

/** Characters that fit into a node: of its title, and of the smaller line below. */
const TITLE_CHARACTERS = 24;
const BELOW_CHARACTERS = 30;

/** The lineage as a graph, from left to right. */
export function LineageGraph({ roots, id }: LineageViewProps) {
  const graph = useMemo(() => layOut(roots), [roots]);
  const { nodes, links, width, height } = graph;
  const room = useRef<HTMLElement>(null);
  // The requested handoff is shown first, wherever it is in the graph.
  useEffect(() => {
    const asked = graph.nodes.find(({ node }) => node.key === id);
    if (asked === undefined || room.current === null) return;
    // A node in view from the start needs no scrolling.
    const isInSight = asked.x + graphSizes.width <= room.current.clientWidth;
    room.current.scrollTo({ left: isInSight ? 0 : asked.x - graphSizes.width, top: asked.y - 200 });
  }, [graph, id]);
  if (nodes.length > GRAPH_NODES_MAX) {
    return (
      <p className="baton-banner">
        {nodes.length} handoffs are too many for a readable graph; up to {GRAPH_NODES_MAX} are drawn. The tree has them
        all.
      </p>
    );
  }
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: scrollable content must be reachable by keyboard.
    <section ref={room} className="lineage-graph" aria-label="Descent from left to right" tabIndex={0}>
      <svg width={width} height={height} viewBox={`0 0 ${width} ${height}`}>
        <title>Graph</title>
        {links.map((link) => (
          <path key={link.key} d={curveOf(link)} className="lineage-link" data-kind={link.kind} />
        ))}
        {nodes.map((placed) => (
          <Place key={placed.node.key} placed={placed} isAsked={placed.node.key === id} />
        ))}
      </svg>
    </section>
  );
}

function curveOf({ from, to }: PlacedLink): string {
  const { width, height } = graphSizes;
  const [x1, y1] = [from.x + width, from.y + height / 2];
  const [x2, y2] = [to.x, to.y + height / 2];
  const middle = (x1 + x2) / 2;
  return `M ${x1} ${y1} C ${middle} ${y1}, ${middle} ${y2}, ${x2} ${y2}`;
}

function Place({ placed: { node, x, y }, isAsked }: { placed: PlacedNode; isAsked: boolean }) {
  const { width, height } = graphSizes;
  const address = addressOf(node);
  const title = titleOf(node);
  const state = node.type === 'handoff' ? stateWords[node.entry.state] : undefined;
  const below = state === undefined ? factsOf(node) : `${state.glyph} ${state.word} · ${factsOf(node)}`;
  const drawn = (
    <>
      <rect x={x} y={y} width={width} height={height} rx="8">
        <title>{[title, below].filter((each) => each !== '').join('\n')}</title>
      </rect>
      <text x={x + 10} y={y + (below === '' ? 27 : 19)}>
        {cut(title, TITLE_CHARACTERS)}
      </text>
      {below === '' ? null : (
        <text x={x + 10} y={y + 36} className="lineage-below">
          {cut(below, BELOW_CHARACTERS)}
        </text>
      )}
    </>
  );
  const attributes = {
    className: 'lineage-place',
    'data-type': node.type,
    ...(node.type === 'handoff' && { 'data-state': node.entry.state }),
    ...(isAsked && { 'aria-current': 'true' as const }),
  };
  if (address === undefined) return <g {...attributes}>{drawn}</g>;
  return (
    <a
      href={address}
      {...attributes}
      onClick={(event) => {
        if (event.metaKey || event.ctrlKey || event.shiftKey) return;
        event.preventDefault();
        navigate(address);
      }}
    >
      {drawn}
    </a>
  );
}

/** A line that fits; whole characters only. */
function cut(text: string, most: number): string {
  const characters = [...text];
  return characters.length <= most ? text : `${characters.slice(0, most - 1).join('')}…`;
}

/** A larger graph is not readable: the tree shows it. */
const GRAPH_NODES_MAX = 300;

/** Sizes of the graph, in pixels. */
const graphSizes = { width: 208, height: 46, gap_x: 40, gap_y: 14, margin: 10 } as const;

/** A node with its position. */
interface PlacedNode {
  node: LineageNode;
  x: number;
  y: number;
}

/** A link between two nodes: of the tree, or from the handoff that a replacement also continues. */
interface PlacedLink {
  key: string;
  from: PlacedNode;
  to: PlacedNode;
  kind: 'continues' | 'replaces' | 'also-continues';
}

/** A lineage laid out from left to right. */
interface PlacedGraph {
  nodes: PlacedNode[];
  links: PlacedLink[];
  width: number;
  height: number;
}

/** Lays a lineage out: a column per level, a line per leaf, and each parent in the middle of its children. */
function layOut(roots: readonly LineageNode[]): PlacedGraph {
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
    links: [...links, ...linkSecondParents(nodes)],
    width: 2 * margin + columns * (width + gap_x) - gap_x,
    height: 2 * margin + lines * (height + gap_y) - gap_y,
  };
}

function kindOf(node: LineageNode): PlacedLink['kind'] {
  return node.type === 'handoff' && node.link === 'replaces' ? 'replaces' : 'continues';
}

function linkSecondParents(nodes: readonly PlacedNode[]): PlacedLink[] {
  const byId = new Map(nodes.flatMap((each) => (each.node.type === 'handoff' ? [[each.node.entry.id, each]] : [])));
  return nodes.flatMap((to): PlacedLink[] => {
    if (to.node.type !== 'handoff' || to.node.link !== 'replaces') return [];
    const from = byId.get(to.node.entry.parent_id ?? '');
    return from === undefined ? [] : [{ key: `${from.node.key}..${to.node.key}`, from, to, kind: 'also-continues' }];
  });
}
