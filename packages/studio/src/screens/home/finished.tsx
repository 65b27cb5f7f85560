import type { Handoff } from '../../../../batonpass/src/core/handoff.ts';
import { showHidden } from '../../../../batonpass/src/core/hidden-characters.ts';
import { describeInstant, describeSince } from '../../shown/age.ts';

/** Lines that are shown. */
const SHOWN_MAX = 8;

interface FinishedProps {
  handoffs: readonly Handoff[];
  /** How many there were today. */
  count: number;
  now_ms: number;
}

/** What was received today, and by whom. */
export function Finished({ handoffs, count, now_ms }: FinishedProps) {
  const shown = handoffs.slice(0, SHOWN_MAX);
  const all = Math.max(count, handoffs.length);
  return (
    <section className="home-part" aria-labelledby="finished-title">
      <h2 id="finished-title">
        Finished today {all === 0 ? null : <span className="home-count">{all.toLocaleString('en')}</span>}
      </h2>
      {all === 0 ? <p className="baton-hint">Nothing was finished today yet.</p> : null}
      <ul className="baton-list">
        {shown.map(({ id, content, delivery: { acknowledged_at = '', acknowledged_by } }) => (
          <li key={id} className="home-finished">
            <a href={`/h/${id}`} className="home-title">
              {showHidden(content.title)}
            </a>
            <span className="baton-hint">
              {showHidden(acknowledged_by ?? '')} ·{' '}
              <time dateTime={acknowledged_at} title={describeInstant(acknowledged_at)}>
                {describeSince(acknowledged_at, now_ms, 'ago')}
              </time>
            </span>
          </li>
        ))}
      </ul>
      {shown.length < all ? (
        <p>
          <a href="/inbox?tab=done">All that is done</a>
        </p>
      ) : null}
    </section>
  );
}
