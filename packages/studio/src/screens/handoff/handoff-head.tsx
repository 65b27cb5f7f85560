import { type FormEvent, useRef, useState } from 'react';
import type { Handoff } from '../../../../batonpass/src/core/handoff.ts';
import { showHidden } from '../../../../batonpass/src/core/hidden-characters.ts';
import type { State } from '../../../../batonpass/src/core/state.ts';
import { writeNewVersion } from '../../server/new-version.ts';
import { describeProblem } from '../../server/server-problem.ts';
import { answerQuestion, breakLease, stepsFrom, takeStep } from '../../server/steps.ts';
import { announce, announceFailure } from '../../shell/announcements.ts';
import { useKeys } from '../../shell/keys.ts';
import { navigate } from '../../shell/router.ts';
import { describeInstant, describeLease, describeSince, useNow } from '../../shown/age.ts';
import { StateMark } from '../../shown/state-mark.tsx';

/** What a part of the handoff's page is shown with. */
export interface HeadProps {
  handoff: Handoff;
  onChange: () => void;
}

/** Title, state, whence it comes and who has it, and what a person can do with it in that state. */
export function HandoffHead({ handoff, onChange }: HeadProps) {
  const { id, content, delivery, created_at } = handoff;
  const now_ms = useNow();
  const { lease, failure } = delivery;
  return (
    <header className="handoff-head">
      <p className="handoff-way">
        <a href="/inbox">Inbox</a>
        <Lineage name="From" id={content.parent_id} />
        <Lineage name="Replaces" id={content.supersedes_id} />
        <a href={`/lineage/${encodeURIComponent(id)}`}>Lineage</a>
        {delivery.fence === 0 ? null : <a href={`/run/${encodeURIComponent(id)}`}>Runs</a>}
      </p>
      <h1 className="studio-title">{showHidden(content.title)}</h1>
      <p className="handoff-facts">
        <StateMark state={delivery.state} />
        <span>{showHidden([content.kind, content.task_id, content.scope].filter(Boolean).join(' · '))}</span>
        <span>{showHidden(`${content.source_agent} → ${content.target_agent ?? 'anybody'}`)}</span>
        <span title={describeInstant(created_at)}>{describeSince(created_at, now_ms, 'old')}</span>
        {lease === undefined ? null : (
          <span>{showHidden(`held by ${lease.holder} ${describeLease(lease.expires_at, now_ms)}`)}</span>
        )}
        <code className="handoff-id">{id}</code>
      </p>
      {failure === undefined || delivery.state === 'acknowledged' ? null : (
        <p className="baton-banner">
          {showHidden(
            `Attempt ${delivery.attempts} of ${delivery.max_attempts} failed, by ${failure.by}: ${failure.reason}`,
          )}
        </p>
      )}
      {delivery.state === 'waiting' ? <Question handoff={handoff} onChange={onChange} /> : null}
      <Acts handoff={handoff} onChange={onChange} />
    </header>
  );
}

function Lineage({ name, id }: { name: string; id: string | undefined }) {
  if (id === undefined) return null;
  return (
    <span>
      {name} <a href={`/h/${encodeURIComponent(id)}`}>…{showHidden(id.slice(-8))}</a>
    </span>
  );
}

function Acts({ handoff, onChange }: HeadProps) {
  const { id, content, delivery } = handoff;
  const subject = { id, title: content.title, state: delivery.state };
  const may = stepsFrom(delivery.state);
  const shown = { onState: onChange };
  const acts = [
    ...(may.review ? [{ keys: '1', does: 'Review and approve', run: () => navigate(`/review/${id}`) }] : []),
    ...(may.release
      ? [{ keys: 'l', does: 'Release to others', run: () => void takeStep('release', subject, shown) }]
      : []),
    ...(may.withdraw ? [{ keys: '3', does: 'Withdraw', run: () => void takeStep('withdraw', subject, shown) }] : []),
    ...(may.reopen
      ? [{ keys: 'r', does: requeueWords(delivery), run: () => void takeStep('reopen', subject, shown) }]
      : []),
    ...(isVersionable(delivery.state) ? [{ keys: 'n', does: 'New version', run: () => void openNewVersion(id) }] : []),
  ];
  useKeys('This handoff', acts);
  return (
    <div className="studio-buttons">
      {acts.map(({ keys, does, run }, index) => (
        <button
          key={does}
          type="button"
          className={`baton-button baton-small${index === 0 && may.review ? ' baton-primary' : ''}`}
          onClick={run}
        >
          {does} <kbd>{keys.toUpperCase()}</kbd>
        </button>
      ))}
      {may.break ? <LeaseBreaking handoff={handoff} onChange={onChange} /> : null}
    </div>
  );
}

