import type { UIMessage } from 'ai';
import { type KeyboardEvent, useRef, useState } from 'react';
import { flushSync } from 'react-dom';
import { useStore } from 'zustand';
import { showHidden } from '../../../../batonpass/src/core/hidden-characters.ts';
import { Button } from '../../../../batonpass/src/react/button.tsx';
import { announce } from '../../shell/announcements.ts';
import { useMedia } from '../../shown/use-media.ts';
import type { OpenChat } from './open-chat.ts';
import { findPinned, removePin } from './pin-words.ts';

interface PinStripProps {
  opened: OpenChat;
  messages: readonly UIMessage[];
  onShow: (message: UIMessage) => void;
}

/** The pins, in the order in which they are handed over. On a narrow page the strip is folded. */
export function PinStrip({ opened, messages, onShow }: PinStripProps) {
  const pins = useStore(opened.pins, ({ decisions }) => decisions);
  // From this width on the strip has a column of its own.
  const isWide = useMedia('(min-width: 56.25rem)');
  const [isOpen, setOpen] = useState(false);
  const { list, heading, move, remove } = usePinMoves(opened.pins);
  const show = (content: string) => {
    const said = findPinned(messages, content);
    if (said === undefined) announce('No message says this any more. It is handed over anyway.');
    else onShow(said);
  };
  const keys = (place: number) => (event: KeyboardEvent) => {
    const by = event.altKey ? { ArrowUp: -1 as const, ArrowDown: 1 as const }[event.key] : undefined;
    if (by !== undefined) move(place, by);
    else if (event.key === 'Backspace' || event.key === 'Delete') remove(place);
    else return;
    event.preventDefault();
  };
  const title = `Pins (${pins.length})`;
  return (
    <aside className="brainstorm-pins" aria-label="Pins">
      <details open={isWide || isOpen} onToggle={(event) => isWide || setOpen(event.currentTarget.open)}>
        <summary ref={heading}>{title}</summary>
        {pins.length === 0 ? (
          <p className="baton-hint">Pin what is decided: a message, or a sentence that you select.</p>
        ) : null}
        <ol ref={list} className="brainstorm-pin-list">
          {pins.map(({ id, content }, place) => (
            <li key={id} className="brainstorm-pin">
              <button
                type="button"
                className="brainstorm-pin-words"
                dir="auto"
                aria-keyshortcuts="Alt+ArrowUp Alt+ArrowDown Backspace"
                title="Show it in the conversation"
                onClick={() => show(content)}
                onKeyDown={keys(place)}
              >
                {showHidden(content)}
              </button>
              <PinButtons {...{ place, count: pins.length, move, remove }} />
            </li>
          ))}
        </ol>
      </details>
    </aside>
  );
}

/** Moves and removes pins; the focus follows. */
function usePinMoves(store: OpenChat['pins']) {
  const list = useRef<HTMLOListElement>(null);
  const heading = useRef<HTMLElement>(null);
  /** The pin that gets the focus after one was removed or moved. */
  const focus = (place: number) => {
    const left = list.current?.querySelectorAll<HTMLElement>('.brainstorm-pin-words') ?? [];
    (left[Math.min(place, left.length - 1)] ?? heading.current)?.focus();
  };
  const remove = (place: number) => {
    const pin = store.getState().decisions[place];
    if (pin !== undefined) flushSync(() => removePin(store, pin.id));
    focus(place);
  };
  const move = (place: number, by: -1 | 1) => {
    const pins = store.getState().decisions;
    const pin = pins[place];
    const to = place + by;
    if (pin === undefined || to < 0 || to >= pins.length) return;
    flushSync(() => store.getState().moveDecision(pin.id, to));
    announce(`Moved to place ${to + 1} of ${pins.length}.`);
    focus(to);
  };
  return { list, heading, move, remove };
}

interface PinButtonsProps {
  place: number;
  count: number;
  move: (place: number, by: -1 | 1) => void;
  remove: (place: number) => void;
}

function PinButtons({ place, count, move, remove }: PinButtonsProps) {
  const shared = { look: 'quiet', className: 'baton-icon' } as const;
  const name = `pin ${place + 1}`;
  const [isFirst, isLast] = [place === 0, place === count - 1];
  return (
    <div className="brainstorm-pin-buttons">
      <Button
        {...shared}
        label="↑"
        aria-label={`Move ${name} up`}
        aria-disabled={isFirst}
        onClick={() => move(place, -1)}
      />
      <Button
        {...shared}
        label="↓"
        aria-label={`Move ${name} down`}
        aria-disabled={isLast}
        onClick={() => move(place, 1)}
      />
      <Button {...shared} label="✕" aria-label={`Take ${name} off`} onClick={() => remove(place)} />
    </div>
  );
}
