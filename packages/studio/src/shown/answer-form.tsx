import { type FormEvent, type RefObject, useId } from 'react';
import { showHidden } from '../../../batonpass/src/core/hidden-characters.ts';
import { Button } from '../../../batonpass/src/react/button.tsx';
import { answerQuestion, type OnState, type Subject } from '../server/steps.ts';
import { announce } from '../shell/announcements.ts';

interface AnswerFormProps {
  subject: Subject;
  /** Who asks. */
  asker: string;
  question: string;
  field: RefObject<HTMLTextAreaElement | null>;
  onState: OnState;
  /** What Escape in the field does. Default: it leaves the field. */
  onEscape?: () => void;
}

/** A question of an agent, and the field for its answer; Ctrl+Enter sends it. */
export function AnswerForm({ subject, asker, question, field, onState, onEscape }: AnswerFormProps) {
  const id = useId();
  const submit = async (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const answer = field.current?.value.trim() ?? '';
    if (answer === '') return announce('Write an answer first.');
    await answerQuestion(subject, answer, onState);
  };
  return (
    <form className="studio-answer" onSubmit={(event) => void submit(event)}>
      <label htmlFor={id}>
        {showHidden(asker)} asks: <strong>{showHidden(question)}</strong>
      </label>
      <textarea
        id={id}
        ref={field}
        className="baton-field"
        rows={2}
        onKeyDown={(event) => {
          if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) event.currentTarget.form?.requestSubmit();
          if (event.key !== 'Escape') return;
          if (onEscape === undefined) event.currentTarget.blur();
          else onEscape();
        }}
      />
      <Button label="Send the answer" hotkey="Ctrl+Enter" type="submit" look="primary" />
    </form>
  );
}
