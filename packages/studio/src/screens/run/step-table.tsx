import { useState } from 'react';
import { describeMoment, type StepTimes } from './step-times.ts';
import { describeDuration, hasFailed, namesOf, type Step } from './step-words.ts';

/** What the table is made of. */
interface StepTableProps {
  steps: readonly Step[];
  times: StepTimes;
  chosen: number | undefined;
  onChoose: (number: number) => void;
}

/** The waterfall in words and numbers: for whoever does not see it, or wants to know exactly. Made when it is asked for. */
export function StepTable({ steps, times, chosen, onChoose }: StepTableProps) {
  const [isOpen, setOpen] = useState(false);
  return (
    <details className="run-table" onToggle={({ currentTarget }) => setOpen(currentTarget.open)}>
      <summary>Times as a table</summary>
      {isOpen ? (
        // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reached by the keyboard.
        <section className="run-table-room" aria-label="Times of the steps" tabIndex={0}>
          <table>
            <thead>
              <tr>
                <th scope="col">Step</th>
                <th scope="col">Does</th>
                <th scope="col">Begins at</th>
                <th scope="col">Takes</th>
                <th scope="col">Ends at</th>
                <th scope="col">Tokens</th>
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

function Line({ step, times, isChosen, onChoose }: Omit<StepTableProps, 'steps' | 'chosen'> & LineProps) {
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

interface LineProps {
  step: Step;
  isChosen: boolean;
}
