import { planAgentName } from '../../../../batonpass/src/brainstorm/planning/plan-agent-name.ts';
import type { Handoff } from '../../../../batonpass/src/core/handoff.ts';
import { showHidden } from '../../../../batonpass/src/core/hidden-characters.ts';
import { call } from '../../server/call.ts';
import { useLive } from '../../server/use-live.ts';
import { Absent } from '../../shown/absent.tsx';
import { describeSince, useNow } from '../../shown/age.ts';
import { StateMark } from '../../shown/state-mark.tsx';

/** How many of each are listed: older ones are found in the inbox. */
const LISTED_MAX = 50;

/** What waits to be planned or is being planned, and the plans that runs made. */
export function RunList() {
  const { value, error, reload } = useLive(loadRuns);
  if (value === undefined) return <Absent what="list of runs" name="" error={error} onRetry={reload} />;
  const { planned, plans } = value;
  if (planned.length + plans.length === 0) {
    return (
      <div className="baton-empty">
        <h1 className="baton-empty-title">No runs yet</h1>
        <p className="baton-hint">
          Approve a draft from the <a href="/inbox">inbox</a>: its plan run is shown here.
        </p>
      </div>
    );
  }
  return (
    <section className="run" aria-labelledby="runs-title">
      <h1 id="runs-title" className="studio-title">
        Plan runs
      </h1>
      <Group title="To be planned" handoffs={planned} toRun={({ id }) => id} />
      <Group title="Planned" handoffs={plans} toRun={({ content }) => content.parent_id} />
    </section>
  );
}

async function loadRuns(signal: AbortSignal) {
  const [planned, plans] = await Promise.all([
    call(
      'handoff.list',
      { target_agent: planAgentName, state: ['open', 'claimed', 'waiting', 'dead'], limit: LISTED_MAX },
      { signal },
    ),
    call('handoff.list', { kind: 'plan', limit: LISTED_MAX }, { signal }),
  ]);
  return { planned: planned.handoffs, plans: plans.handoffs.filter(({ content }) => content.parent_id !== undefined) };
}

interface GroupProps {
  title: string;
  handoffs: readonly Handoff[];
  toRun: (handoff: Handoff) => string | undefined;
}

function Group({ title, handoffs, toRun }: GroupProps) {
  const now_ms = useNow();
  if (handoffs.length === 0) return null;
  return (
    <section aria-label={title}>
      <h2 className="baton-group">{title}</h2>
      <ul className="run-list">
        {handoffs.map((handoff) => (
          <li key={handoff.id}>
            <a href={`/run/${encodeURIComponent(toRun(handoff) ?? handoff.id)}`} className="run-list-title">
              {showHidden(handoff.content.title)}
            </a>
            <StateMark state={handoff.delivery.state} />
            <span className="baton-hint">{describeSince(handoff.created_at, now_ms, 'old')}</span>
          </li>
        ))}
      </ul>
    </section>
  );
}
