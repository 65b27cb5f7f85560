import { useEffect, useRef } from 'react';
import { useStore } from 'zustand';
import { Button } from './button.tsx';
import { countProblems, type ReviewProblem } from './find-problems.ts';
import { useReviewActions, useReviewParts } from './review-context.ts';
import type { Announcement } from './use-announcements.ts';

/** The props of the review's footer. */
export interface ReviewFooterProps {
  last: Announcement;
  canUndo: boolean;
  canRedo: boolean;
  /** Whether there is a decision, which planning needs. */
  canStart: boolean;
  /** The label of the button for the next step. */
  startLabel: string;
  problems: readonly ReviewProblem[];
}

/** The sticky footer: the button back, the last action and its undo, problems, and the button for the next step. */
export function ReviewFooter({ last, canUndo, canRedo, canStart, startLabel, problems }: ReviewFooterProps) {
  const actions = useReviewActions();
  const foot = useRef<HTMLElement>(null);
  useEffect(() => followHeight(foot.current), []);
  return (
    <footer className="baton-footer" ref={foot}>
      <ChoiceBar />
      <Button label="Back to brainstorm" large onClick={() => actions.back()} />
      <Problems problems={problems} />
      <div className="baton-footer-middle">
        <Announced last={last} />
        <span className="baton-history">
          {/* Not `disabled`: a button that was just pressed must keep the focus. */}
          <Button label="Undo" look="quiet" aria-disabled={!canUndo} onClick={() => actions.undo()} />
          <Button label="Redo" look="quiet" aria-disabled={!canRedo} onClick={() => actions.redo()} />
        </span>
      </div>
      {canStart ? (
        <Button label={startLabel} large look="primary" onClick={() => void actions.start()} />
      ) : (
        <p className="baton-hint">Planning needs at least one decision.</p>
      )}
    </footer>
  );
}

/** Reports the footer's present height to the screen, so that the focused element is scrolled clear of it. */
function followHeight(foot: HTMLElement | null): (() => void) | undefined {
  const screen = foot?.parentElement;
  if (foot === null || screen === null || screen === undefined) return undefined;
  const observer = new ResizeObserver(() => {
    screen.style.setProperty('--baton-foot', `${foot.offsetHeight}px`);
  });
  observer.observe(foot);
  return () => observer.disconnect();
}

/** The actions on the selection; absent without one. */
function ChoiceBar() {
  const { actions, selection } = useReviewParts();
  const size = useStore(selection.chosen, (chosen) => chosen.size);
  const decisions = useStore(selection.chosen, countDecisions);
  if (size === 0) return null;
  return (
    <section className="baton-choice-bar" aria-label="Selection">
      <strong>{size} selected</strong>
      {decisions < 2 ? null : <Button label="Merge" onClick={() => actions.merge()} />}
      <Button label="Remove" onClick={() => actions.removeChosen()} />
      <Button label="Select nothing" look="quiet" onClick={() => actions.clearChoice()} />
    </section>
  );
}

function countDecisions(chosen: ReadonlySet<string>): number {
  return [...chosen].filter((key) => key.startsWith('decision:')).length;
}

/** The number of problems, and on demand the list. */
function Problems({ problems }: { problems: readonly ReviewProblem[] }) {
  if (problems.length === 0) return null;
  return (
    <details className="baton-problems" data-blocking={problems.some(({ isBlocking }) => isBlocking)}>
      <summary>{countProblems(problems)}</summary>
      <ul>
        {problems.map(({ text, isBlocking }) => (
          <li key={text}>{isBlocking ? <strong>{text}</strong> : text}</li>
        ))}
      </ul>
    </details>
  );
}

/** Two regions that are always there, so that their changes are read out: results politely, failures at once. */
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
