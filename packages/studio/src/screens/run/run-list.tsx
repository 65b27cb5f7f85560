import { useState } from 'react';
import type { Handoff } from '../../../../batonpass/src/core/handoff.ts';
import { showHidden } from '../../../../batonpass/src/core/hidden-characters.ts';
import { planAgentName } from '../../../../batonpass/src/draft/plan-agent-name.ts';
import type { OperationOutput } from '../../../../batonpass/src/operations/catalogue.ts';
import { Button } from '../../../../batonpass/src/react/button.tsx';
import { call, listHandoffs } from '../../server/call.ts';
import { useLive } from '../../server/use-live.ts';
import { navigate } from '../../shell/router.ts';
import { Absent } from '../../shown/absent.tsx';
import { describeSince, useNow } from '../../shown/age.tsx';
import { StateMark } from '../../shown/state-mark.tsx';
import { describeCost, describeDuration, describeOutcome, outcomes } from './step-words.ts';

type RunRow = OperationOutput<'planning.list'>['runs'][number];

/** The handoffs of one page. */
const LISTED_MAX = 100;

/** Handoffs that wait to be planned, and all runs, as a table. */
export function RunList() {
  const [pages, setPages] = useState(1);
  const { value, error, reload } = useLive((signal) => loadRuns(pages, signal), { key: String(pages) });
  if (value === undefined) return <Absent what="list of runs" error={error} onRetry={reload} />;
  const { waiting, runs, hasMore } = value;
  if (waiting.length + runs.length === 0 && !hasMore) {
    return (
      <div className="baton-empty">
        <h1 className="baton-empty-title">No runs yet</h1>
        <p className="baton-hint">
          Approve a draft from the <a href="/inbox">inbox</a>: its plan run is shown here.
        </p>
      </div>
    );
  }
  return (
    <section className="run" aria-labelledby="runs-title">
      <h1 id="runs-title" className="studio-title">
        Plan runs
      </h1>
      {waiting.length === 0 ? null : <Waiting handoffs={waiting} />}
      {runs.length === 0 ? null : <RunTable runs={runs} />}
      {hasMore || value.pages > 1 ? (
        <Button
          label={hasMore ? 'Show older' : 'All runs are shown'}
          large
          aria-disabled={!hasMore}
          onClick={() => hasMore && setPages(value.pages + 1)}
        />
      ) : null}
    </section>
  );
}

async function loadRuns(pages: number, signal: AbortSignal) {
  const [open, found] = await Promise.all([
    listHandoffs({ target_agent: planAgentName, state: ['open'], limit: LISTED_MAX }, signal),
    loadPages(pages, signal),
  ]);
  return { waiting: open.handoffs, pages, ...found };
}

/** The runs of this many pages, newest first. */
async function loadPages(pages: number, signal: AbortSignal): Promise<{ runs: RunRow[]; hasMore: boolean }> {
  // A run with several plans can be listed once per plan.
  const found = new Map<string, RunRow>();
  let cursor: string | undefined;
  for (let page = 0; page < pages; page += 1) {
    const answer = await call('planning.list', { limit: LISTED_MAX, cursor }, { signal });
    for (const run of answer.runs) found.set(keyOf(run), run);
    cursor = answer.cursor;
    if (cursor === undefined) break;
  }
  const runs = [...found.values()].sort((left, right) => (left.started_at < right.started_at ? 1 : -1));
  return { runs, hasMore: cursor !== undefined };
}

function Waiting({ handoffs }: { handoffs: readonly Handoff[] }) {
  const now_ms = useNow();
  return (
    <section aria-label="To be planned">
      <h2 className="baton-group">To be planned</h2>
      <ul className="run-list">
        {handoffs.map((handoff) => (
          <li key={handoff.id}>
            <a href={`/run/${encodeURIComponent(handoff.id)}`} className="studio-row-title">
              {showHidden(handoff.content.title)}
            </a>
            <StateMark state={handoff.delivery.state} />
            <span className="baton-hint">{describeSince(handoff.created_at, now_ms, 'old')}</span>
          </li>
        ))}
      </ul>
    </section>
  );
}

const keyOf = ({ handoff_id, number }: RunRow) => `${handoff_id}:${number}`;

const columns = ['Handoff', 'Outcome', 'Model', 'Steps', 'Tokens', 'Cost', 'Duration', 'Began'] as const;

function RunTable({ runs }: { runs: readonly RunRow[] }) {
  const [chosen, setChosen] = useState<readonly string[]>([]);
  const toggle = (key: string) =>
    // Of three, the two that were chosen last are compared.
    setChosen((before) => (before.includes(key) ? before.filter((each) => each !== key) : [...before, key].slice(-2)));
  const isReady = chosen.length === 2;
  return (
    <section aria-label="Runs" className="run-all">
      <div className="run-steps-head">
        <h2 className="baton-group">Runs</h2>
        <Button
          label="Compare two"
          aria-disabled={!isReady}
          onClick={() => isReady && navigate(`/run?compare=${chosen.map(encodeURIComponent).join(',')}`)}
        />
        <span className="baton-hint" role="status">
          {isReady ? '' : `${chosen.length} of 2 chosen`}
        </span>
      </div>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: scrollable content must be reachable by keyboard. */}
      <section className="run-table-room" aria-label="Table of the runs" tabIndex={0}>
        <table>
          <thead>
            <tr>
              <th scope="col">
                <span className="baton-unseen">Compare</span>
              </th>
              {columns.map((name) => (
                <th key={name} scope="col">
                  {name}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {runs.map((run) => (
              <Row key={keyOf(run)} run={run} isChosen={chosen.includes(keyOf(run))} onToggle={toggle} />
            ))}
          </tbody>
        </table>
      </section>
    </section>
  );
}

function Row({ run, isChosen, onToggle }: { run: RunRow; isChosen: boolean; onToggle: (key: string) => void }) {
  const now_ms = useNow();
  const { handoff_id, number, title, outcome, planner, steps, steps_max, tokens, cost, duration_ms } = run;
  const shown = showHidden(title);
  return (
    <tr data-outcome={outcome} aria-selected={isChosen}>
      <td>
        <input
          type="checkbox"
          className="run-choose"
          checked={isChosen}
          aria-label={`Compare attempt ${number} at ${shown}`}
          onChange={() => onToggle(keyOf(run))}
        />
      </td>
      <th scope="row">
        <a href={`/run/${encodeURIComponent(handoff_id)}?attempt=${number}`} className="studio-row-title" dir="auto">
          {shown}
        </a>
        {number === 1 ? null : <span className="baton-hint"> attempt {number}</span>}
      </th>
      <td>
        <span aria-hidden="true">{outcomes[outcome].glyph}</span> {describeOutcome(run)}
      </td>
      <td>{showHidden(planner)}</td>
      <td>{steps_max === undefined ? steps : `${steps} / ${steps_max}`}</td>
      <td>{(tokens.input + tokens.output).toLocaleString('en')}</td>
      <td>{describeCost(cost)}</td>
      <td>{describeDuration(duration_ms)}</td>
      <td>{describeSince(run.started_at, now_ms, 'ago')}</td>
    </tr>
  );
}
