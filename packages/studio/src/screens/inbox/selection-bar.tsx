import './acts.css';
import { useStore } from 'zustand';
import { createStore } from 'zustand/vanilla';
import { Button } from '../../../../batonpass/src/react/button.tsx';
import { listHandoffs } from '../../server/call.ts';
import { describeProblem } from '../../server/server-problem.ts';
import { announce, announceFailure } from '../../shell/announcements.ts';
import { useKeys } from '../../shell/keys.ts';
import type { RowPages, RowsState } from './row-pages.ts';
import { type InboxRow, toRow } from './rows.ts';
import type { Selected, Selection } from './selection.ts';
import { isPossible, takeVerdict, type Verb, type Verdict, verdicts } from './verdicts.ts';

interface SelectionBarProps {
  selected: Selected;
  selection: Selection;
  pages: RowPages;
  state: RowsState;
}

/** The actions on the selection. */
export function SelectionBar({ selected, selection, pages, state }: SelectionBarProps) {
  const { run: running } = useStore(run);
  const acts = verdicts
    .map(({ keys, many: name, ...verdict }) => ({
      keys,
      name,
      verdict,
      count: countOf(verdict.verb, selection, pages),
    }))
    .filter(({ count }) => count !== 0);
  useKeys(
    'Selected rows',
    acts.map(({ keys, name, verdict }) => ({
      keys,
      does: `${name}: all that are selected`,
      run: () => void runVerdict(verdict, selected, pages),
    })),
  );
  return (
    <section className="inbox-acts" aria-label="Selection">
      <div className="studio-buttons">
        <strong>{describe(selection, state)}</strong>
        {acts.map(({ keys, name, verdict, count }) => (
          <Button
            label={`${name}${count === undefined || count === selection.rows.size ? '' : ` ${count}`}`}
            hotkey={keys.toUpperCase()}
            key={`${keys} ${verdict.verb}`}
            disabled={running !== undefined}
            onClick={() => void runVerdict(verdict, selected, pages)}
          />
        ))}
        {acts.length === 0 ? <span className="baton-hint">There is no step for a person in this state.</span> : null}
        <Button label="Select nothing" hotkey="Esc" look="quiet" onClick={() => selected.clear()} />
        {running === undefined ? null : (
          <>
            <progress value={running.ended} max={Math.max(1, running.total)} aria-label="Progress" />
            <span>
              {running.ended} of {running.total}
            </span>
            <Button label="Stop" onClick={running.stop} />
          </>
        )}
      </div>
    </section>
  );
}

/** How many selected handoffs allow a step; undefined where all matches are selected. */
function countOf(verb: Verb, { rows, isAll }: Selection, pages: RowPages): number | undefined {
  if (isAll) return pages.input.state.some((state) => isPossible(verb, { state } as InboxRow)) ? undefined : 0;
  return [...rows.values()].filter((row) => isPossible(verb, pages.get(row.id) ?? row)).length;
}

function describe({ rows, isAll }: Selection, { count, isWhole }: RowsState): string {
  if (!isAll) return `${rows.size.toLocaleString('en')} selected`;
  const all = isWhole ? `All ${(count - rows.size).toLocaleString('en')} selected` : 'All that match selected';
  return rows.size === 0 || isWhole ? all : `${all} but ${rows.size}`;
}

/** Handoffs of one run: for more, the user filters the list or runs again. */
const RUN_MAX = 1_000;

const PAGE_ROWS = 250;

/** A run over many handoffs in progress. */
interface Run {
  ended: number;
  total: number;
  stop: () => void;
}

/** The run in progress; there is at most one. */
const run = createStore<{ run?: Run }>(() => ({}));

/** Takes a verdict on the selection; handoffs that the server refused stay selected. */
async function runVerdict(verdict: Verdict, selected: Selected, pages: RowPages): Promise<void> {
  if (run.getState().run !== undefined) return announce('A run is still in progress.');
  const leaving = new AbortController();
  const tell = (ended: number, total: number) => run.setState({ run: { ended, total, stop: () => leaving.abort() } });
  try {
    const { isAll, rows } = selected.store.getState();
    tell(0, rows.size);
    const { found, isMore } = isAll
      ? await findAll(verdict, rows, pages)
      : { found: [...rows.values()], isMore: false };
    const current = found.map((row) => pages.get(row.id) ?? row).filter((row) => isPossible(verdict.verb, row));
    if (current.length === 0) return announce('Nothing selected can take that step.');
    tell(0, current.length);
    const onProgress = (ended: number) => tell(ended, current.length);
    const refused = await takeVerdict(verdict, current, { pages, signal: leaving.signal, onProgress });
    selected.set(refused);
    if (isMore && refused.length === 0) announce(`Took the first ${RUN_MAX.toLocaleString('en')}; there are more.`);
  } catch (error) {
    announceFailure(describeProblem(error));
  } finally {
    run.setState({ run: undefined });
  }
}

/** All matches up to the limit of a run, without those that the user deselected. */
async function findAll({ verb }: Verdict, but: ReadonlyMap<string, InboxRow>, pages: RowPages) {
  const found: InboxRow[] = [];
  let cursor: string | undefined;
  do {
    const answer = await listHandoffs({ ...pages.input, limit: PAGE_ROWS, cursor });
    const rows = answer.handoffs.map(toRow);
    found.push(...rows.filter((row) => !but.has(row.id) && isPossible(verb, row)));
    cursor = answer.cursor;
  } while (cursor !== undefined && found.length < RUN_MAX);
  return { found: found.slice(0, RUN_MAX), isMore: cursor !== undefined || found.length > RUN_MAX };
}
