import { showHidden } from '../../../../batonpass/src/core/hidden-characters.ts';
import { call } from '../../server/call.ts';
import { useLive } from '../../server/use-live.ts';
import { Absent } from '../../shown/absent.tsx';
import { layOutSteps } from './step-times.ts';
import {
  describeCost,
  describeDuration,
  describeOutcome,
  describeReason,
  describeTokens,
  namesOf,
  outcomes,
} from './step-words.ts';
import { type Attempt, lastStepOf } from './use-planning.ts';

interface Side {
  id: string;
  title: string;
  run: Attempt;
}

/** Two runs side by side: costs, steps and decisions. The address names both, as `ID:ATTEMPT,ID:ATTEMPT`. */
export function Comparison({ runs }: { runs: string }) {
  const { value, error, reload } = useLive(() => loadSides(runs));
  if (value === undefined) return <Absent what="comparison of runs" error={error} onRetry={reload} />;
  return (
    <section className="run" aria-labelledby="compare-title">
      <p className="run-way">
        <a href="/run">Runs</a>
      </p>
      <h1 id="compare-title" className="studio-title">
        Two runs
      </h1>
      {value.length < 2 ? <p className="baton-none">The address does not name two existing runs.</p> : null}
      {value.length < 2 ? null : <Table sides={value} />}
    </section>
  );
}

async function loadSides(runs: string): Promise<Side[]> {
  const wanted = runs.split(',').slice(0, 2);
  const sides = await Promise.all(
    wanted.map(async (each) => {
      const [id = '', number = ''] = each.split(':');
      const [handoff, found] = await Promise.all([call('handoff.get', { id }), call('planning.runs', { id })]);
      const run = found.runs.find((attempt) => String(attempt.number) === number);
      return run === undefined ? [] : [{ id: handoff.id, title: handoff.content.title, run }];
    }),
  );
  return sides.flat();
}

const facts: readonly { label: string; of: (run: Attempt) => string }[] = [
  { label: 'Outcome', of: (run) => `${outcomes[run.outcome].glyph} ${describeOutcome(run)}` },
  { label: 'Why', of: describeReason },
  { label: 'Model', of: ({ planner }) => showHidden(planner) },
  { label: 'Steps', of: (run) => String(lastStepOf(run)) },
  { label: 'Tokens in', of: ({ tokens }) => tokens.input.toLocaleString('en') },
  { label: 'Tokens out', of: ({ tokens }) => tokens.output.toLocaleString('en') },
  { label: 'Cost', of: ({ cost }) => describeCost(cost) },
  { label: 'Duration', of: (run) => describeDuration(layOutSteps(run).whole_ms) },
  { label: 'Decided', of: ({ decisions }) => [...new Set(decisions)].map(showHidden).join('\n') },
  { label: 'Tasks of the plan', of: ({ plan_content }) => tasksOf(plan_content).map(showHidden).join('\n') },
];

/** The names of a plan's tasks, in order; none of a plan that is too long for the history. */
function tasksOf(plan: unknown): string[] {
  const { tasks } = (plan ?? {}) as { tasks?: unknown };
  if (!Array.isArray(tasks)) return [];
  return tasks.map((task: { name?: unknown } | null, at) => `${at + 1}. ${String(task?.name ?? '')}`);
}

function Table({ sides }: { sides: readonly Side[] }) {
  const last = Math.max(...sides.map(({ run }) => lastStepOf(run)));
  const steps = Array.from({ length: last }, (_, at) => at + 1);
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: scrollable content must be reachable by keyboard.
    <section className="run-compare" aria-label="Both runs" tabIndex={0}>
      <table>
        <thead>
          <tr>
            <td />
            {sides.map(({ id, title, run }, at) => (
              <th key={at} scope="col">
                <a href={`/run/${id}?attempt=${run.number}`}>
                  {showHidden(title)}, attempt {run.number}
                </a>
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {facts.map(({ label, of }) => (
            <Line key={label} label={label} cells={sides.map(({ run }) => of(run))} />
          ))}
          {steps.map((number) => (
            <Line key={number} label={`Step ${number}`} cells={sides.map(({ run }) => describeStep(run, number))} />
          ))}
        </tbody>
      </table>
    </section>
  );
}

/** A line of the table; it is left out where neither run has a value. */
function Line({ label, cells }: { label: string; cells: readonly string[] }) {
  if (cells.every((cell) => cell === '')) return null;
  return (
    <tr data-differs={new Set(cells).size > 1}>
      <th scope="row">{label}</th>
      {cells.map((cell, at) => (
        <td key={at} dir="auto">
          {cell === '' ? '–' : cell}
        </td>
      ))}
    </tr>
  );
}

function describeStep({ steps, from }: Attempt, number: number): string {
  const step = steps.find((each) => each.number === number);
  if (step === undefined) return from !== undefined && number <= from.step ? `as in attempt ${from.attempt}` : '';
  const { tools, tokens, duration_ms } = step;
  return `${namesOf(tools.map(({ name }) => name))}\n${describeTokens(tokens)}, ${describeDuration(duration_ms)}`;
}
