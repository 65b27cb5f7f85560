import { showHidden } from '../../../../batonpass/src/core/hidden-characters.ts';
import { listHandoffs } from '../../server/call.ts';
import { useLive } from '../../server/use-live.ts';
import { Absent } from '../../shown/absent.tsx';
import { describeSince, useNow } from '../../shown/age.ts';
import { StateMark } from '../../shown/state-mark.tsx';

/** How many are offered: who looks for an older one finds it in the inbox. */
const OFFERED_MAX = 20;

/** Whose lineage it is to be. */
export function ChooseHandoff() {
  const { value, error, reload } = useLive((signal) => listHandoffs({ limit: OFFERED_MAX }, signal));
  const now_ms = useNow();
  if (value === undefined) return <Absent what="list of handoffs" name="" error={error} onRetry={reload} />;
  return (
    <section className="lineage" aria-labelledby="lineage-title">
      <h1 id="lineage-title" className="studio-title">
        Lineage
      </h1>
      <p className="baton-hint">
        {value.handoffs.length === 0
          ? 'There is no handoff yet.'
          : 'Choose a handoff to see where it comes from and which ones go on from it. G L on its own page does the same.'}
      </p>
      <ul className="lineage-choice">
        {value.handoffs.map(({ id, content, delivery, created_at }) => (
          <li key={id}>
            <a href={`/lineage/${id}`} className="lineage-row-title">
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
