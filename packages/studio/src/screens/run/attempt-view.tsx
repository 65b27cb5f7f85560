import { useId, useMemo, useState } from 'react';
import { showHidden } from '../../../../batonpass/src/core/hidden-characters.ts';
import type { LivePlanning } from '../../../../batonpass/src/operations/planning/background-runs.ts';
import { useKeys } from '../../shell/keys.ts';
import { changeQuery, useRoute } from '../../shell/router.ts';
import { count } from '../../shown/count.ts';
import { StepDetail } from './step-detail.tsx';
import { StepList } from './step-list.tsx';
import { describeMoment, layOutSteps, type StepTimes } from './step-times.ts';
import {
  type AttemptStep,
  describeCost,
  describeDuration,
  describeOutcome,
  describeReason,
  hasFailed,
  namesOf,
  outcomes,
  says,
} from './step-words.ts';
import { type Attempt, lastStepOf } from './use-planning.ts';

/** A shorter list of steps is visible as a whole. */
const STRIP_STEPS_MIN = 40;

interface AttemptViewProps {
  handoffId: string;
  attempt: Attempt;
  /** The step that the model works on; null where none is. */
  live: LivePlanning | null;
  /** Runs again from a step; absent where that is not possible now. */
  onRunAgain: ((step: number) => void) | undefined;
}

/** One attempt at a plan, step by step, with the inputs and outputs of each, and why it ended. */
export function AttemptView({ handoffId, attempt, live, onRunAgain }: AttemptViewProps) {
  const { number, outcome, steps, steps_max } = attempt;
  const id = useId();
  const { query } = useRoute();
  const [wanted, setWanted] = useState('');
  const found = steps.filter((step) => says(step, wanted));
  const chosen = found.find((step) => String(step.number) === query.get('step')) ?? found[0];
  const times = useMemo(() => layOutSteps(attempt), [attempt]);
  const choose = (step: number) => changeQuery({ step: String(step) });
  useKeys('Steps', [
    { keys: '/', does: 'find in the steps', run: () => document.getElementById(`${id}-find`)?.focus() },
  ]);
  return (
    <section className="run-attempt" data-outcome={outcome} aria-labelledby={id}>
      <AttemptHead id={id} attempt={attempt} times={times} />
      {live === null ? null : <LiveView step={live} />}
      {steps.length === 0 ? (
        <p className="baton-none">{outcome === 'running' ? 'No step is done yet.' : 'It took no step.'}</p>
      ) : (
        <>
          <div className="run-steps-head">
            <p className="run-count">
              {steps_max === undefined ? count(steps.length, 'step') : `${lastStepOf(attempt)} / ${steps_max} steps`}
            </p>
            <input
              id={`${id}-find`}
              type="search"
              className="baton-field run-find"
              aria-label="Find in the steps"
              placeholder="Find in the steps  /"
              value={wanted}
              onChange={({ target }) => setWanted(target.value)}
            />
            <p role="status" className="baton-hint">
              {wanted === '' ? '' : `${found.length} found`}
            </p>
          </div>
          {steps.length < STRIP_STEPS_MIN ? null : <Strip steps={steps} chosen={chosen?.number} />}
          <div className="run-panes">
            <StepList steps={found} times={times} chosen={chosen?.number} onChoose={choose} />
            {chosen === undefined ? (
              <p className="baton-none">No step matches.</p>
            ) : (
              <StepDetail
                key={chosen.number}
                step={chosen}
                of={{ handoffId, attempt: number }}
                onRunAgain={onRunAgain && (() => onRunAgain(chosen.number))}
              />
            )}
          </div>
          <StepTable steps={found} times={times} chosen={chosen?.number} onChoose={choose} />
        </>
      )}
    </section>
  );
}

function AttemptHead({ id, attempt, times }: { id: string; attempt: Attempt; times: StepTimes }) {
  const { number, planner, outcome, from } = attempt;
  const why = describeReason(attempt);
  return (
    <header className="run-attempt-head">
      <h2 id={id} className="run-attempt-title">
        <span aria-hidden="true">{outcomes[outcome].glyph} </span>Attempt {number} · {describeOutcome(attempt)}
      </h2>
      <p className="run-facts">
        <span>{showHidden(planner)}</span>
        {factsOf(attempt, times).map((fact) => (
          <span key={fact}>{fact}</span>
        ))}
      </p>
      {from === undefined || from.step === 0 ? null : (
        <p className="baton-hint">
          Continues after{' '}
          <a href={`/run/${from.handoff_id}?attempt=${from.attempt}&step=${from.step}`}>
            step {from.step} of attempt {from.attempt}
          </a>
          .
        </p>
      )}
      {why === '' ? null : (
        <p className="baton-text" dir="auto">
          {why}
        </p>
      )}
    </header>
  );
}

