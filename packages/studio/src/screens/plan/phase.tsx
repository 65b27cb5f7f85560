import { useId } from 'react';
import { showHidden } from '../../../../batonpass/src/core/hidden-characters.ts';
import type { OperationOutput } from '../../../../batonpass/src/operations/catalogue.ts';
import { Progress, statusMarks } from './progress.tsx';
import type { Ticking } from './use-ticking.ts';

type OutlinedPhase = OperationOutput<'plan.outline'>['phases'][number];
type OutlinedTask = OutlinedPhase['tasks'][number];

/** What a phase is shown with. */
interface PhaseProps {
  phase: OutlinedPhase;
  /** Against the one that is worked on. */
  place: 'before' | 'current' | 'after';
  /** The phase before it. */
  waitsFor: string | undefined;
  ticking: Ticking;
}

/** A phase with its tasks: one at a time is worked on. */
export function Phase({ phase, place, waitsFor, ticking }: PhaseProps) {
  const { name, status, tasks, tasks_completed, tasks_total } = phase;
  const id = useId();
  const { glyph, word } = statusMarks[status];
  const open = tasks.flatMap(({ checklist }) => checklist.filter(({ is_done }) => !is_done)).length;
  return (
    <section className="plan-phase" data-place={place} aria-labelledby={id}>
      <header className="plan-phase-head">
        <h2 id={id} className="plan-phase-name">
          {showHidden(name)}
        </h2>
        <span className="plan-status" data-status={status}>
          <span aria-hidden="true">{glyph}</span> {word}
        </span>
        <Progress done={tasks_completed} all={tasks_total} what={`tasks of ${showHidden(name)}`} />
        {place === 'after' && waitsFor !== undefined ? (
          <span className="baton-hint">Waits for {showHidden(waitsFor)}</span>
        ) : null}
      </header>
      {tasks.length === 0 ? <p className="baton-none">It has no tasks yet.</p> : null}
      <ol className="plan-tasks">
        {tasks.map((task) => (
          <Task key={task.id} task={task} phase={phase} isCurrent={place === 'current'} ticking={ticking} />
        ))}
      </ol>
      {place === 'current' && open === 1 ? (
        <p className="baton-hint">The last item ends the phase: the plan goes on to the next one, and not back.</p>
      ) : null}
    </section>
  );
}

interface TaskProps {
  task: OutlinedTask;
  phase: OutlinedPhase;
  isCurrent: boolean;
  ticking: Ticking;
}

function Task({ task, phase, isCurrent, ticking }: TaskProps) {
  const { id, name, status, written_status, goal, checklist } = task;
  const { glyph, word } = statusMarks[status];
  return (
    <li className="plan-task" data-status={status}>
      <p className="plan-task-head">
        <span className="plan-status" data-status={status}>
          <span aria-hidden="true">{glyph}</span> {word}
        </span>
        <strong>{showHidden(name)}</strong>
        <span className="baton-hint">{showHidden(id)}</span>
        {written_status === undefined ? null : <span className="plan-fault">{showHidden(written_status)}</span>}
      </p>
      {goal === undefined || goal === '' ? null : <p className="plan-goal">{showHidden(goal)}</p>}
      {checklist.length === 0 ? null : (
        <ul className="plan-items">
          {checklist.map((item, index) => (
            <Item
              key={`${index}${item.text}`}
              item={item}
              task={task}
              phase={phase.name}
              ticking={isCurrent ? ticking : undefined}
            />
          ))}
        </ul>
      )}
    </li>
  );
}

interface ItemProps {
  item: OutlinedTask['checklist'][number];
  task: OutlinedTask;
  phase: string;
  /** Absent where the item is not to be ticked now. */
  ticking: Ticking | undefined;
}

function Item({ item: { text, is_done }, task, phase, ticking }: ItemProps) {
  // The same words twice name no item: that one is ticked in the document.
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
