import { useId } from 'react';
import { useStore } from 'zustand';
import { ReadingProgress } from '../import/reading-progress.tsx';
import type { OpenChat } from './open-chat.ts';
import type { ReadyToPlan } from './use-ready-to-plan.ts';

/** What the bar is given. */
export interface ReadyBarProps {
  opened: OpenChat;
  ready: ReadyToPlan;
  /** Whether a model can read the conversation. */
  hasModel: boolean;
  /** Whether there is anything to hand over. */
  isEmpty: boolean;
  onReady: () => void;
}

/** The way on, with the number of pins; while the conversation is read, how far that is, and the way back. */
export function ReadyBar({ opened, ready, hasModel, isEmpty, onReady }: ReadyBarProps) {
  const pins = useStore(opened.pins, ({ decisions }) => decisions.length);
  const { reading, progress, failure, begin, cancel } = ready;
  const id = useId();
  const isRunning = reading !== '';
  return (
    <>
      <div role="alert">
        {failure === '' ? null : (
          <div className="flow-fault brainstorm-fault">
            <p>{failure} The conversation and its pins are as they were.</p>
            <button type="button" className="baton-button baton-small" onClick={onReady}>
              Try again
            </button>
            {hasModel ? (
              <button type="button" className="baton-button baton-small" onClick={() => void begin('rules')}>
                Read by rules instead
              </button>
            ) : null}
          </div>
        )}
      </div>
      <div className="brainstorm-ready">
        <ReadingProgress what={reading} progress={progress} hasKey onCancel={cancel} />
        <button
          type="button"
          className="baton-button baton-primary"
          aria-disabled={isRunning || isEmpty}
          aria-describedby={id}
          aria-keyshortcuts="Control+Shift+Enter Meta+Shift+Enter"
          onClick={onReady}
        >
          Ready to plan
        </button>
        <span className="baton-badge" id={id}>
          {pins} pinned
        </span>
      </div>
    </>
  );
}
