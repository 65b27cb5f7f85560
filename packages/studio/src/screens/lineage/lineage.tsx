import './lineage.css';
import { showHidden } from '../../../../batonpass/src/core/hidden-characters.ts';
import { growLineage } from '../../../../batonpass/src/core/lineage.ts';
import type { OperationOutput } from '../../../../batonpass/src/operations/catalogue.ts';
import { call, listHandoffs } from '../../server/call.ts';
import { describeProblem } from '../../server/server-problem.ts';
import { useLive } from '../../server/use-live.ts';
import { useKeys } from '../../shell/keys.ts';
import { changeQuery, navigate, useRoute } from '../../shell/router.ts';
import type { ScreenProps } from '../../shell/screens.ts';
import { Absent } from '../../shown/absent.tsx';
import { describeSince, useNow } from '../../shown/age.tsx';
import { StateMark } from '../../shown/state-mark.tsx';
import { LineageGraph } from './lineage-graph.tsx';
import { LineageTree } from './lineage-tree.tsx';

/** What a handoff comes from, and what continues it: as a tree, and as a graph. */
export default function Lineage({ id }: ScreenProps) {
  return id === undefined ? <ChooseHandoff /> : <Family id={id} />;
}

const views = [
  { name: 'tree', title: 'Tree' },
  { name: 'graph', title: 'Graph' },
] as const;

function Family({ id }: { id: string }) {
  const { query } = useRoute();
  const view = views.find(({ name }) => name === query.get('view')) ?? views[0];
  const { value, error, reload } = useLive((signal) => call('handoff.lineage', { id }, { signal }));
  const turn = () => changeQuery({ view: view.name === 'tree' ? 'graph' : '' });
  useKeys('Lineage', [
    { keys: 'Escape', does: 'back to the handoff', run: () => navigate(`/h/${id}`) },
    { keys: ']', does: 'next view', run: turn },
    { keys: '[', does: 'previous view', run: turn },
  ]);
  if (value === undefined) return <Absent what="lineage" name={id} error={error} onRetry={reload} />;
  const asked = value.handoffs.find((entry) => entry.id === value.id);
  const roots = growLineage(value.handoffs);
  return (
    <section className="lineage" aria-labelledby="lineage-title">
      {error === undefined ? null : <p className="baton-banner baton-banner-fault">{describeProblem(error)}</p>}
      <header className="lineage-head">
        <p className="lineage-way">
          <a href={`/h/${id}`}>To the handoff</a>
        </p>
        <h1 id="lineage-title" className="studio-title">
          {showHidden(asked?.title ?? id)}
        </h1>
        <p className="baton-hint">{describeFamily(value)}</p>
      </header>
      <nav className="studio-tabs" aria-label="Views">
        {views.map(({ name, title }) => (
          <a
            key={name}
            href={`/lineage/${id}${name === 'graph' ? '?view=graph' : ''}`}
            aria-current={name === view.name ? 'true' : undefined}
          >
            {title}
          </a>
        ))}
      </nav>
      {view.name === 'tree' ? (
        <LineageTree roots={roots} id={value.id} />
      ) : (
        <LineageGraph roots={roots} id={value.id} />
      )}
    </section>
  );
}

function describeFamily({ handoffs, absent, is_partial }: OperationOutput<'handoff.lineage'>): string {
  const count =
    handoffs.length === 1
      ? 'It comes from no other handoff, and none continues it yet.'
      : `${handoffs.length} handoffs.`;
  const gone = absent.length === 0 ? '' : ` Named as origin, but no longer here: ${absent.map(showHidden).join(', ')}.`;
  const more = is_partial ? ' There may be more: too many handoffs were written since.' : '';
  return count + gone + more;
}

/** How many are offered: older ones are in the inbox. */
const OFFERED_MAX = 20;

/** Chooses the handoff whose lineage is shown. */
function ChooseHandoff() {
  const { value, error, reload } = useLive((signal) => listHandoffs({ limit: OFFERED_MAX }, signal));
  const now_ms = useNow();
  if (value === undefined) return <Absent what="list of handoffs" error={error} onRetry={reload} />;
  return (
    <section className="lineage" aria-labelledby="lineage-title">
      <h1 id="lineage-title" className="studio-title">
        Lineage
      </h1>
      <p className="baton-hint">
        {value.handoffs.length === 0
          ? 'There is no handoff yet.'
          : 'Choose a handoff to see where it comes from and which ones continue it. G L on its own page does the same.'}
      </p>
      <ul className="lineage-choice">
        {value.handoffs.map(({ id, content, delivery, created_at }) => (
          <li key={id}>
            <a href={`/lineage/${id}`} className="studio-row-title">
              {showHidden(content.title)}
            </a>
            <StateMark state={delivery.state} />
            <span className="baton-hint">{describeSince(created_at, now_ms, 'old')}</span>
          </li>
        ))}
      </ul>
    </section>
  );
}