/** Two presses: the first asks, and names the holder, who loses the work under this lease. */
function LeaseBreaking({ handoff: { id, content, delivery }, onChange }: HeadProps) {
  const [asked, setAsked] = useState<'open' | 'withdrawn' | null>(null);
  const subject = { id, title: content.title, state: delivery.state };
  const holder = showHidden(delivery.lease?.holder ?? 'its holder');
  const confirm = async (to: 'open' | 'withdrawn') => {
    setAsked(null);
    await breakLease(subject, { to, fence: delivery.fence }, { onState: onChange });
  };
  if (asked !== null) {
    return (
      <p className="baton-hint" role="alert">
        End the lease of {holder}? {asked === 'open' ? 'Others can claim it then.' : 'It is withdrawn then.'}{' '}
        <button type="button" className="baton-button baton-small" onClick={() => void confirm(asked)}>
          Yes, end the lease
        </button>{' '}
        <button type="button" className="baton-button baton-small" onClick={() => setAsked(null)}>
          No
        </button>
      </p>
    );
  }
  return (
    <>
      <button type="button" className="baton-button baton-small" onClick={() => setAsked('open')}>
        Release by force…
      </button>
      <button type="button" className="baton-button baton-small" onClick={() => setAsked('withdrawn')}>
        Withdraw by force…
      </button>
      {delivery.state === 'claimed' ? (
        <p className="baton-hint">Held by {holder}; without a sign of life its lease ends by itself.</p>
      ) : null}
    </>
  );
}

/** What is at an end for good is reopened; what died of its attempts goes back into the queue. */
function requeueWords({ state }: Handoff['delivery']): string {
  return state === 'dead' || state === 'expired' ? 'Requeue' : 'Reopen';
}

/** A draft is edited itself, and what somebody holds is theirs to end first. */
function isVersionable(state: State): boolean {
  return !['draft', 'claimed', 'waiting'].includes(state);
}

async function openNewVersion(id: string): Promise<void> {
  try {
    const draft = await writeNewVersion(id);
    announce('A new version waits for its review.');
    navigate(`/review/${draft.id}`);
  } catch (error) {
    announceFailure(describeProblem(error));
  }
}

function Question({ handoff: { id, content, delivery }, onChange }: HeadProps) {
  const field = useRef<HTMLTextAreaElement>(null);
  const { waiting_on } = delivery;
  if (waiting_on === undefined) return null;
  const submit = async (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const answer = field.current?.value.trim() ?? '';
    if (answer === '') return announce('Write an answer first.');
    await answerQuestion({ id, title: content.title, state: delivery.state }, answer, { onState: onChange });
  };
  return (
    <form className="studio-answer" onSubmit={(event) => void submit(event)}>
      <label htmlFor="answer">
        {showHidden(waiting_on.asked_by)} asks: <strong>{showHidden(waiting_on.question)}</strong>
      </label>
      <textarea
        id="answer"
        ref={field}
        className="baton-field"
        rows={2}
        onKeyDown={(event) => {
          if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) event.currentTarget.form?.requestSubmit();
        }}
      />
      <button type="submit" className="baton-button baton-small baton-primary">
        Send the answer <kbd>Ctrl+Enter</kbd>
      </button>
    </form>
  );
}
