import './preview.css';
import type { Handoff } from '../../../../batonpass/src/core/handoff.ts';
import { showHidden } from '../../../../batonpass/src/core/hidden-characters.ts';
import type { OperationOutput } from '../../../../batonpass/src/operations/catalogue.ts';
import { call } from '../../server/call.ts';
import { describeProblem } from '../../server/server-problem.ts';
import { useLoaded } from '../../server/use-live.ts';
import { describeLease, useNow } from '../../shown/age.tsx';
import { StateMark } from '../../shown/state-mark.tsx';
import { useMedia } from '../../shown/use-media.ts';
import { describeHoldings } from './handoff-row.tsx';
import type { InboxRow } from './rows.ts';

/** How long the focus must stay on a row before its text is loaded. */
const REST_MS = 120;

/** The handoff of the focused row, next to the list: its state, and the text for its receiver. */
export function Preview({ row }: { row: InboxRow | undefined }) {
  // A narrower page has no room next to the list: there a row is opened.
  const hasRoom = useMedia('(min-width: 75rem)');
  return hasRoom && row !== undefined ? <Shown row={row} /> : null;
}

function Shown({ row }: { row: InboxRow }) {
  const { id, title, version } = row;
  // The text can differ between versions.
  const { value, error } = useLoaded((signal) => load(id, signal), `${id} ${version}`);
  const found = value?.handoff.id === id ? value : undefined;
  return (
    <section className="inbox-preview" aria-label={`Preview: ${showHidden(title)}`}>
      <h2>{showHidden(title)}</h2>
      <Facts row={row} handoff={found?.handoff} />
      {found === undefined && error === undefined ? <p className="studio-loading">Reading the text…</p> : null}
      {found === undefined && error !== undefined ? <p role="alert">{describeProblem(error)}</p> : null}
      {found === undefined ? null : <Text rendered={found.rendered} />}
    </section>
  );
}

async function load(id: string, signal: AbortSignal) {
  await new Promise((resolve) => setTimeout(resolve, REST_MS));
  signal.throwIfAborted();
  const [handoff, rendered] = await Promise.all([
    call('handoff.get', { id }, { signal }),
    call('handoff.render', { id }, { signal }),
  ]);
  return { handoff, rendered };
}

/** Its details; those that the row does not show are loaded. */
function Facts({ row, handoff }: { row: InboxRow; handoff: Handoff | undefined }) {
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
      <Origin name="Continues" id={parent_id} />
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

function Text({ rendered: { text, tokens, budget } }: { rendered: OperationOutput<'handoff.render'> }) {
  return (
    <>
      <p className="baton-hint">
        What the agent sees: about {tokens.toLocaleString('en')} of {budget.toLocaleString('en')} tokens
      </p>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: scrollable content must be reachable by keyboard. */}
      <section className="inbox-preview-text" aria-label="What the agent sees" tabIndex={0}>
        {showHidden(text)}
      </section>
    </>
  );
}
