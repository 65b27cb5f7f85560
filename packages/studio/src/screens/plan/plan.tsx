import { showHidden } from '../../../../batonpass/src/core/hidden-characters.ts';
import type { OperationOutput } from '../../../../batonpass/src/operations/catalogue.ts';
import { call, listHandoffs } from '../../server/call.ts';
import { describeProblem } from '../../server/server-problem.ts';
import { useLive } from '../../server/use-live.ts';
import { useKeys } from '../../shell/keys.ts';
import { navigate } from '../../shell/router.ts';
import { Absent } from '../../shown/absent.tsx';
import { Phase } from './phase.tsx';
import { Progress, statusMarks } from './progress.tsx';
import { useTicking } from './use-ticking.ts';

/** Documents tell of no change: they are looked at so often while somebody looks. */
export const LOOK_MS = 5_000;

/** As many tasks as one answer gives: a browser shows more in a list that nobody reads. */
const TASKS_MAX = 1_000;

type Outline = OperationOutput<'plan.outline'>;

/** One plan: what of it is done, what is in work, and what waits. */
export function Plan({ name }: { name: string }) {
  const { value, error, reload } = useLive(
    (signal) => call('plan.outline', { plan_directory: name, limit: TASKS_MAX }, { signal }),
    {
      every_ms: LOOK_MS,
    },
  );
  useKeys('Plan', [
    { keys: 'Escape', does: 'back to the plans', run: () => navigate('/plans') },
    { keys: 'j', does: 'next item', run: () => moveFocus(1) },
    { keys: 'k', does: 'previous item', run: () => moveFocus(-1) },
  ]);
  if (value === undefined) return <Absent what="plan" name={name} error={error} onRetry={reload} />;
  return (
    <article className="plan">
      {error === undefined ? null : <p className="baton-banner baton-banner-fault">{describeProblem(error)}</p>}
      <Head outline={value} />
      <Phases outline={value} onChange={reload} />
      {value.cursor === undefined ? null : (
        <p className="baton-hint">
          Only the first {TASKS_MAX} tasks are shown. The rest:{' '}
          <code>{showHidden(`baton plan outline ${value.name} --cursor ${value.cursor}`)}</code>
        </p>
      )}
    </article>
  );
}

function Head({ outline: { name, title, plan_directory, plan_status, phases } }: { outline: Outline }) {
  const { glyph, word } = statusMarks[plan_status.overall_status];
  const sum = (count: 'tasks_total' | 'tasks_completed') => phases.reduce((total, phase) => total + phase[count], 0);
  return (
    <header className="plan-head">
      <p className="plan-way">
        <a href="/plans">Plans</a>
      </p>
      <h1 className="studio-title">{showHidden(title || name)}</h1>
      <p className="plan-facts">
        <span className="plan-status" data-status={plan_status.overall_status}>
          <span aria-hidden="true">{glyph}</span> {word}
        </span>
        <Progress done={sum('tasks_completed')} all={sum('tasks_total')} what="tasks" />
        <span>{showHidden(`${plan_status.current_phase} · ${plan_status.current_task}`)}</span>
        <code>{showHidden(`${plan_directory}plan.md`)}</code>
      </p>
      <Origin plan_directory={plan_directory} />
    </header>
  );
}

/** The newest handoffs of plans among which a plan's own is looked for. */
const PLANS_MAX = 200;

/** The handoff that goes on from the plan, and the run that made it, where there is one. */
function Origin({ plan_directory }: { plan_directory: string }) {
  const { value } = useLive((signal) => listHandoffs({ kind: 'plan', limit: PLANS_MAX }, signal));
  const next = value?.handoffs.find(({ content }) =>
    content.references.some(({ type, identifier }) => type === 'plan' && identifier === plan_directory),
  );
  if (next === undefined) return null;
  const { parent_id, title } = next.content;
  return (
    <p className="baton-hint">
      {parent_id === undefined ? null : (
        <>
          Made by <a href={`/run/${parent_id}`}>this plan run</a>.{' '}
        </>
      )}
      The next handoff is <a href={`/h/${next.id}`}>{showHidden(title)}</a>.
    </p>
  );
}

function Phases({ outline, onChange }: { outline: Outline; onChange: () => Promise<void> }) {
  const { name, phases, plan_status } = outline;
  const ticking = useTicking(name, onChange);
  const current = phases.findIndex((phase) => phase.name === plan_status.current_phase);
  return phases.map((phase, index) => (
    <Phase
      key={phase.name}
      phase={phase}
      place={index === current ? 'current' : index < current ? 'before' : 'after'}
      waitsFor={phases[index - 1]?.name}
      ticking={ticking}
    />
  ));
}

/** Moves from box to box. */
function moveFocus(by: number): void {
  const boxes = [...document.querySelectorAll<HTMLInputElement>('.plan-item input:not(:disabled)')];
  const place = boxes.indexOf(document.activeElement as HTMLInputElement);
  const next = place === -1 ? (by > 0 ? 0 : boxes.length - 1) : place + by;
  boxes[Math.max(0, Math.min(next, boxes.length - 1))]?.focus();
}
