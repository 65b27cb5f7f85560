import { type KeyboardEvent, useId } from 'react';
import { showHidden } from '../core/hidden-characters.ts';
import { Button } from './button.tsx';
import { useReviewActions } from './review-context.ts';
import { type Subject, toKey } from './subjects.ts';
import type { Edit } from './use-edits.ts';

/** The props of an inline editor. */
export interface TextEditorProps {
  subject: Subject;
  edit: Edit;
  /** The text that the store holds now; undefined where the subject is no longer there. */
  stored: string | undefined;
  /** The label of the field, as "Decision". */
  label: string;
}

/**
 * A text field on a local draft: Enter saves, Shift+Enter makes a new line, Escape cancels. Where the stored text
 * changed meanwhile both are shown, and the user chooses by a button. Hidden characters of the draft are named below
 * the field.
 */
export function TextEditor({ subject, edit, stored, label }: TextEditorProps) {
  const actions = useReviewActions();
  const id = useId();
  const isConflict = stored !== edit.base;
  const shown = showHidden(edit.draft);
  const onKeyDown = (event: KeyboardEvent) => {
    // While an input method composes a character, Enter and Escape belong to it.
    if (event.nativeEvent.isComposing) return;
    const isSave = event.key === 'Enter' && !event.shiftKey && !event.ctrlKey && !event.metaKey;
    if (!isSave && event.key !== 'Escape') return;
    event.preventDefault();
    event.stopPropagation();
    // Enter is often pressed by habit: it does not overwrite another person's text.
    if (isSave && isConflict && stored !== undefined) actions.askToChoose();
    else if (isSave) actions.save(subject);
    else actions.cancel(subject);
  };
  return (
    <div className="baton-editor">
      <label className="baton-unseen" htmlFor={id}>
        {label}
      </label>
      <textarea
        id={id}
        className="baton-field"
        data-baton-edit={toKey(subject)}
        dir="auto"
        rows={1}
        value={edit.draft}
        onChange={(event) => actions.change(subject, event.target.value)}
        onKeyDown={onKeyDown}
      />
      {shown === edit.draft ? null : <p className="baton-note">With its hidden characters shown: {shown}</p>}
      {isConflict ? <Conflict stored={stored} /> : null}
      <div className="baton-tools">
        <Button label={isConflict ? 'Keep mine' : 'Save'} look="primary" onClick={() => actions.save(subject)} />
        <Button label={isConflict ? 'Take theirs' : 'Cancel'} onClick={() => actions.cancel(subject)} />
        {isConflict && stored !== undefined ? null : (
          <span className="baton-hint">
            <kbd>Enter</kbd> saves, <kbd>Shift</kbd>+<kbd>Enter</kbd> new line, <kbd>Esc</kbd> cancels
          </span>
        )}
      </div>
    </div>
  );
}

function Conflict({ stored }: { stored: string | undefined }) {
  return (
    <div className="baton-conflict" role="alert">
      {stored === undefined ? (
        <p>Removed elsewhere meanwhile. Saving adds your text again.</p>
      ) : (
        <>
          <p>Changed elsewhere meanwhile. It now says:</p>
          <p className="baton-text" dir="auto">
            {stored === '' ? 'nothing' : showHidden(stored)}
          </p>
        </>
      )}
    </div>
  );
}
