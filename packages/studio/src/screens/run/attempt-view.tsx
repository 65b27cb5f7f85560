import { useId } from 'react';
import { showHidden } from '../../../../batonpass/src/core/hidden-characters.ts';
import type { LiveStep } from './plan-stream.ts';
import type { Attempt } from './use-planning.ts';

const outcomes: Readonly<Record<Attempt['outcome'], string>> = {
  completed: 'Completed',
  'step-limit': 'Stopped at the most steps',
  error: 'Failed',
  stopped: 'Stopped',
  lapsed: 'Gone silent: its lease lapsed',
  running: 'Under way',
};

/** One attempt at a plan, step by step, with what it decided and why it ended. */
export function AttemptView({ attempt }: { attempt: Attempt }) {
  const { number, planner, outcome, reason, steps, tokens, cost, decisions } = attempt;
  const id = useId();
  const facts = [
    `${steps.length} ${steps.length === 1 ? 'step' : 'steps'}`,
    `${(tokens.input + tokens.output).toLocaleString('en')} tokens`,
    ...(cost === undefined ? [] : [`${cost.amount.toFixed(4)} ${cost.currency}`]),
  ];
  return (
    <section className="flow-attempt" data-outcome={outcome} aria-labelledby={id}>
      <h2 id={id} className="flow-subtitle">
        Attempt {number} · {outcomes[outcome]}
      </h2>
      <p className="baton-hint">
        {showHidden(planner)}
        {steps.length === 0 ? '' : ` · ${facts.join(' · ')}`}
      </p>
      {reason === undefined ? null : <p dir="auto">{showHidden(reason)}</p>}
      {decisions.length === 0 ? null : (
        <>
          <h3 className="baton-group">New from planning ({decisions.length})</h3>
          <ul className="flow-decisions">
            {[...new Set(decisions)].map((text) => (
              <li key={text} dir="auto">
                {showHidden(text)}
              </li>
            ))}
          </ul>
        </>
      )}
      {steps.length === 0 ? null : (
        <ol className="flow-steps">
          {steps.map((step) => (
            <StepView key={step.number} step={step} />
          ))}
        </ol>
      )}
    </section>
  );
}

/** The step that a model is at, as it says it. */
export function LiveView({ step }: { step: LiveStep }) {
  return (
    <section className="flow-live" aria-label="The step under way">
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

function StepView({ step }: { step: Attempt['steps'][number] }) {
  const { number, text, tools, tokens, duration_ms } = step;
  return (
    <li>
      <details className="flow-step">
        <summary>
          <span className="flow-step-number">{number}</span> {namesOf(tools.map(({ name }) => name))}
          <span className="baton-hint">
            {(tokens.input + tokens.output).toLocaleString('en')} tokens · {(duration_ms / 1000).toFixed(1)} s
          </span>
        </summary>
        {text === '' ? null : (
          <p className="baton-text" dir="auto">
            {showHidden(text)}
          </p>
        )}
        {tools.map((tool, place) => (
          <div key={place}>
            <Value label={`${tool.name} was given`} value={tool.input} />
            <Value label={`${tool.name} gave`} value={tool.output} />
          </div>
        ))}
      </details>
    </li>
  );
}

function Value({ label, value }: { label: string; value: unknown }) {
  return (
    <section className="flow-text" aria-label={showHidden(label)}>
      <p className="baton-hint">{showHidden(label)}</p>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a text that scrolls must be reached by the keyboard. */}
      <pre tabIndex={0}>{showHidden(typeof value === 'string' ? value : JSON.stringify(value, null, 2))}</pre>
    </section>
  );
}

function namesOf(tools: readonly string[]): string {
  return tools.length === 0 ? 'words alone' : tools.map(showHidden).join(', ');
}
