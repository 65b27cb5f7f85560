import './plan.css';
import { useId } from 'react';
import { showHidden } from '../../../../batonpass/src/core/hidden-characters.ts';
import type { OperationOutput } from '../../../../batonpass/src/operations/catalogue.ts';
import { call, listHandoffs } from '../../server/call.ts';
import { describeProblem } from '../../server/server-problem.ts';
import { useLive } from '../../server/use-live.ts';
import { useKeys } from '../../shell/keys.ts';
import { navigate } from '../../shell/router.ts';
import type { ScreenProps } from '../../shell/screens.ts';
import { Absent } from '../../shown/absent.tsx';
import { type Ticking, useTicking } from './use-ticking.ts';

/** The plans of the project, and the screen of one plan. */
export default function Plans({ id }: ScreenProps) {
  return id === undefined ? <PlanList /> : <Plan name={id} />;
}

/** How many are listed: the folder has the rest. */
const LISTED_MAX = 200;

function PlanList() {
  const input = { limit: LISTED_MAX };
  const { value, error, reload } = useLive((signal) => call('plan.list', input, { signal }), { every_ms: LOOK_MS });
  if (value === undefined) return <Absent what="list of plans" error={error} onRetry={reload} />;
  const { plans, left_out } = value;
  return (
    <section className="plan" aria-labelledby="plans-title">
      <h1 id="plans-title" className="studio-title">
        Plans
      </h1>
      {plans.length === 0 ? (
        <div className="baton-empty">
          <p className="baton-empty-title">There is no plan yet</p>
          <p>
            A plan is created by a <a href="/run">plan run</a>, or by <code>baton plan create-directory NAME</code>.
          </p>
        </div>
      ) : (
        <ul className="plan-list">
          {plans.map((plan) => (
            <Line key={plan.name} plan={plan} />
          ))}
        </ul>
      )}
      {left_out === 0 ? null : <p className="baton-hint">{left_out} more are in the folder of plans.</p>}
    </section>
  );
}

function Line({ plan }: { plan: OperationOutput<'plan.list'>['plans'][number] }) {
  const { name, title, plan_status, tasks_total = 0, tasks_completed = 0, fault } = plan;
  return (
    <li className="plan-line" data-status={plan_status?.overall_status ?? 'fault'}>
      <a href={`/plan/${encodeURIComponent(name)}`} className="plan-name">
        {showHidden(name)}
      </a>
      {title === undefined ? null : <span>{showHidden(title)}</span>}
      {plan_status === undefined ? (
        <span className="plan-fault">! {showHidden(fault ?? 'It cannot be read.')}</span>
      ) : (
        <>
          <StatusMark status={plan_status.overall_status} />
          <Progress done={tasks_completed} all={tasks_total} what="tasks" />
          <span className="baton-hint">{showHidden(`${plan_status.current_phase} · ${plan_status.current_task}`)}</span>
        </>
      )}
    </li>
  );
}

/** Documents send no events: they are loaded at this interval while the page is visible. */
const LOOK_MS = 5_000;

/** As many tasks as one answer returns: a longer list is of no use on the screen. */
const TASKS_MAX = 1_000;

type Outline = OperationOutput<'plan.outline'>;

/** One plan: what is done, in progress, and waiting. */
function Plan({ name }: { name: string }) {
  const input = { plan_directory: name, limit: TASKS_MAX };
  const { value, error, reload } = useLive((signal) => call('plan.outline', input, { signal }), { every_ms: LOOK_MS });
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
  const sum = (count: 'tasks_total' | 'tasks_completed') => phases.reduce((total, phase) => total + phase[count], 0);
  return (
    <header className="plan-head">
      <p className="plan-way">
        <a href="/plans">Plans</a>
      </p>
      <h1 className="studio-title">{showHidden(title || name)}</h1>
      <p className="plan-facts">
        <StatusMark status={plan_status.overall_status} />
        <Progress done={sum('tasks_completed')} all={sum('tasks_total')} what="tasks" />
        <span>{showHidden(`${plan_status.current_phase} · ${plan_status.current_task}`)}</span>
        <code>{showHidden(`${plan_directory}plan.md`)}</code>
      </p>
      <Origin plan_directory={plan_directory} />
    </header>
  );
}

/** The newest handoffs of plans, among which a plan's own is searched. */
const PLANS_MAX = 200;

/** The handoff that continues the plan, and the run that made it, where there is one. */
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

/** Moves the focus between the boxes. */
function moveFocus(by: number): void {
  const boxes = [...document.querySelectorAll<HTMLInputElement>('.plan-item input:not(:disabled)')];
  const place = boxes.indexOf(document.activeElement as HTMLInputElement);
  const next = place === -1 ? (by > 0 ? 0 : boxes.length - 1) : place + by;
  boxes[Math.max(0, Math.min(next, boxes.length - 1))]?.focus();
}

