import { showHidden } from '../../../../batonpass/src/core/hidden-characters.ts';
import { useKeys } from '../../shell/keys.ts';
import type { ScreenProps } from '../../shell/screens.ts';
import '../flow.css';
import { Loaded } from '../loaded.tsx';
import { AttemptView, LiveView } from './attempt-view.tsx';
import { loadPlanning, type Planning, type PlanningControl, usePlanning } from './use-planning.ts';

/** One handoff's way to its plan: who planned it, step by step, and what came of it. */
export default function Run({ id }: ScreenProps) {
  if (id === undefined) {
    return (
      <div className="baton-empty">
        <p className="baton-empty-title">No runs yet</p>
        <p className="baton-hint">
          Approve a draft from the <a href="/inbox">inbox</a>: its plan run is shown here.
        </p>
      </div>
    );
  }
  return (
    <Loaded load={() => loadPlanning(id)} what="the plan run">
      {(planning) => <PlanRun loaded={planning} />}
    </Loaded>
  );
}

function PlanRun({ loaded }: { loaded: Planning }) {
  const control = usePlanning(loaded);
  const { handoff, runs, live, failure } = control;
  const isRunning = live !== null;
  const [newest, ...earlier] = runs.toReversed();
  useKeys('Plan run', isRunning ? [{ keys: 'Escape', does: 'stop the run', run: control.stop }] : []);
  return (
    <section className="flow-screen" aria-labelledby="run-title">
      <header className="flow-head">
        <h1 id="run-title" className="flow-title" dir="auto">
          {showHidden(handoff.content.title)}
        </h1>
        <p className="baton-hint" role="status">
          {describeState(control)}
        </p>
      </header>
      <div role="alert">{failure === '' ? null : <p className="flow-fault">{failure}</p>}</div>
      <Buttons control={control} />
      <Plan control={control} />
      {newest === undefined && !isRunning ? <p className="baton-none">Nobody has planned it yet.</p> : null}
      {newest === undefined ? null : <AttemptView key={newest.fence} attempt={newest} />}
      {live === null ? null : <LiveView step={live} />}
      {earlier.length === 0 ? null : (
        <details className="flow-earlier">
          <summary>Earlier attempts ({earlier.length})</summary>
          {earlier.map((attempt) => (
            <AttemptView key={attempt.fence} attempt={attempt} />
          ))}
        </details>
      )}
    </section>
  );
}

/** What can be done now: the way on first. */
function Buttons({ control }: { control: PlanningControl }) {
  const { handoff, live, lacksModel, plan, makeSkeleton, stop } = control;
  const { state } = handoff.delivery;
  if (live !== null) {
    return (
      <div className="flow-buttons">
        <button type="button" className="baton-button" onClick={stop}>
          Stop
        </button>
      </div>
    );
  }
  return (
    <div className="flow-buttons">
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
        <button type="button" className="baton-button" onClick={() => void plan(true)}>
          Plan again
        </button>
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
  return (
    <p className="flow-result">
      {directory === undefined ? null : (
        <>
          The plan lies in <code>{showHidden(directory)}</code>.{' '}
        </>
      )}
      It goes on as <a href={`/h/${next.id}`}>{showHidden(next.content.title)}</a>.
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
