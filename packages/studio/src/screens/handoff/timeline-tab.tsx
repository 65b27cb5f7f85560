import type { HandoffEvent } from '../../../../batonpass/src/core/delivery.ts';
import type { Handoff } from '../../../../batonpass/src/core/handoff.ts';
import { showHidden } from '../../../../batonpass/src/core/hidden-characters.ts';
import { call } from '../../server/call.ts';
import { useLoaded } from '../../server/use-live.ts';
import { Absent } from '../../shown/absent.tsx';
import { Ago, describeSince, useNow } from '../../shown/age.tsx';
import { StateMark } from '../../shown/state-mark.tsx';

/** The most events that are shown; a handoff that was claimed many times has more. */
const EVENTS_MAX = 200;

/** The history of the handoff, oldest first, live: the actor, the event, the time and the reason. */
export function TimelineTab({ handoff: { id, delivery } }: { handoff: Handoff }) {
  const now_ms = useNow();
  // Each version comes with an event.
  const { value, error, reload } = useLoaded(
    (signal) => call('handoff.events', { id, limit: EVENTS_MAX }, { signal }),
    String(delivery.version),
  );
  if (value === undefined) return <Absent what="history" name={id} error={error} onRetry={reload} />;
  const { events } = value;
  return (
    <>
      {events.length < EVENTS_MAX ? null : (
        <p className="baton-hint">
          The last {EVENTS_MAX} events; all of them: baton log {id}
        </p>
      )}
      <ol className="handoff-timeline">
        {withoutRepeats(events).map(({ event, times, since }) => (
          <li key={event.seq} data-event={event.name}>
            <Line event={event} times={times} since={since} now_ms={now_ms} />
          </li>
        ))}
      </ol>
    </>
  );
}

/** Equal events in a row, as renewals of a lease: the last one is shown for all. */
interface Repeated {
  event: HandoffEvent;
  times: number;
  /** The time of the first one. */
  since: string;
}

function withoutRepeats(events: readonly HandoffEvent[]): Repeated[] {
  const lines: Repeated[] = [];
  for (const event of events) {
    const last = lines.at(-1);
    if (last !== undefined && isRepeat(event, last.event)) {
      last.event = event;
      last.times += 1;
    } else lines.push({ event, times: 1, since: event.at });
  }
  return lines;
}

function isRepeat(event: HandoffEvent, before: HandoffEvent): boolean {
  const isSame = event.name === before.name && event.to === before.to && event.reason === before.reason;
  return isSame && event.actor.name === before.actor.name && event.actor.type === before.actor.type;
}

function Line({ event, times, since, now_ms }: Repeated & { now_ms: number }) {
  const { name, at, actor, from, to, reason, details } = event;
  return (
    <>
      <p className="handoff-facts">
        <strong>
          {showHidden(name === 'handoff-injected' ? 'arrived' : name.replace(/^handoff-/, ''))}
          {times === 1 ? '' : ` ${times} times`}
        </strong>
        <span>{showHidden(`${actor.name} (${actor.type})`)}</span>
        {from === to ? null : <StateMark state={to} />}
        <Ago instant={at} />
        {times === 1 ? null : <span>first {describeSince(since, now_ms, 'ago')}</span>}
      </p>
      <Delivery event={event} />
      {reason === undefined ? null : <p className="baton-text">{showHidden(reason)}</p>}
      {details === undefined || Object.keys(details).length === 0 ? null : (
        <details className="handoff-details">
          <summary>Details</summary>
          <pre className="handoff-text">{showHidden(JSON.stringify(details, null, 2))}</pre>
        </details>
      )}
    </>
  );
}

/** Where the text of a claim for a session went, and where a proof found it. */
function Delivery({ event: { name, details = {} } }: { event: HandoffEvent }) {
  const { session, host, rendered_sha256 } = details;
  if (typeof session !== 'string' || typeof rendered_sha256 !== 'string') return null;
  const isProof = name === 'handoff-injected';
  return (
    <p className={isProof ? 'handoff-proof' : 'baton-hint'}>
      {isProof ? 'Proof of delivery: the transcript of session ' : 'Put into session '}
      <code>{showHidden(session)}</code> of {showHidden(String(host))}
      {isProof ? ' shows exactly the text with SHA-256 ' : ', the text with SHA-256 '}
      <code title={showHidden(rendered_sha256)}>{showHidden(rendered_sha256.slice(0, 12))}</code>.
    </p>
  );
}
