import { useEffect, useRef } from 'react';
import { showHidden } from '../../../../batonpass/src/core/hidden-characters.ts';
import { announce } from '../../shell/announcements.ts';
import { useKeys } from '../../shell/keys.ts';
import { changeQuery, navigate, useRoute } from '../../shell/router.ts';
import type { ScreenProps } from '../../shell/screens.ts';
import { StateMark } from '../../shown/state-mark.tsx';
import '../flow.css';
import './run.css';
import { Loaded } from '../loaded.tsx';
import { AttemptView, LiveView } from './attempt-view.tsx';
import { Decisions } from './decisions.tsx';
import { RunList } from './run-list.tsx';
import { outcomes } from './step-words.ts';
import { type Attempt, loadPlanning, type Planning, type PlanningControl, usePlanning } from './use-planning.ts';

/** One handoff's way to its plan: who planned it, step by step, and what came of it. */
export default function Run({ id }: ScreenProps) {
  if (id === undefined) return <RunList />;
  return (
    <Loaded load={() => loadPlanning(id)} what="the plan run">
      {(planning) => <PlanRun loaded={planning} />}
    </Loaded>
  );
}

function PlanRun({ loaded }: { loaded: Planning }) {
  const control = usePlanning(loaded);
  const { handoff, runs, next, live, failure, refresh } = control;
  const { attempt, step } = useAttempt(runs);
  useRunKeys(control, step);
  useEffect(() => {
    // What was pressed is gone with what it began: who goes by the keyboard goes on from the screen.
    if (document.activeElement === document.body) document.getElementById('main')?.focus({ preventScroll: true });
  });
  return (
    <article className="run" aria-labelledby="run-title">
      <header className="run-head">
        <p className="run-way">
          <a href="/run">Runs</a>
          <a href={`/h/${handoff.id}`}>The handoff</a>
          <a href={`/lineage/${handoff.id}`}>Lineage</a>
        </p>
        <h1 id="run-title" className="studio-title" dir="auto">
          {showHidden(handoff.content.title)}
        </h1>
        <p className="run-facts" role="status">
          <StateMark state={handoff.delivery.state} />
          <span>{describeState(control)}</span>
        </p>
        <div role="alert">{failure === '' ? null : <p className="flow-fault">{failure}</p>}</div>
      </header>
      <Buttons control={control} />
      <Plan control={control} />
      {runs.length < 2 ? null : <Attempts runs={runs} shown={attempt} />}
      {attempt === undefined && live === null ? <p className="baton-none">Nobody has planned it yet.</p> : null}
      {attempt === undefined ? null : (
        <>
          <Decisions attempt={attempt} next={attempt.outcome === 'completed' ? next : null} onChange={refresh} />
          <AttemptView key={attempt.fence} attempt={attempt} live={attempt === runs.at(-1) ? live : null} />
        </>
      )}
      {attempt === undefined && live !== null ? <LiveView step={live} /> : null}
    </article>
  );
}

/** The attempt that the address names, else the newest; and how to go to another. */
function useAttempt(runs: readonly Attempt[]) {
  const { query } = useRoute();
  const attempt = runs.find(({ number }) => String(number) === query.get('attempt')) ?? runs.at(-1);
  const step = (by: number) => {
    const to = attempt === undefined ? undefined : runs[runs.indexOf(attempt) + by];
    if (to === undefined) announce(by > 0 ? 'This is the last run.' : 'This is the first run.');
    else changeQuery({ attempt: to === runs.at(-1) ? '' : String(to.number), step: '' });
  };
  return { attempt, step };
}

/** Two presses within this time stop a run: one alone stops nothing that costs money and time. */
const TWICE_MS = 2_000;

function useRunKeys({ handoff, live, stop }: PlanningControl, step: (by: number) => void): void {
  const pressed_at_ms = useRef(Number.NEGATIVE_INFINITY);
  const stopAtSecond = () => {
    if (performance.now() - pressed_at_ms.current < TWICE_MS) {
      stop();
      return;
    }
    pressed_at_ms.current = performance.now();
    announce('Press Escape once more to stop the run.');
  };
  useKeys('Plan run', [
    live === null
      ? { keys: 'Escape', does: 'back to the handoff', run: () => navigate(`/h/${handoff.id}`) }
      : { keys: 'Escape', does: 'twice: stop the run', run: stopAtSecond },
    { keys: ']', does: 'next run', run: () => step(1) },
    { keys: '[', does: 'previous run', run: () => step(-1) },
  ]);
}

