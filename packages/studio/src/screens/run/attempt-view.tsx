import { useId, useMemo, useState } from 'react';
import { showHidden } from '../../../../batonpass/src/core/hidden-characters.ts';
import { useKeys } from '../../shell/keys.ts';
import { changeQuery, useRoute } from '../../shell/router.ts';
import type { LiveStep } from './plan-stream.ts';
import { StepDetail } from './step-detail.tsx';
import { StepList } from './step-list.tsx';
import { StepTable } from './step-table.tsx';
import { layOutSteps, type StepTimes } from './step-times.ts';
import { describeDuration, namesOf, outcomes, says } from './step-words.ts';
import { Strip } from './strip.tsx';
import type { Attempt } from './use-planning.ts';

/** Fewer steps are seen at once in their list. */
const STRIP_STEPS_MIN = 40;

/** One attempt at a plan, step by step, with what each was given and gave, and why it ended. */
export function AttemptView({ attempt, live }: { attempt: Attempt; live: LiveStep | null }) {
  const { number, planner, outcome, reason, steps, steps_max } = attempt;
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
  const { glyph, word, says: ending } = outcomes[outcome];
  return (
    <section className="run-attempt" data-outcome={outcome} aria-labelledby={id}>
      <header className="run-attempt-head">
        <h2 id={id} className="run-attempt-title">
          <span aria-hidden="true">{glyph} </span>Attempt {number} · {word}
        </h2>
        <p className="run-facts">
          <span>{showHidden(planner)}</span>
          {factsOf(attempt, times).map((fact) => (
            <span key={fact}>{fact}</span>
          ))}
        </p>
        {reason === undefined && ending === '' ? null : (
          <p className="baton-text" dir="auto">
            {reason === undefined ? ending : showHidden(reason)}
          </p>
        )}
      </header>
      {steps.length === 0 ? (
        <p className="baton-none">{outcome === 'running' ? 'No step is done yet.' : 'It took no step.'}</p>
      ) : (
        <>
          <div className="run-steps-head">
            <p className="run-count">
              {steps_max === undefined ? steps.length : `${steps.length} / ${steps_max}`}{' '}
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
            {chosen === undefined ? <p className="baton-none">No step says so.</p> : <StepDetail step={chosen} />}
          </div>
          <StepTable steps={found} times={times} chosen={chosen?.number} onChoose={choose} />
        </>
      )}
      {live === null ? null : <LiveView step={live} />}
    </section>
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
export function LiveView({ step }: { step: LiveStep }) {
  return (
    <section className="run-live" aria-label="The step under way">
      <p className="baton-hint">
        {step.number === 0 ? 'Asking the model…' : `Step ${step.number}: ${namesOf(step.tools)}`}
      </p>
      {step.text === '' ? null : (
        <p className="baton-text" dir="auto">
          {showHidden(step.text)}
        </p>
      )}
    </section>
  );
}
