import { useEffect, useRef } from 'react';
import { showHidden } from '../../../../batonpass/src/core/hidden-characters.ts';
import { Button } from '../../../../batonpass/src/react/button.tsx';
import { announce } from '../../shell/announcements.ts';
import { useKeys } from '../../shell/keys.ts';
import { changeQuery, navigate, useRoute } from '../../shell/router.ts';
import type { ScreenProps } from '../../shell/screens.ts';
import { StateMark } from '../../shown/state-mark.tsx';
import '../flow.css';
import './run.css';
import { Absent } from '../../shown/absent.tsx';
import { AttemptView } from './attempt-view.tsx';
import { Comparison } from './comparison.tsx';
import { Decisions } from './decisions.tsx';
import { RunList } from './run-list.tsx';
import { describeOutcome, outcomes } from './step-words.ts';
import {
  type Attempt,
  lastStepOf,
  type Planning,
  type PlanningControl,
  useLivePlanning,
  usePlanning,
} from './use-planning.ts';

/** The planning of one handoff: the planner, the steps, and the result. */
export default function Run({ id }: ScreenProps) {
  const { query } = useRoute();
  const compared = query.get('compare');
  if (id === undefined) return compared === null ? <RunList /> : <Comparison runs={compared} />;
  return <Followed id={id} />;
}

function Followed({ id }: { id: string }) {
  const { value, error, reload } = useLivePlanning(id);
  if (value === undefined) return <Absent what="plan run" name={id} error={error} onRetry={reload} />;
  return <PlanRun loaded={value} reload={reload} />;
}

function PlanRun({ loaded, reload }: { loaded: Planning; reload: () => Promise<void> }) {
  const control = usePlanning(loaded, reload);
  const { handoff, runs, next, running, live, failure, refresh } = control;
  const { attempt, step } = useAttempt(runs);
  useRunKeys(control, step);
  useEffect(() => {
    // The pressed button is gone with the action that it started: keyboard focus continues from the screen.
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
      {attempt === undefined ? <p className="baton-none">Nobody has planned it yet.</p> : null}
      {attempt === undefined ? null : (
        <>
          <Decisions attempt={attempt} next={attempt.outcome === 'completed' ? next : null} onChange={refresh} />
          <AttemptView
            key={attempt.fence}
            handoffId={handoff.id}
            attempt={attempt}
            live={attempt === running ? live : null}
            onRunAgain={mayRunAgain(control, attempt) ? (step) => void runAgain(control, attempt, step) : undefined}
          />
        </>
      )}
    </article>
  );
}

/** Whether a new run can be started from the steps of this one now. */
function mayRunAgain({ handoff, running, runs }: PlanningControl, { steps_max }: Attempt): boolean {
  const isFree = ['open', 'acknowledged'].includes(handoff.delivery.state) || runs.at(-1)?.outcome === 'interrupted';
  // Only the planning agent of this program stores its steps in full.
  return running === undefined && isFree && steps_max !== undefined;
}

/** Runs a step again, and all that follow; those before it are kept. */
function runAgain({ handoff, plan }: PlanningControl, { number }: Attempt, step: number): Promise<void> {
  const again = handoff.delivery.state === 'acknowledged';
  return plan({ from: { attempt: number, after_step: step - 1 }, ...(again && { again }) });
}

/** The attempt in the address, else the newest; and how to go to another. */
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

/** Two presses within this time stop a run: a single press must not end what costs money and time. */
const TWICE_MS = 2_000;

function useRunKeys({ handoff, running, stop }: PlanningControl, step: (by: number) => void): void {
  const pressed_at_ms = useRef(Number.NEGATIVE_INFINITY);
  const stopAtSecond = () => {
    if (performance.now() - pressed_at_ms.current < TWICE_MS) {
      void stop();
      return;
    }
    pressed_at_ms.current = performance.now();
    announce('Press Escape again to stop the run.');
  };
  useKeys('Plan run', [
    running === undefined
      ? { keys: 'Escape', does: 'back to the handoff', run: () => navigate(`/h/${handoff.id}`) }
      : { keys: 'Escape', does: 'twice: stop the run', run: stopAtSecond },
    { keys: ']', does: 'next run', run: () => step(1) },
    { keys: '[', does: 'previous run', run: () => step(-1) },
  ]);
}

function Attempts({ runs, shown }: { runs: readonly Attempt[]; shown: Attempt | undefined }) {
  const last = runs.at(-1);
  return (
    <nav className="studio-chips" aria-label="Attempts">
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
          <span className="baton-unseen"> {describeOutcome(run)}</span>
        </a>
      ))}
    </nav>
  );
}

