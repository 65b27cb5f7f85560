import { useRef, useState } from 'react';
import type { Handoff } from '../../../../batonpass/src/core/handoff.ts';
import { showHidden } from '../../../../batonpass/src/core/hidden-characters.ts';
import { takeStep } from '../../server/steps.ts';
import { describeInstant, describeSince, useNow } from '../../shown/age.ts';
import { AnswerForm } from '../../shown/answer-form.tsx';
import { useFocusInList } from '../../shown/kept-focus.ts';
import { StateMark } from '../../shown/state-mark.tsx';
import type { HomeLists } from './home.tsx';

/** Lines that are shown: as many as a user settles in one session. */
const SHOWN_MAX = 20;

interface NeedsYouProps {
  lists: HomeLists;
  onChange: () => void;
}

/** What waits for the user, each with the one step that continues it. */
export function NeedsYou({ lists, onChange }: NeedsYouProps) {
  const root = useRef<HTMLElement>(null);
  useFocusInList(root, '.home-need');
  const { waiting, ended, failing, drafts, counts } = lists;
  const { waiting: asked = 0, dead = 0, expired = 0, draft = 0 } = counts;
  const count = asked + dead + expired + draft + failing.length;
  // Questions first, since an agent waits, then failures, then drafts.
  const shown = [...waiting, ...ended, ...failing, ...drafts].slice(0, SHOWN_MAX);
  return (
    <section ref={root} className="home-part" aria-labelledby="needs-title">
      <h2 id="needs-title" tabIndex={-1}>
        Needs you {count === 0 ? null : <span className="home-count">{count.toLocaleString('en')}</span>}
      </h2>
      {count === 0 ? <p className="baton-hint">Nothing waits for you.</p> : null}
      <ul className="baton-list home-list">
        {shown.map((handoff) => (
          <Need key={handoff.id} handoff={handoff} onChange={onChange} />
        ))}
      </ul>
      {shown.length < count ? (
        <p>
          <a href="/inbox?tab=needs">All {count.toLocaleString('en')} in the inbox</a>
        </p>
      ) : null}
    </section>
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
    name: content.title,
    button,
    onAnswer: () => {
      setAnswering(true);
      requestAnimationFrame(() => field.current?.focus());
    },
    onRequeue: () => void takeStep('reopen', subject, { onState: onChange }),
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
      <time className="baton-hint home-age" dateTime={created_at} title={describeInstant(created_at)}>
        {describeSince(created_at, now_ms, 'ago')}
      </time>
      {isAnswering && isAsked ? null : <Act handoff={handoff} {...act} />}
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
      ) : null}
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
  const sizes = [
    [decisions.length, 'decision'],
    [files.length, 'file'],
    [risks.length, 'risk'],
  ] as const;
  const parts = sizes.filter(([size]) => size > 0).map(([size, noun]) => `${size} ${noun}${size === 1 ? '' : 's'}`);
  return [`From ${content.source_agent}`, ...parts].join(' · ');
}

interface ActProps {
  handoff: Handoff;
  name: string;
  button: { current: HTMLButtonElement | null };
  onAnswer: () => void;
  onRequeue: () => void;
}

/** The one step that continues it. */
function Act({ handoff: { id, delivery }, name, button, onAnswer, onRequeue }: ActProps) {
  const title = showHidden(name);
  const look = 'baton-button baton-small';
  const { state } = delivery;
  if (state === 'draft') {
    return (
      <a className={`${look} baton-primary`} href={`/review/${id}`} aria-label={`Review ${title}`}>
        Review
      </a>
    );
  }
  if (state === 'open') {
    return (
      <a className={look} href={`/h/${id}?tab=timeline`} aria-label={`See why ${title} failed`}>
        See why
      </a>
    );
  }
  const [words, run] = state === 'waiting' ? (['Answer', onAnswer] as const) : (['Requeue', onRequeue] as const);
  return (
    <button
      ref={button}
      type="button"
      className={`${look}${state === 'waiting' ? ' baton-primary' : ''}`}
      aria-label={`${words} ${title}`}
      onClick={run}
    >
      {words}
    </button>
  );
}
