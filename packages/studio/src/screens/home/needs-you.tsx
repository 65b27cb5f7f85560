import { useRef, useState } from 'react';
import type { Handoff } from '../../../../batonpass/src/core/handoff.ts';
import { showHidden } from '../../../../batonpass/src/core/hidden-characters.ts';
import { Button } from '../../../../batonpass/src/react/button.tsx';
import { takeStep } from '../../server/steps.ts';
import { Ago, useNow } from '../../shown/age.tsx';
import { AnswerForm } from '../../shown/answer-form.tsx';
import { countKinds } from '../../shown/count.ts';
import { StateMark } from '../../shown/state-mark.tsx';
import type { HomeLists } from './home.tsx';
import { Part } from './part.tsx';

/** Lines that are shown: as many as a user settles in one session. */
const SHOWN_MAX = 20;

/** What waits for the user, each with the one step that continues it. */
export function NeedsYou({ lists, onChange }: { lists: HomeLists; onChange: () => void }) {
  const { waiting, ended, failing, drafts, counts } = lists;
  const { waiting: asked = 0, dead = 0, expired = 0, draft = 0 } = counts;
  const count = asked + dead + expired + draft + failing.length;
  // Questions first, since an agent waits, then failures, then drafts.
  const shown = [...waiting, ...ended, ...failing, ...drafts].slice(0, SHOWN_MAX);
  return (
    <Part
      title="Needs you"
      count={count}
      none="Nothing waits for you."
      line="home-need"
      rest={shown.length < count && ['/inbox?tab=needs', `All ${count.toLocaleString('en')} in the inbox`]}
    >
      {shown.map((handoff) => (
        <Need key={handoff.id} handoff={handoff} onChange={onChange} />
      ))}
    </Part>
  );
}

function Need({ handoff, onChange }: { handoff: Handoff; onChange: () => void }) {
  const { id, content, delivery, created_at } = handoff;
  const now_ms = useNow();
  const [isAnswering, setAnswering] = useState(false);
  const field = useRef<HTMLTextAreaElement>(null);
  const button = useRef<HTMLButtonElement>(null);
  const subject = { id, title: content.title, state: delivery.state };
  const { waiting_on } = delivery;
  const isAsked = delivery.state === 'waiting' && waiting_on !== undefined;
  const act = {
    button,
    onAnswer: () => {
      setAnswering(true);
      requestAnimationFrame(() => field.current?.focus());
    },
    onRequeue: () => void takeStep('reopen', handoff, onChange),
  };
  return (
    <li className="home-need" data-state={delivery.state}>
      <StateMark state={delivery.state} />
      <div className="home-words">
        <a href={`/h/${id}`} className="home-title">
          {showHidden(content.title)}
        </a>
        <p className="baton-hint">{showHidden(whyOf(handoff, now_ms))}</p>
      </div>
      <Ago className="baton-hint home-age" instant={created_at} />
      {isAnswering && isAsked ? (
        <AnswerForm
          subject={subject}
          asker={waiting_on.asked_by}
          question={waiting_on.question}
          field={field}
          onState={onChange}
          onEscape={() => {
            setAnswering(false);
            requestAnimationFrame(() => button.current?.focus());
          }}
        />
      ) : (
        <Act handoff={handoff} {...act} />
      )}
    </li>
  );
}

/** Why it waits for the user, and the known details. */
function whyOf({ content, delivery }: Handoff, now_ms: number): string {
  const { state, waiting_on, failure, attempts, max_attempts, available_at } = delivery;
  if (state === 'waiting' && waiting_on !== undefined) return `${waiting_on.asked_by} asks: ${waiting_on.question}`;
  if (state === 'expired') return 'Nobody claimed it before it expired.';
  const failed = failure === undefined ? '' : `${failure.by}: ${failure.reason}`;
  if (state === 'dead') return `Failed ${attempts} of ${max_attempts} times. ${failed}`.trim();
  if (state === 'open') {
    const wait_ms = Date.parse(available_at) - now_ms;
    const next = wait_ms > 0 ? `offered again in ${Math.ceil(wait_ms / 1_000)} s` : 'offered again';
    return `Attempt ${attempts} of ${max_attempts} failed, ${next}. ${failed}`;
  }
  const { decisions, files, risks } = content;
  const sizes = countKinds({ decisions: decisions.length, files: files.length, risks: risks.length });
  return [`From ${content.source_agent}`, ...sizes].join(' · ');
}

interface ActProps {
  handoff: Handoff;
  button: { current: HTMLButtonElement | null };
  onAnswer: () => void;
  onRequeue: () => void;
}

/** The one step that continues it. */
function Act({ handoff: { id, content, delivery }, button, onAnswer, onRequeue }: ActProps) {
  const title = showHidden(content.title);
  switch (delivery.state) {
    case 'draft':
      return (
        <a className="baton-button baton-small baton-primary" href={`/review/${id}`} aria-label={`Review ${title}`}>
          Review
        </a>
      );
    case 'open':
      return (
        <a className="baton-button baton-small" href={`/h/${id}?tab=timeline`} aria-label={`See why ${title} failed`}>
          See why
        </a>
      );
    case 'waiting':
      return <Button label="Answer" look="primary" ref={button} aria-label={`Answer ${title}`} onClick={onAnswer} />;
    default:
      return <Button label="Requeue" ref={button} aria-label={`Requeue ${title}`} onClick={onRequeue} />;
  }
}