/** The possible actions: the main one first. */
function Buttons({ control }: { control: PlanningControl }) {
  const { handoff, runs, running, lacksModel, plan, makeSkeleton, stop } = control;
  const { state } = handoff.delivery;
  const last = runs.at(-1);
  const isInterrupted = state === 'claimed' && last?.outcome === 'interrupted';
  if (running !== undefined) {
    return (
      <div className="studio-buttons">
        <Button label="Stop" large onClick={() => void stop()} aria-keyshortcuts="Escape" />
        <span className="baton-hint">
          or <kbd>Esc</kbd> <kbd>Esc</kbd>. The run belongs to the server: it continues when you leave this page.
        </span>
      </div>
    );
  }
  if (!isInterrupted && !['open', 'acknowledged', 'draft'].includes(state)) return null;
  const goOn = state === 'open' || isInterrupted ? goOnOf(last) : undefined;
  const primary = (isFirst: boolean) => (isFirst ? 'primary' : undefined);
  return (
    <div className="studio-buttons">
      {goOn === undefined ? null : (
        <Button
          label={goOn.step === 0 ? 'Start it again' : `Continue after step ${goOn.step}`}
          large
          look={primary(!lacksModel)}
          onClick={() => void plan({ from: { attempt: goOn.attempt } })}
        />
      )}
      {isInterrupted ? (
        <>
          <Button label="Release the handoff" large onClick={() => void stop()} />
          <span className="baton-hint">The model is not called until you choose.</span>
        </>
      ) : null}
      {state === 'open' ? (
        <>
          <Button
            label="Plan with the model"
            large
            look={primary(goOn === undefined && !lacksModel)}
            onClick={() => void plan()}
          />
          <Button label="Create a skeleton" large look={primary(lacksModel)} onClick={() => void makeSkeleton()} />
        </>
      ) : null}
      {state === 'acknowledged' ? (
        <>
          <Button label="Plan again" large onClick={() => void plan({ again: true })} />
          <span className="baton-hint">a new run on the frozen snapshot, as a separate handoff</span>
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

/** The last step of a run that ended too early; a run that ended at its limit cannot be continued. */
function goOnOf(last: Attempt | undefined): { attempt: number; step: number } | undefined {
  if (last?.steps_max === undefined || !['stopped', 'interrupted', 'lapsed', 'error'].includes(last.outcome)) {
    return undefined;
  }
  const step = lastStepOf(last);
  const isInterrupted = last.outcome === 'interrupted';
  return step > 0 || isInterrupted ? { attempt: last.number, step } : undefined;
}

/** The result, and the handoff that continues it. */
function Plan({ control: { next } }: { control: PlanningControl }) {
  if (next === null) return null;
  const directory = next.content.references.find(({ type }) => type === 'plan')?.identifier;
  const name = directory?.split('/').findLast((part) => part !== '');
  return (
    <p className="flow-result">
      {directory === undefined || name === undefined ? null : (
        <>
          The plan is in <a href={`/plan/${encodeURIComponent(name)}`}>{showHidden(directory)}</a>.{' '}
        </>
      )}
      The next handoff is <a href={`/h/${next.id}`}>{showHidden(next.content.title)}</a>{' '}
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

function describeState({ handoff, runs, running, live }: PlanningControl): string {
  if (running !== undefined) {
    if (live === null) return `Running: ${countSteps(running)}.`;
    return `Running: step ${live.step}${running.steps_max === undefined ? '' : ` of at most ${running.steps_max}`}.`;
  }
  const { state, lease } = handoff.delivery;
  if (state === 'open') return 'Ready to be planned.';
  if (state === 'acknowledged') return 'Planned.';
  const last = runs.at(-1);
  if (state === 'claimed' && last?.outcome === 'interrupted') return `Interrupted: ${countSteps(last)}.`;
  if (state === 'claimed') return `Held by ${showHidden(lease?.holder ?? 'somebody')}. Its progress is shown here.`;
  return `It is ${state}.`;
}

function countSteps(run: Attempt): string {
  const step = lastStepOf(run);
  return step === 0 ? 'no step is done yet' : `step ${step} is done`;
}
