import type { UIMessage } from 'ai';
import { type RefObject, useMemo, useState } from 'react';
import { flushSync } from 'react-dom';
import { announce, announceFailure } from '../../shell/announcements.ts';
import { useKeys } from '../../shell/keys.ts';
import type { MessageActs } from './message.tsx';
import { isShown, textOf } from './messages.ts';
import type { OpenChat } from './open-chat.ts';
import { findSelected, togglePin } from './pin-words.ts';

/** The actions on messages, by pointer and by key; the message that keys act on; and how to go to one. */
export function useMessageActs({ chat, pins }: OpenChat, field: RefObject<HTMLTextAreaElement | null>) {
  const [chosen, setChosen] = useState<string | null>(null);
  const acts = useMemo(() => createActs(pins, field, setChosen), [pins, field]);
  const show = ({ id }: UIMessage) => {
    // Synchronously: the next key must act on this message already, however fast it follows.
    flushSync(() => setChosen(id));
    document.querySelector<HTMLElement>(`[data-message="${CSS.escape(id)}"]`)?.focus();
  };
  const step = (by: -1 | 1) => {
    const said = chat.messages.filter(isShown);
    const at = said.findIndex(({ id }) => id === chosen);
    const next = at === -1 ? said.at(-1) : said[at + by];
    if (next !== undefined) show(next);
  };
  const withChosen = (run: (message: UIMessage) => void) => () => {
    const wanted = findSelected()?.messageId ?? focused();
    const message = chat.messages.find(({ id }) => id === wanted);
    if (message === undefined) announce('Choose a message first: J and K go through them.');
    else run(message);
  };
  useKeys('Messages', [
    { keys: 'j', does: 'go to the next message', run: () => step(1) },
    { keys: 'k', does: 'go to the message before', run: () => step(-1) },
    { keys: 'Alt+ArrowDown', does: 'go to the next message', run: () => step(1) },
    { keys: 'Alt+ArrowUp', does: 'go to the message before', run: () => step(-1) },
    { keys: 'p', does: 'pin the selected sentence, or the message', run: withChosen(acts.pin) },
    { keys: 'c', does: 'copy the message', run: withChosen(acts.copy) },
    { keys: 'r', does: 'quote the message', run: withChosen(acts.quote) },
    { keys: 'i', does: 'write', run: () => field.current?.focus() },
  ]);
  return { acts, chosen, show };
}

function focused(): string | undefined {
  return document.activeElement?.closest<HTMLElement>('[data-message]')?.dataset.message;
}

function createActs(
  pins: OpenChat['pins'],
  field: RefObject<HTMLTextAreaElement | null>,
  choose: (id: string) => void,
): MessageActs {
  /** The selected text in it, else all of it. */
  const wordsOf = (message: UIMessage) => {
    const selected = findSelected();
    return selected?.messageId === message.id ? selected.words : textOf(message);
  };
  return {
    choose,
    pin: (message) => togglePin(pins, wordsOf(message)),
    copy: (message) => {
      const copying = navigator.clipboard?.writeText(wordsOf(message)) ?? Promise.reject(new Error('no clipboard'));
      copying.then(
        () => announce('Copied.'),
        () => announceFailure('The browser does not let this page copy. Select the words, and press Ctrl+C.'),
      );
    },
    quote: (message) => {
      if (field.current === null) return;
      const quoted = wordsOf(message)
        .trim()
        .split('\n')
        .map((line) => `> ${line}`)
        .join('\n');
      const before = field.current.value.trim();
      write(field.current, `${before === '' ? '' : `${before}\n\n`}${quoted}\n\n`);
    },
  };
}

/** Sets the text of a field that React controls, as typing would. */
function write(field: HTMLTextAreaElement, text: string): void {
  Object.getOwnPropertyDescriptor(HTMLTextAreaElement.prototype, 'value')?.set?.call(field, text);
  field.dispatchEvent(new Event('input', { bubbles: true }));
  field.focus();
  field.setSelectionRange(text.length, text.length);
}
