import { createStore } from 'zustand/vanilla';
import { listHandoffs } from '../../server/call.ts';
import { describeProblem } from '../../server/server-problem.ts';
import { announce, announceFailure } from '../../shell/announcements.ts';
import type { RowPages } from './row-pages.ts';
import { type Row, toRow } from './rows.ts';
import type { Selected } from './selection.ts';
import { isPossible, takeVerdict, type Verdict } from './verdicts.ts';

/** Handoffs of one run: whoever means more narrows the list, or runs again. */
const RUN_MAX = 1_000;

const PAGE_ROWS = 250;

/** A run over many handoffs, while it goes on. */
export interface Run {
  ended: number;
  total: number;
  stop: () => void;
}

/** The run that is under way; there is one at a time. */
export const run = createStore<{ run?: Run }>(() => ({}));

/** Takes a verdict with all that is selected; those that the server refused stay selected. */
export async function runVerdict(verdict: Verdict, selected: Selected, pages: RowPages): Promise<void> {
  if (run.getState().run !== undefined) return announce('A run is still under way.');
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

/** All that match, as far as one run goes, but those that were taken out by hand. */
async function findAll({ verb }: Verdict, but: ReadonlyMap<string, Row>, pages: RowPages) {
  const found: Row[] = [];
  let cursor: string | undefined;
  do {
    const place = cursor === undefined ? {} : { cursor };
    const answer = await listHandoffs({ ...pages.input, limit: PAGE_ROWS, ...place });
    const rows = answer.handoffs.map(toRow);
    found.push(...rows.filter((row) => !but.has(row.id) && isPossible(verb, row)));
    cursor = answer.cursor;
  } while (cursor !== undefined && found.length < RUN_MAX);
  return { found: found.slice(0, RUN_MAX), isMore: cursor !== undefined || found.length > RUN_MAX };
}
