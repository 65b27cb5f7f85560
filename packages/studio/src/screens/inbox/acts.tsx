import './acts.css';
import { useRef } from 'react';
import { showHidden } from '../../../../batonpass/src/core/hidden-characters.ts';
import { stepsFrom } from '../../server/steps.ts';
import { announce } from '../../shell/announcements.ts';
import { type KeyBinding, useKeys } from '../../shell/keys.ts';
import { navigate } from '../../shell/router.ts';
import { AnswerForm } from '../../shown/answer-form.tsx';
import type { RowPages } from './row-pages.ts';
import type { Row } from './rows.ts';
import { isPossible, nameOf, takeVerdict, type Verb, type Verdict } from './verdicts.ts';

interface ActsProps {
  row: Row;
  pages: RowPages;
  /** Moves the focus on when the row is done with. */
  onDone: (id: string) => void;
}

/** What can be done with the row that has the focus, by button and by key; a question is answered here. */
export function Acts({ row, pages, onDone }: ActsProps) {
  const field = useRef<HTMLTextAreaElement>(null);
  const { id, title, state } = row;
  const decide = (verdict: Verdict) => {
    onDone(id);
    void takeVerdict(verdict, [row], { pages });
  };
  const acts = actsWith(row, decide, () => field.current?.focus());
  useKeys('This row', [...acts, ...notThere(row)]);
  const question = stepsFrom(state).answer ? row.question : undefined;
  return (
    <section className="inbox-acts" aria-label={`Selected: ${showHidden(title)}`}>
      {question === undefined ? null : (
        <AnswerForm
          subject={row}
          asker={row.holder ?? 'Its holder'}
          question={question}
          field={field}
          onState={(next) => pages.change(id, (before) => ({ ...before, state: next }))}
        />
      )}
      <div className="studio-buttons">
        <span className="inbox-acts-title">{showHidden(title)}</span>
        <a className="baton-button baton-small" href={`/h/${id}`}>
          Open <kbd>Enter</kbd>
        </a>
        {acts.map(({ keys, does, run }) => (
          <button key={keys} type="button" className="baton-button baton-small" onClick={run}>
            {does} <kbd>{keys.toUpperCase()}</kbd>
          </button>
        ))}
      </div>
    </section>
  );
}

/** The verdicts of a row: no more than its state allows. */
function actsWith(row: Row, decide: (verdict: Verdict) => void, onAnswer: () => void): KeyBinding[] {
  const when = (verb: Verb, keys: string, does: string, reason?: string): KeyBinding[] =>
    isPossible(verb, row)
      ? [{ keys, does, run: () => decide({ verb, ...(reason === undefined ? {} : { reason }) }) }]
      : [];
  const review = () => navigate(`/review/${row.id}`);
  return [
    ...(isPossible('approve', row) ? [{ keys: 'e', does: 'Review', run: review }] : []),
    ...when('approve', '1', 'Approve as it is'),
    ...(stepsFrom(row.state).answer ? [{ keys: '1', does: 'Answer', run: onAnswer }] : []),
    ...when('reopen', '1', nameOf('reopen')),
    ...when('withdraw', '2', 'Withdraw as duplicate', 'Duplicate of another handoff.'),
    ...when('withdraw', '3', 'Withdraw', 'Declined.'),
    ...when('release', 'l', 'Release to others'),
  ];
}

/** Keys of other inboxes for which the life cycle has no step here: pressed, they say so. */
function notThere({ state }: Row): KeyBinding[] {
  const snooze = 'snooze: a handoff has no such state; it keeps its place until somebody claims it';
  const held = 'release: only its holder can, or a person by force on its own page';
  return [
    { keys: 'h', does: snooze, run: () => announce(`There is no ${snooze}.`) },
    ...(state === 'claimed' ? [{ keys: 'l', does: held, run: () => announce(`There is no ${held}.`) }] : []),
  ];
}
