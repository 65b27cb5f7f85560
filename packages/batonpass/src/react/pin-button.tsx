import { useStore } from 'zustand';
import { draftStore, type HandoffDraftStore } from '../draft/draft-store.ts';
import { normalize } from '../extraction/merge-extractions.ts';

/** The props of a message's pin. */
export interface PinButtonProps {
  /** The message's text: it becomes a decision unchanged. */
  content: string;
  /** Default: the store behind `useHandoffStore`. */
  store?: HandoffDraftStore;
}

/**
 * The pin of an assistant's message: pressed adds it as a `user-pinned` decision, pressed again removes that. It is
 * always there for the keyboard and for touch; with a mouse it shows when its parent, or a `.baton-message`, is pointed
 * at.
 */
export function PinButton({ content, store = draftStore }: PinButtonProps) {
  const pinned = useStore(store, ({ decisions }) =>
    decisions.find((each) => each.source !== 'ai-extracted' && normalize(each.content) === normalize(content)),
  );
  const toggle = () => {
    if (pinned === undefined) store.getState().addDecision(content, 'user-pinned');
    else store.getState().removeDecision(pinned.id);
  };
  return (
    <button
      type="button"
      className="baton baton-button baton-small baton-pin"
      aria-pressed={pinned !== undefined}
      onClick={toggle}
    >
      <svg aria-hidden="true" viewBox="0 0 16 16" width="14" height="14">
        <path d="M5.5 1.5h5l-.8 4.2 2.3 2.3v1.2H4V8l2.3-2.3zM8 9.2v5.3" />
      </svg>
      Pin
    </button>
  );
}
