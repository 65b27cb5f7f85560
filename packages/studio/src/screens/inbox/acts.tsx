import { type FormEvent, useRef } from 'react';
import { showHidden } from '../../../../batonpass/src/core/hidden-characters.ts';
import { answerQuestion, type Shown, stepsFrom, takeStep } from '../../server/steps.ts';
import { announce } from '../../shell/announcements.ts';
import { type KeyBinding, useKeys } from '../../shell/keys.ts';
import { navigate } from '../../shell/router.ts';
import type { RowPages } from './row-pages.ts';
import type { Row } from './rows.ts';

/** What can be done with the row that has the focus, by button and by key; a question is answered here. */
export function Acts({ row, pages }: { row: Row; pages: RowPages }) {
  const field = useRef<HTMLTextAreaElement>(null);
  const { title, id, state } = row;
  const may = stepsFrom(state);
  const shown: Shown = { onState: (to) => pages.change(id, (before) => ({ ...before, state: to })) };
  // An answer that is waited for is not lost by one key: that has its place on the handoff's own page.
  const canWithdraw = may.withdraw && state !== 'waiting';
  const acts = [
    ...(may.review ? [act('1', 'Review and approve', () => navigate(`/review/${id}`))] : []),
    ...(may.answer ? [act('1', 'Answer', () => field.current?.focus())] : []),
    ...(canWithdraw ? [act('3', 'Withdraw', () => void takeStep('withdraw', row, shown))] : []),
    ...(may.reopen ? [act('r', 'Reopen', () => void takeStep('reopen', row, shown))] : []),
    ...(may.release ? [act('l', 'Release to others', () => void takeStep('release', row, shown))] : []),
  ];
  useKeys('This row', acts);
  return (
    <section className="inbox-acts" aria-label={`Selected: ${showHidden(title)}`}>
      {may.answer && row.question !== undefined ? <Answer row={row} shown={shown} field={field} /> : null}
      <div className="studio-buttons">
        <a className="baton-button baton-small" href={`/h/${id}`}>
          Open <kbd>Enter</kbd>
        </a>
        {acts.map(({ keys, does, run }) => (
          <button key={does} type="button" className="baton-button baton-small" onClick={run}>
            {does} <kbd>{keys.toUpperCase()}</kbd>
          </button>
        ))}
      </div>
    </section>
  );
}

function act(keys: string, does: string, run: () => void): KeyBinding {
  return { keys, does, run };
}

interface AnswerProps {
  row: Row;
  shown: Shown;
  field: { current: HTMLTextAreaElement | null };
}

function Answer({ row, shown, field }: AnswerProps) {
  const submit = async (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const answer = field.current?.value.trim() ?? '';
    if (answer === '') return announce('Write an answer first.');
    await answerQuestion(row, answer, shown);
  };
  return (
    <form className="studio-answer" onSubmit={(event) => void submit(event)}>
      <label htmlFor="answer">
        {showHidden(row.holder ?? 'Its holder')} asks: <strong>{showHidden(row.question ?? '')}</strong>
      </label>
      <textarea
        id="answer"
        ref={field}
        className="baton-field"
        rows={2}
        onKeyDown={(event) => {
          if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) event.currentTarget.form?.requestSubmit();
          if (event.key === 'Escape') event.currentTarget.blur();
        }}
      />
      <button type="submit" className="baton-button baton-small baton-primary">
        Send the answer <kbd>Ctrl+Enter</kbd>
      </button>
    </form>
  );
}