function Attempts({ runs, shown }: { runs: readonly Attempt[]; shown: Attempt | undefined }) {
  const last = runs.at(-1);
  return (
    <nav className="run-attempts" aria-label="Attempts">
      {runs.map((run) => (
        <a
          key={run.fence}
          href={`?${run === last ? '' : `attempt=${run.number}`}`}
          aria-current={run === shown ? 'true' : undefined}
          onClick={(event) => {
            event.preventDefault();
            changeQuery({ attempt: run === last ? '' : String(run.number), step: '' });
          }}
        >
          <span aria-hidden="true">{outcomes[run.outcome].glyph}</span> Attempt {run.number}
          <span className="baton-unseen"> {outcomes[run.outcome].word}</span>
        </a>
      ))}
    </nav>
  );
}

/** What can be done now: the way on first. */
function Buttons({ control }: { control: PlanningControl }) {
  const { handoff, live, lacksModel, plan, makeSkeleton, stop } = control;
  const { state } = handoff.delivery;
  if (live !== null) {
    return (
      <div className="studio-buttons">
        <button type="button" className="baton-button" onClick={stop} aria-keyshortcuts="Escape">
          Stop
        </button>
        <span className="baton-hint">
          or <kbd>Esc</kbd> <kbd>Esc</kbd>
        </span>
      </div>
    );
  }
  if (!['open', 'acknowledged', 'draft'].includes(state)) return null;
  return (
    <div className="studio-buttons">
      {state === 'open' ? (
        <>
          <button
            type="button"
            className={`baton-button ${lacksModel ? '' : 'baton-primary'}`}
            onClick={() => void plan()}
          >
            Plan with the model
          </button>
          <button
            type="button"
            className={`baton-button ${lacksModel ? 'baton-primary' : ''}`}
            onClick={() => void makeSkeleton()}
          >
            Make a skeleton
          </button>
        </>
      ) : null}
      {state === 'acknowledged' ? (
        <>
          <button type="button" className="baton-button" onClick={() => void plan(true)}>
            Plan again
          </button>
          <span className="baton-hint">a new run on what was frozen, as a handoff of its own</span>
        </>
      ) : null}
      {state === 'draft' ? (
        <a className="baton-button baton-primary" href={`/review/${handoff.id}`}>
          Review it first
        </a>
      ) : null}
    </div>
  );
}

/** What came of it, and where it goes on. */
function Plan({ control: { next } }: { control: PlanningControl }) {
  if (next === null) return null;
  const directory = next.content.references.find(({ type }) => type === 'plan')?.identifier;
  const name = directory?.split('/').findLast((part) => part !== '');
  return (
    <p className="flow-result">
      {directory === undefined || name === undefined ? null : (
        <>
          The plan lies in <a href={`/plan/${encodeURIComponent(name)}`}>{showHidden(directory)}</a>.{' '}
        </>
      )}
      It goes on as <a href={`/h/${next.id}`}>{showHidden(next.content.title)}</a>{' '}
      <StateMark state={next.delivery.state} />
      {next.delivery.state === 'draft' ? (
        <>
          {' '}
          <a href={`/review/${next.id}`}>Review it</a>
        </>
      ) : null}
    </p>
  );
}

function describeState({ handoff, live }: PlanningControl): string {
  if (live !== null) return live.number === 0 ? 'Asking the model…' : `Step ${live.number} is under way.`;
  const { state, lease } = handoff.delivery;
  if (state === 'open') return 'Ready to be planned.';
  if (state === 'acknowledged') return 'Planned.';
  if (state === 'claimed') return `Held by ${showHidden(lease?.holder ?? 'somebody')}. It is shown here as it goes on.`;
  return `It is ${state}.`;
}
