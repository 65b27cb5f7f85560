import { useReviewActions } from './review-context.ts';
import type { Announcement } from './use-announcements.ts';

/** What stands at the foot of the review. */
export interface ReviewFooterProps {
  last: Announcement;
  canUndo: boolean;
  canRedo: boolean;
  /** Whether there is a decision, without which nothing can be planned. */
  canStart: boolean;
  onBack: () => void;
}

/** The sticky foot: the way back, what happened last and how to undo it, and the way on. */
export function ReviewFooter({ last, canUndo, canRedo, canStart, onBack }: ReviewFooterProps) {
  const actions = useReviewActions();
  return (
    <footer className="baton-footer">
      <button type="button" className="baton-button" onClick={onBack}>
        Back to brainstorm
      </button>
      <div className="baton-footer-middle">
        <Announced last={last} />
        <span className="baton-history">
          <HistoryButton label="Undo" isPossible={canUndo} onClick={() => actions.undo()} />
          <HistoryButton label="Redo" isPossible={canRedo} onClick={() => actions.redo()} />
        </span>
      </div>
      {canStart ? (
        <button type="button" className="baton-button baton-primary" onClick={() => void actions.start()}>
          Start planning
        </button>
      ) : (
        <p className="baton-hint">Planning needs at least one decision.</p>
      )}
    </footer>
  );
}

/** Two regions that are always there, so that what comes into them is read out: results politely, failures at once. */
function Announced({ last }: { last: Announcement }) {
  const text = <span key={last.number}>{last.text}</span>;
  return (
    <>
      <p className="baton-said" role="status" aria-live="polite">
        {last.isFailure ? null : text}
      </p>
      <p className="baton-said baton-failed" role="alert" aria-live="assertive">
        {last.isFailure ? text : null}
      </p>
    </>
  );
}

/** Stays focusable where there is nothing to do: a button that was just pressed must not take the focus with it. */
function HistoryButton(props: { label: string; isPossible: boolean; onClick: () => void }) {
  return (
    <button
      type="button"
      className="baton-button baton-small baton-quiet"
      aria-disabled={!props.isPossible}
      onClick={props.onClick}
    >
      {props.label}
    </button>
  );
}
