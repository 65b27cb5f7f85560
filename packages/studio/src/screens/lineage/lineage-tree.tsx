import { type KeyboardEvent, useRef, useState } from 'react';
import type { LineageNode } from '../../../../batonpass/src/core/lineage.ts';
import { runMove, useKeys } from '../../shell/keys.ts';
import { navigate } from '../../shell/router.ts';
import { StateMark } from '../../shown/state-mark.tsx';
import { addressOf, factsOf, titleOf } from './node-words.ts';

export interface LineageViewProps {
  roots: readonly LineageNode[];
  /** The requested handoff. */
  id: string;
}

/** The lineage as a tree: one tab stop, moved by arrows. */
export function LineageTree({ roots, id }: LineageViewProps) {
  const [closed, setClosed] = useState<ReadonlySet<string>>(new Set());
  const [chosen, setChosen] = useState(id);
  const tree = useRef<HTMLUListElement>(null);
  const rows = flatten(roots, closed);
  const place = Math.max(
    0,
    rows.findIndex(({ node }) => node.key === chosen),
  );
  const present = rows[place];
  const focus = (key: string | undefined) => {
    if (key === undefined) return;
    setChosen(key);
    tree.current?.querySelector<HTMLElement>(`[data-key="${CSS.escape(key)}"]`)?.focus();
  };
  const at = (index: number) => focus(rows[Math.max(0, Math.min(index, rows.length - 1))]?.node.key);
  const turn = (key: string, isClosed: boolean) =>
    setClosed((before) => new Set(isClosed ? [...before, key] : [...before].filter((each) => each !== key)));
  const open = () => {
    const address = present === undefined ? undefined : addressOf(present.node);
    if (address !== undefined) navigate(address);
  };
  const moves: Readonly<Record<string, () => void>> = {
    ArrowDown: () => at(place + 1),
    ArrowUp: () => at(place - 1),
    Home: () => at(0),
    End: () => at(rows.length - 1),
    Enter: open,
    ArrowRight: () => {
      if (present === undefined || present.node.children.length === 0) return;
      if (present.isClosed) turn(present.node.key, false);
      else at(place + 1);
    },
    ArrowLeft: () => {
      if (present === undefined) return;
      if (present.node.children.length > 0 && !present.isClosed) turn(present.node.key, true);
      else focus(present.above);
    },
  };
  useKeys('Lineage tree', [
    { keys: 'j', does: 'next handoff', run: () => at(place + 1) },
    { keys: 'k', does: 'previous handoff', run: () => at(place - 1) },
    { keys: 'p', does: 'go to its parent', run: () => focus(present?.above) },
    { keys: 't', does: 'go to the root', run: () => focus(present?.root) },
    { keys: 'o', does: 'open it', run: open },
  ]);
  const onKeyDown = (event: KeyboardEvent) => runMove(event, moves);
  return (
    // biome-ignore lint/a11y/noNoninteractiveElementToInteractiveRole: a list of nodes that expand is a tree.
    <ul ref={tree} role="tree" aria-label="Descent" className="lineage-tree" onKeyDown={onKeyDown}>
      {rows.map((row) => (
        <Row
          key={row.node.key}
          row={row}
          isStop={row === present}
          isAsked={row.node.key === id}
          onFocus={() => setChosen(row.node.key)}
          onTurn={() => turn(row.node.key, !row.isClosed)}
        />
      ))}
    </ul>
  );
}

interface RowProps {
  row: FlatNode;
  isStop: boolean;
  isAsked: boolean;
  onFocus: () => void;
  onTurn: () => void;
}

const glyphs = { conversation: '✎', handoff: '◆', work: '⚙' } as const;

function Row({ row: { node, level, place, size, isClosed }, isStop, isAsked, onFocus, onTurn }: RowProps) {
  const address = addressOf(node);
  const hasChildren = node.children.length > 0;
  const title = titleOf(node);
  return (
    <li
      role="treeitem"
      aria-level={level}
      aria-posinset={place}
      aria-setsize={size}
      aria-expanded={hasChildren ? !isClosed : undefined}
      aria-selected={isStop}
      aria-current={isAsked ? 'true' : undefined}
      tabIndex={isStop ? 0 : -1}
      data-key={node.key}
      data-type={node.type}
      className="lineage-row"
      style={{ paddingInlineStart: `calc(${Math.min(level - 1, 12)} * var(--lineage-step))` }}
      onFocus={onFocus}
    >
      <span className="lineage-turn" aria-hidden="true" onClick={hasChildren ? onTurn : undefined}>
        {hasChildren ? (isClosed ? '▸' : '▾') : ''}
      </span>
      <span className="lineage-glyph" aria-hidden="true">
        {glyphs[node.type]}
      </span>
      <span className="lineage-words">
        {address === undefined ? (
          <span className="studio-row-title">{title}</span>
        ) : (
          <a href={address} tabIndex={-1} className="studio-row-title">
            {title}
          </a>
        )}
        {node.type === 'handoff' ? <StateMark state={node.entry.state} /> : null}
        <span className="baton-hint">{factsOf(node)}</span>
      </span>
    </li>
  );
}

/** A node of the tree in a row. */
interface FlatNode {
  node: LineageNode;
  /** From 1. */
  level: number;
  /** Among its siblings, from 1. */
  place: number;
  size: number;
  isClosed: boolean;
  /** The key of its parent; absent at the top. */
  above?: string;
  /** The key of its root, or its own. */
  root: string;
}

/** The visible nodes of a tree, from top to bottom. */
function flatten(roots: readonly LineageNode[], closed: ReadonlySet<string>): FlatNode[] {
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
