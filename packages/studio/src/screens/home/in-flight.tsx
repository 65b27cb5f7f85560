import { useRef } from 'react';
import type { Handoff } from '../../../../batonpass/src/core/handoff.ts';
import { showHidden } from '../../../../batonpass/src/core/hidden-characters.ts';
import { breakLease } from '../../server/steps.ts';
import { describeAge, describeLease, describeSince, isSilent, useNow } from '../../shown/age.ts';
import { AskFirst } from '../../shown/ask-first.tsx';
import { useFocusInList } from '../../shown/kept-focus.ts';
import type { HeldSince } from './history.ts';

interface InFlightProps {
  handoffs: readonly Handoff[];
  count: number;
  claims: ReadonlyMap<string, HeldSince>;
  onChange: () => void;
}

/** Who holds what, since when, when they were last heard of, and what is left of the lease. */
export function InFlight({ handoffs, count, claims, onChange }: InFlightProps) {
  const root = useRef<HTMLElement>(null);
  useFocusInList(root, '.home-flight');
  return (
    <section ref={root} className="home-part" aria-labelledby="flight-title">
      <h2 id="flight-title" tabIndex={-1}>
        In flight {count === 0 ? null : <span className="home-count">{count.toLocaleString('en')}</span>}
      </h2>
      {count === 0 ? <p className="baton-hint">No agent holds a handoff now.</p> : null}
      <ul className="baton-list home-list">
        {handoffs.map((handoff) => (
          <Flight key={handoff.id} handoff={handoff} claim={claims.get(handoff.id)} onChange={onChange} />
        ))}
      </ul>
      {handoffs.length < count ? (
        <p>
          <a href="/inbox?tab=claimed">All {count.toLocaleString('en')} in the inbox</a>
        </p>
      ) : null}
    </section>
  );
}

interface FlightProps {
  handoff: Handoff;
  claim: HeldSince | undefined;
  onChange: () => void;
}

function Flight({ handoff: { id, content, delivery }, claim, onChange }: FlightProps) {
  const now_ms = useNow();
  const { lease, fence } = delivery;
  const holder = showHidden(lease?.holder ?? 'its holder');
  const title = showHidden(content.title);
  const subject = { id, title: content.title, state: delivery.state };
  const silent = claim !== undefined && isSilent(claim.heard_at, lease?.expires_at, now_ms);
  return (
    <li className="home-flight">
      <div className="home-words">
        <a href={`/h/${id}`} className="home-title">
          {title}
        </a>
        <p className="home-facts">
          <span>held by {holder}</span>
          {claim === undefined ? null : (
            <>
              <span>since {describeAge(claim.claimed_at, now_ms)}</span>
              <span className={silent ? 'home-silent' : ''}>
                {silent ? '⚠ ' : ''}last heard {describeSince(claim.heard_at, now_ms, 'ago')}
              </span>
            </>
          )}
          <span>{describeLease(lease?.expires_at, now_ms)}</span>
        </p>
      </div>
      <AskFirst
        name="Take it back"
        label={`Take back ${title}`}
        question={`End the lease of ${holder}? Others can claim it then.`}
        yes="Yes, end the lease"
        onYes={() => void breakLease(subject, { to: 'open', fence }, { onState: onChange })}
      />
    </li>
  );
}
