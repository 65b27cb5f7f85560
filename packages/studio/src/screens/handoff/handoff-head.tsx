import { useRef } from 'react';
import type { Handoff } from '../../../../batonpass/src/core/handoff.ts';
import { showHidden } from '../../../../batonpass/src/core/hidden-characters.ts';
import type { State } from '../../../../batonpass/src/core/state.ts';
import { Button } from '../../../../batonpass/src/react/button.tsx';
import { writeNewVersion } from '../../server/new-version.ts';
import { describeProblem } from '../../server/server-problem.ts';
import { breakLease, stepsFrom, takeStep } from '../../server/steps.ts';
import { announce, announceFailure } from '../../shell/announcements.ts';
import { useKeys } from '../../shell/keys.ts';
import { navigate } from '../../shell/router.ts';
import { describeInstant, describeLease, describeSince, useNow } from '../../shown/age.tsx';
import { AnswerForm } from '../../shown/answer-form.tsx';
import { AskFirst } from '../../shown/ask-first.tsx';
import { StateMark } from '../../shown/state-mark.tsx';

interface HeadProps {
  handoff: Handoff;
  onChange: () => void;
}

/** Title, state, source and holder of the handoff, and the actions in that state. */
export function HandoffHead({ handoff, onChange }: HeadProps) {
  const { id, content, delivery, created_at } = handoff;
  const now_ms = useNow();
  const { lease, failure } = delivery;
  const field = useRef<HTMLTextAreaElement>(null);
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
      {delivery.state !== 'waiting' || delivery.waiting_on === undefined ? null : (
        <AnswerForm
          subject={{ id, title: content.title, state: delivery.state }}
          asker={delivery.waiting_on.asked_by}
          question={delivery.waiting_on.question}
          field={field}
          onState={onChange}
        />
      )}
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
  const { id, delivery } = handoff;
  const may = stepsFrom(delivery.state);
  const take = (verb: Parameters<typeof takeStep>[0]) => () => void takeStep(verb, handoff, onChange);
  const acts = [
    ...(may.review ? [{ keys: '1', does: 'Review and approve', run: () => navigate(`/review/${id}`) }] : []),
    ...(may.release ? [{ keys: 'l', does: 'Release to others', run: take('release') }] : []),
    ...(may.withdraw ? [{ keys: '3', does: 'Withdraw', run: take('withdraw') }] : []),
    ...(may.reopen ? [{ keys: 'r', does: requeueWords(delivery), run: take('reopen') }] : []),
    ...(isVersionable(delivery.state) ? [{ keys: 'n', does: 'New version', run: () => void openNewVersion(id) }] : []),
  ];
  useKeys('This handoff', acts);
  return (
    <div className="studio-buttons">
      {acts.map(({ keys, does, run }, index) => {
        const look = index === 0 && may.review ? 'primary' : undefined;
        return <Button key={does} label={does} hotkey={keys.toUpperCase()} look={look} onClick={run} />;
      })}
      {may.break ? <LeaseBreaking handoff={handoff} onChange={onChange} /> : null}
    </div>
  );
}

/** Both ways to end another holder's lease ask for confirmation and name the holder, who loses the claim. */
function LeaseBreaking({ handoff, onChange }: HeadProps) {
  const { state, lease } = handoff.delivery;
  const holder = showHidden(lease?.holder ?? 'its holder');
  const ask = (name: string, to: 'open' | 'withdrawn', then: string) => (
    <AskFirst
      yes="Yes, end the lease"
      name={name}
      question={`End the lease of ${holder}? ${then}`}
      onYes={() => void breakLease(handoff, to, onChange)}
    />
  );
  return (
    <>
      {ask('Release by force', 'open', 'Others can claim it then.')}
      {ask('Withdraw by force', 'withdrawn', 'It is withdrawn then.')}
      {state === 'claimed' ? (
        <p className="baton-hint">Held by {holder}; without a renewal its lease expires.</p>
      ) : null}
    </>
  );
}

/** A dead or expired handoff is requeued; one in another end state is reopened. */
function requeueWords({ state }: Handoff['delivery']): string {
  return state === 'dead' || state === 'expired' ? 'Requeue' : 'Reopen';
}

/** A draft is edited itself, and a held handoff must be ended by its holder first. */
function isVersionable(state: State): boolean {
  return !['draft', 'claimed', 'waiting'].includes(state);
}

async function openNewVersion(id: string): Promise<void> {
  try {
    const draft = await writeNewVersion(id);
    announce('A new version waits for review.');
    navigate(`/review/${draft.id}`);
  } catch (error) {
    announceFailure(describeProblem(error));
  }
}
