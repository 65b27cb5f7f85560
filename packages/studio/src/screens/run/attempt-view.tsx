import { useId, useMemo, useState } from 'react';
import { showHidden } from '../../../../batonpass/src/core/hidden-characters.ts';
import type { LivePlanning } from '../../../../batonpass/src/operations/planning/background-runs.ts';
import { useKeys } from '../../shell/keys.ts';
import { changeQuery, useRoute } from '../../shell/router.ts';
import { StepDetail } from './step-detail.tsx';
import { StepList } from './step-list.tsx';
import { StepTable } from './step-table.tsx';
import { layOutSteps, type StepTimes } from './step-times.ts';
import { describeDuration, describeOutcome, describeReason, namesOf, outcomes, says } from './step-words.ts';
import { Strip } from './strip.tsx';
import { type Attempt, lastStepOf } from './use-planning.ts';

/** Fewer steps are seen at once in their list. */
const STRIP_STEPS_MIN = 40;

/** What an attempt is shown with. */
interface AttemptViewProps {
  handoffId: string;
  attempt: Attempt;
  /** The step that its model is at; null where none is. */
  live: LivePlanning | null;
  /** Runs again from a step; absent where that cannot be done now. */
  onRunAgain: ((step: number) => void) | undefined;
}

/** One attempt at a plan, step by step, with what each was given and gave, and why it ended. */
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
              {steps_max === undefined ? steps.length : `${lastStepOf(attempt)} / ${steps_max}`}{' '}
              {steps.length === 1 && steps_max === undefined ? 'step' : 'steps'}
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
              <p className="baton-none">No step says so.</p>
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
          Goes on after{' '}
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
    ...(cost === undefined ? [] : [`${cost.amount.toFixed(4)} ${cost.currency}`]),
    describeDuration(whole_ms),
  ];
}

/** The step that a model is at, as it says it. */
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
