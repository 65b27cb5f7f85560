import './preview.css';
import { useEffect, useState, useSyncExternalStore } from 'react';
import type { Handoff } from '../../../../batonpass/src/core/handoff.ts';
import { showHidden } from '../../../../batonpass/src/core/hidden-characters.ts';
import type { OperationOutput } from '../../../../batonpass/src/operations/catalogue.ts';
import { call } from '../../server/call.ts';
import { describeProblem, isBrokenOff } from '../../server/server-problem.ts';
import { describeLease, useNow } from '../../shown/age.ts';
import { StateMark } from '../../shown/state-mark.tsx';
import { describeHoldings } from './handoff-row.tsx';
import type { Row } from './rows.ts';

/** The focus rests this long on a row before its text is asked for. */
const REST_MS = 120;

/** A narrower page has no room beside the list: there a row is opened. */
const room = matchMedia('(min-width: 75rem)');

function subscribe(listener: () => void): () => void {
  room.addEventListener('change', listener);
  return () => room.removeEventListener('change', listener);
}

/** The handoff of one row beside the list: where it is, and what its receiver reads. */
export function Preview({ row }: { row: Row | undefined }) {
  const hasRoom = useSyncExternalStore(subscribe, () => room.matches);
  return hasRoom && row !== undefined ? <Shown row={row} /> : null;
}

interface Found {
  handoff: Handoff;
  rendered: OperationOutput<'handoff.render'>;
}

function Shown({ row }: { row: Row }) {
  const { id, title, version } = row;
  const [found, setFound] = useState<Found | { id: string; error: unknown }>();
  useEffect(() => {
    // Each version may have another text.
    void version;
    const leaving = new AbortController();
    const options = { signal: leaving.signal };
    const timer = setTimeout(() => {
      Promise.all([call('handoff.get', { id }, options), call('handoff.render', { id }, options)]).then(
        ([handoff, rendered]) => setFound({ handoff, rendered }),
        (error: unknown) => isBrokenOff(error) || setFound({ id, error }),
      );
    }, REST_MS);
    return () => {
      clearTimeout(timer);
      leaving.abort();
    };
  }, [id, version]);
  const isOther = found === undefined || ('handoff' in found ? found.handoff.id : found.id) !== id;
  return (
    <section className="inbox-preview" aria-label={`Preview: ${showHidden(title)}`}>
      <h2>{showHidden(title)}</h2>
      <Facts row={row} handoff={isOther || !('handoff' in found) ? undefined : found.handoff} />
      {isOther ? <p className="studio-loading">Reading the text…</p> : null}
      {!isOther && 'error' in found ? <p role="alert">{describeProblem(found.error)}</p> : null}
      {!isOther && 'rendered' in found ? <Text rendered={found.rendered} /> : null}
    </section>
  );
}

/** What is known of it; what the row does not say follows. */
function Facts({ row, handoff }: { row: Row; handoff: Handoff | undefined }) {
  const now_ms = useNow();
  const { state, from, to, holder, lease_until, content_sha256 } = row;
  const isHeld = holder !== undefined && (state === 'claimed' || state === 'waiting');
  const { parent_id, supersedes_id } = handoff?.content ?? {};
  return (
    <dl>
      <dt>State</dt>
      <dd>
        <StateMark state={state} />
      </dd>
      <dt>From</dt>
      <dd>{showHidden(from)}</dd>
      <dt>Receiver</dt>
      <dd>{showHidden(to ?? 'the first to claim it')}</dd>
      {isHeld ? (
        <>
          <dt>Lease</dt>
          <dd>
            {showHidden(holder)} · {state === 'waiting' ? 'waits for an answer' : describeLease(lease_until, now_ms)}
          </dd>
        </>
      ) : null}
      <dt>Holds</dt>
      <dd>{describeHoldings(row) || 'no decisions, files or risks'}</dd>
      <dt>Hash</dt>
      <dd>
        <code title={content_sha256}>{content_sha256.slice(0, 12)}</code>
      </dd>
      <Origin name="Goes on from" id={parent_id} />
      <Origin name="Replaces" id={supersedes_id} />
    </dl>
  );
}

function Origin({ name, id }: { name: string; id: string | undefined }) {
  if (id === undefined) return null;
  return (
    <>
      <dt>{name}</dt>
      <dd>
        <a href={`/h/${encodeURIComponent(id)}`}>…{showHidden(id.slice(-8))}</a>
      </dd>
    </>
  );
}

function Text({ rendered: { text, tokens, budget } }: Pick<Found, 'rendered'>) {
  return (
    <>
      <p className="baton-hint">
        What the agent sees: about {tokens.toLocaleString('en')} of {budget.toLocaleString('en')} tokens
      </p>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reached by the keyboard. */}
      <section className="inbox-preview-text" aria-label="What the agent sees" tabIndex={0}>
        {showHidden(text)}
      </section>
    </>
  );
}
