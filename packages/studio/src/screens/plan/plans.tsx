import './plan.css';
import { showHidden } from '../../../../batonpass/src/core/hidden-characters.ts';
import type { OperationOutput } from '../../../../batonpass/src/operations/catalogue.ts';
import { call } from '../../server/call.ts';
import { useLive } from '../../server/use-live.ts';
import type { ScreenProps } from '../../shell/screens.ts';
import { Absent } from '../../shown/absent.tsx';
import { LOOK_MS, Plan } from './plan.tsx';
import { Progress, statusMarks } from './progress.tsx';

/** The plans of the project, and each of them. */
export default function Plans({ id }: ScreenProps) {
  return id === undefined ? <PlanList /> : <Plan name={id} />;
}

/** How many are listed: the folder names the rest. */
const LISTED_MAX = 200;

function PlanList() {
  const { value, error, reload } = useLive((signal) => call('plan.list', { limit: LISTED_MAX }, { signal }), {
    every_ms: LOOK_MS,
  });
  if (value === undefined) return <Absent what="list of plans" name="" error={error} onRetry={reload} />;
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
            A plan comes of a <a href="/run">plan run</a>, or of <code>baton plan create-directory NAME</code>.
          </p>
        </div>
      ) : (
        <ul className="plan-list">
          {plans.map((plan) => (
            <Line key={plan.name} plan={plan} />
          ))}
        </ul>
      )}
      {left_out === 0 ? null : <p className="baton-hint">{left_out} more lie in the folder of the plans.</p>}
    </section>
  );
}

function Line({ plan }: { plan: OperationOutput<'plan.list'>['plans'][number] }) {
  const { name, title, plan_status, tasks_total = 0, tasks_completed = 0, fault } = plan;
  const mark = plan_status === undefined ? undefined : statusMarks[plan_status.overall_status];
  return (
    <li className="plan-line" data-status={plan_status?.overall_status ?? 'fault'}>
      <a href={`/plan/${encodeURIComponent(name)}`} className="plan-name">
        {showHidden(name)}
      </a>
      {title === undefined ? null : <span>{showHidden(title)}</span>}
      {plan_status === undefined || mark === undefined ? (
        <span className="plan-fault">! {showHidden(fault ?? 'It cannot be read.')}</span>
      ) : (
        <>
          <span className="plan-status">
            <span aria-hidden="true">{mark.glyph}</span> {mark.word}
          </span>
          <Progress done={tasks_completed} all={tasks_total} what="tasks" />
          <span className="baton-hint">{showHidden(`${plan_status.current_phase} · ${plan_status.current_task}`)}</span>
        </>
      )}
    </li>
  );
}
