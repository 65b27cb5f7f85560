import { useEffect, useState } from 'react';
import { useStore } from 'zustand';
import { announcements, clearAnnouncement, undoLast } from './announcements.ts';

/** How long an offer to undo stays, unless the pointer or the focus is on it. */
const SHOWN_MS = 8_000;

/** What was said: for eyes and for screen readers. Results politely, failures at once. */
export function Toasts() {
  const { number, polite, urgent, shown } = useStore(announcements);
  const [isHeld, setHeld] = useState(false);
  const isUndoable = shown !== undefined;
  useEffect(() => {
    if (number === 0 || isHeld || urgent !== '') return;
    const timer = setTimeout(clearAnnouncement, SHOWN_MS);
    return () => clearTimeout(timer);
  }, [number, isHeld, urgent]);
  const hold = { onPointerEnter: () => setHeld(true), onPointerLeave: () => setHeld(false) };
  const focus = { onFocus: () => setHeld(true), onBlur: () => setHeld(false) };
  const text = urgent === '' ? polite : urgent;
  return (
    <div className="studio-toasts" data-urgent={urgent !== ''} data-empty={text === ''} {...hold} {...focus}>
      <p role="status" className="studio-said">
        {polite}
      </p>
      <p role="alert" className="studio-said">
        {urgent}
      </p>
      {isUndoable ? (
        <button type="button" className="baton-button baton-small" onClick={() => void undoLast()}>
          Undo <kbd>Z</kbd>
        </button>
      ) : null}
      {text === '' ? null : (
        <button type="button" className="baton-button baton-small baton-quiet" onClick={clearAnnouncement}>
          Close
        </button>
      )}
    </div>
  );
}