type OutlinedPhase = OperationOutput<'plan.outline'>['phases'][number];

type OutlinedTask = OutlinedPhase['tasks'][number];

interface PhaseProps {
  phase: OutlinedPhase;
  /** Its position relative to the current phase. */
  place: 'before' | 'current' | 'after';
  /** The phase before it. */
  waitsFor: string | undefined;
  ticking: Ticking;
}

/** A phase with its tasks: one phase is current at a time. */
function Phase({ phase, place, waitsFor, ticking }: PhaseProps) {
  const { name, status, tasks, tasks_completed, tasks_total } = phase;
  const id = useId();
  const open = tasks.flatMap(({ checklist }) => checklist.filter(({ is_done }) => !is_done)).length;
  return (
    <section className="plan-phase" data-place={place} aria-labelledby={id}>
      <header className="plan-phase-head">
        <h2 id={id} className="plan-phase-name">
          {showHidden(name)}
        </h2>
        <StatusMark status={status} />
        <Progress done={tasks_completed} all={tasks_total} what={`tasks of ${showHidden(name)}`} />
        {place === 'after' && waitsFor !== undefined ? (
          <span className="baton-hint">Waits for {showHidden(waitsFor)}</span>
        ) : null}
      </header>
      {tasks.length === 0 ? <p className="baton-none">It has no tasks yet.</p> : null}
      <ol className="plan-tasks">
        {tasks.map((task) => (
          <Task key={task.id} task={task} phase={name} ticking={place === 'current' ? ticking : undefined} />
        ))}
      </ol>
      {place === 'current' && open === 1 ? (
        <p className="baton-hint">
          The last item completes the phase: the plan moves to the next one, and cannot go back.
        </p>
      ) : null}
    </section>
  );
}

interface TaskProps {
  task: OutlinedTask;
  phase: string;
  /** Absent where its items cannot be ticked now. */
  ticking: Ticking | undefined;
}

function Task({ task, phase, ticking }: TaskProps) {
  const { id, name, status, written_status, goal, checklist } = task;
  return (
    <li className="plan-task" data-status={status}>
      <p className="plan-task-head">
        <StatusMark status={status} />
        <strong>{showHidden(name)}</strong>
        <span className="baton-hint">{showHidden(id)}</span>
        {written_status === undefined ? null : <span className="plan-fault">{showHidden(written_status)}</span>}
      </p>
      {goal === undefined || goal === '' ? null : <p className="plan-goal">{showHidden(goal)}</p>}
      {checklist.length === 0 ? null : (
        <ul className="plan-items">
          {checklist.map((item, index) => (
            <Item key={`${index}${item.text}`} item={item} task={task} phase={phase} ticking={ticking} />
          ))}
        </ul>
      )}
    </li>
  );
}

function Item({
  item: { text, is_done },
  task,
  phase,
  ticking,
}: TaskProps & { item: OutlinedTask['checklist'][number] }) {
  // An item whose text occurs twice has no unique name: it is ticked in the document.
  const isNamed = task.checklist.filter((each) => each.text === text).length === 1;
  const item = { phase, task_id: task.id, text };
  const wished = ticking?.wished(item);
  const isDone = wished ?? is_done;
  if (ticking === undefined || !isNamed) {
    return (
      <li className="plan-item" data-done={isDone}>
        <span aria-hidden="true">{isDone ? '☑' : '☐'}</span>
        <span className="baton-unseen">{isDone ? 'Done: ' : 'To do: '}</span>
        <span>{showHidden(text)}</span>
      </li>
    );
  }
  return (
    <li className="plan-item" data-done={isDone}>
      <label>
        <input
          type="checkbox"
          checked={isDone}
          aria-busy={wished !== undefined}
          onChange={({ target }) => void ticking.tick(item, target.checked)}
        />
        <span>{showHidden(text)}</span>
      </label>
    </li>
  );
}

/** Each status as a sign and a word. */
const statusMarks = {
  completed: { glyph: '●', word: 'Done' },
  in_progress: { glyph: '◐', word: 'In progress' },
  blocked: { glyph: '■', word: 'Blocked' },
  pending: { glyph: '○', word: 'To do' },
} as const;

function StatusMark({ status }: { status: keyof typeof statusMarks }) {
  const { glyph, word } = statusMarks[status];
  return (
    <span className="plan-status" data-status={status}>
      <span aria-hidden="true">{glyph}</span> {word}
    </span>
  );
}

/** The progress, as a bar and in numbers. */
function Progress({ done, all, what }: { done: number; all: number; what: string }) {
  return (
    <span className="plan-progress">
      <progress value={done} max={Math.max(1, all)} aria-label={`${done} of ${all} ${what} done`} />
      <span className="plan-count">
        {done} / {all}
      </span>
    </span>
  );
}
