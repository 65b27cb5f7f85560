import { type ReactNode, useId } from 'react';
import type { Evidence } from '../core/evidence.ts';
import { showHidden } from '../core/hidden-characters.ts';
import { Button } from './button.tsx';
import { InlineText } from './inline-text.tsx';
import { useEdit, useIsChosen, useReviewActions, useReviewParts } from './review-context.ts';
import { nouns, type Subject, toKey } from './subjects.ts';
import { TextEditor } from './text-editor.tsx';
import { isChoosable } from './use-selection.ts';

/** The props of a card. */
export interface CardProps {
  subject: Subject;
  /** The text that can be edited. */
  text: string;
  /** The label of the editor's field. */
  label: string;
  /** Shown in place of an empty text. */
  placeholder?: string;
  /** Shown above the text: a file's path. */
  title?: ReactNode;
  /** Shown below the text: labels, confidence. */
  children?: ReactNode;
  evidence?: readonly Evidence[];
  /** Shown last: notes that the user should know about the entry. */
  notes?: ReactNode;
  /** Buttons in place of Remove: the answers to an entry that the user has not accepted yet. */
  verdict?: ReactNode;
  className?: string;
}

/** One entry of the review: a tab stop with its text, its source, and its buttons. */
export function Card({ subject, text, label, placeholder = '', title, children, ...more }: CardProps) {
  const edit = useEdit(subject);
  const id = useId();
  const { evidence = [], notes, verdict, className = '' } = more;
  const isChosen = useIsChosen(subject);
  // Equal texts of two quotes are shown once.
  const places = new Map(evidence.map((each) => [`${each.message} ${each.quote}`, each]));
  return (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset groups the fields of a form, and this is an entry of a list.
    <div
      className={`baton-card ${className}`}
      data-baton-item={toKey(subject)}
      data-chosen={isChosen}
      role="group"
      aria-labelledby={`${id}-noun ${id}-text`}
      // biome-ignore lint/a11y/noNoninteractiveTabindex: source 5 requires that Tab goes through the cards.
      tabIndex={0}
    >
      <span id={`${id}-noun`} className="baton-unseen">
        {nouns[subject.kind]}
        {isChosen ? ', selected' : ''}
      </span>
      {isChoosable(subject) ? <ChoiceBox subject={subject} isChosen={isChosen} textId={`${id}-text`} /> : null}
      <div className="baton-body">
        {title}
        {edit === undefined ? (
          <p id={`${id}-text`} className={text === '' ? 'baton-text baton-none' : 'baton-text'} dir="auto">
            <InlineText text={text === '' ? placeholder : text} />
          </p>
        ) : (
          <TextEditor subject={subject} edit={edit} stored={text} label={label} />
        )}
        {children === undefined ? null : <div className="baton-meta">{children}</div>}
        {[...places].map(([key, each]) => (
          <Quote key={key} evidence={each} subject={subject} />
        ))}
        {notes}
      </div>
      {edit === undefined ? <CardButtons subject={subject} textId={`${id}-text`} verdict={verdict} /> : null}
    </div>
  );
}

/** The selection for a user without single-key commands. */
function ChoiceBox({ subject, isChosen, textId }: { subject: Subject; isChosen: boolean; textId: string }) {
  const actions = useReviewActions();
  return (
    <label className="baton-choice">
      <input
        type="checkbox"
        aria-label="Select"
        aria-describedby={textId}
        checked={isChosen}
        onChange={() => actions.choose(subject)}
      />
    </label>
  );
}

function CardButtons({ subject, textId, verdict }: { subject: Subject; textId: string; verdict: ReactNode }) {
  const actions = useReviewActions();
  return (
    <div className="baton-card-buttons">
      {verdict}
      <Button label="Edit" look="quiet" aria-describedby={textId} onClick={() => actions.edit(subject)} />
      {subject.kind === 'summary' || verdict !== undefined ? null : (
        <Button
          label={<span aria-hidden="true">✕</span>}
          look="quiet"
          className="baton-icon"
          aria-label="Remove"
          aria-describedby={textId}
          title="Remove"
          onClick={() => actions.remove(subject)}
        />
      )}
    </div>
  );
}

/** A longer quote is folded to its beginning. */
const QUOTE_SHOWN_MAX = 240;

/** The position of an entry in the conversation, with its quote. */
function Quote({ subject, evidence }: { subject: Subject; evidence: Evidence }) {
  const shown = showHidden(evidence.quote);
  const place = <Place subject={subject} evidence={evidence} />;
  if (shown.length <= QUOTE_SHOWN_MAX) {
    return (
      <p className="baton-quote">
        {place}{' '}
        <q dir="auto">
          <InlineText text={evidence.quote} />
        </q>
      </p>
    );
  }
  // The number is a separate button: within the summary a screen reader would not find it.
  return (
    <div className="baton-quote baton-quote-long">
      {place}
      <details>
        <summary>
          <q dir="auto">{[...shown].slice(0, QUOTE_SHOWN_MAX - 60).join('')}…</q>
        </summary>
        <q dir="auto">
          <InlineText text={evidence.quote} />
        </q>
      </details>
    </div>
  );
}

/** The message's number; a button where the application shows the conversation around it. */
function Place({ subject, evidence }: { subject: Subject; evidence: Evidence }) {
  const { actions, hasEvidence } = useReviewParts();
  const words = `message ${evidence.message}`;
  if (!hasEvidence) return <span className="baton-place">{words}</span>;
  return (
    <button
      type="button"
      className="baton-place baton-link"
      title="Show the conversation around it"
      onClick={() => actions.showEvidence(subject, evidence)}
    >
      {words}
    </button>
  );
}