function factsOf({ steps, tokens, cost }: Attempt, { whole_ms }: StepTimes): string[] {
  if (steps.length === 0) return [];
  return [
    `${tokens.input.toLocaleString('en')} tokens in, ${tokens.output.toLocaleString('en')} out`,
    ...(cost === undefined ? [] : [describeCost(cost)]),
    describeDuration(whole_ms),
  ];
}

/** The model's present step, with its text. */
function LiveView({ step: { step, text, tools } }: { step: LivePlanning }) {
  return (
    <section className="run-live" aria-label="The present step">
      <p className="baton-hint">
        Step {step}: {tools.length === 0 ? 'the model answers…' : namesOf(tools)}
      </p>
      {text === '' ? null : (
        <p className="baton-text" dir="auto">
          {showHidden(text)}
        </p>
      )}
    </section>
  );
}

/** The most bars of the strip; with more steps several share one. */
const BARS_MAX = 300;

const HEIGHT = 28;

/** All steps at a glance, the longest the tallest: where time went, and where something failed. */
function Strip({ steps, chosen }: { steps: readonly AttemptStep[]; chosen: number | undefined }) {
  const size = Math.ceil(steps.length / BARS_MAX);
  const count = Math.ceil(steps.length / size);
  const bars = Array.from({ length: count }, (_, index) => toBar(steps.slice(index * size, (index + 1) * size)));
  const most_ms = Math.max(1, ...bars.map(({ duration_ms }) => duration_ms));
  return (
    <svg
      className="run-strip"
      viewBox={`0 0 ${count * 3} ${HEIGHT}`}
      preserveAspectRatio="none"
      role="img"
      aria-label={`How long each of ${steps.length} steps took`}
    >
      {bars.map(({ first, last, duration_ms, isFailed }, index) => {
        const height = Math.max(2, (duration_ms / most_ms) * HEIGHT);
        const isChosen = chosen !== undefined && chosen >= first && chosen <= last;
        const kind = isChosen ? 'chosen' : isFailed ? 'failed' : 'done';
        return <rect key={first} x={index * 3} y={HEIGHT - height} width="2" height={height} data-kind={kind} />;
      })}
    </svg>
  );
}

function toBar(steps: readonly AttemptStep[]) {
  return {
    first: steps[0]?.number ?? 0,
    last: steps.at(-1)?.number ?? 0,
    duration_ms: Math.max(0, ...steps.map(({ duration_ms }) => duration_ms)),
    isFailed: steps.some(hasFailed),
  };
}

interface StepTableProps {
  steps: readonly AttemptStep[];
  times: StepTimes;
  chosen: number | undefined;
  onChoose: (number: number) => void;
}

/** The waterfall as a table: for screen readers, and for exact numbers. Rendered when it is opened. */
function StepTable({ steps, times, chosen, onChoose }: StepTableProps) {
  const [isOpen, setOpen] = useState(false);
  return (
    <details className="run-table" onToggle={({ currentTarget }) => setOpen(currentTarget.open)}>
      <summary>Times as a table</summary>
      {isOpen ? (
        // biome-ignore lint/a11y/noNoninteractiveTabindex: scrollable content must be reachable by keyboard.
        <section className="run-table-room" aria-label="Times of the steps" tabIndex={0}>
          <table>
            <thead>
              <tr>
                {['Step', 'Does', 'Begins at', 'Takes', 'Ends at', 'Tokens'].map((name) => (
                  <th key={name} scope="col">
                    {name}
                  </th>
                ))}
              </tr>
            </thead>
            <tbody>
              {steps.map((step) => (
                <Line key={step.number} {...{ step, times, onChoose }} isChosen={step.number === chosen} />
              ))}
            </tbody>
          </table>
        </section>
      ) : null}
    </details>
  );
}

interface LineProps extends Pick<StepTableProps, 'times' | 'onChoose'> {
  step: AttemptStep;
  isChosen: boolean;
}

function Line({ step, times, isChosen, onChoose }: LineProps) {
  const { number, tools, tokens, duration_ms } = step;
  const { from_ms, to_ms } = times.spans.get(number) ?? { from_ms: 0, to_ms: 0 };
  return (
    <tr aria-current={isChosen ? 'true' : undefined}>
      <th scope="row">
        <button type="button" className="run-table-step" onClick={() => onChoose(number)}>
          {number}
        </button>
      </th>
      <td>
        {namesOf(tools.map(({ name }) => name))}
        {hasFailed(step) ? <span className="run-failed"> failed</span> : null}
      </td>
      <td>{describeMoment(from_ms)}</td>
      <td>{describeDuration(duration_ms)}</td>
      <td>{describeMoment(to_ms)}</td>
      <td>{(tokens.input + tokens.output).toLocaleString('en')}</td>
    </tr>
  );
}
