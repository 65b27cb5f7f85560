import type { UIMessage } from 'ai';
import { limits } from '../../../../batonpass/src/core/limits.ts';
import { findSaid } from '../../../../batonpass/src/draft/find-said.ts';
import { normalize } from '../../../../batonpass/src/extraction/merge-extractions.ts';
import { announceFailure, offerUndo } from '../../shell/announcements.ts';
import { textOf } from './messages.ts';
import type { OpenChat } from './open-chat.ts';

type Pins = OpenChat['pins'];

/** The pin with this text; undefined where there is none. */
function findPin(pins: Pins, words: string) {
  const wanted = normalize(words);
  return pins.getState().decisions.find(({ content }) => normalize(content) === wanted);
}

/** Pins a text, or unpins it where it is pinned; either can be undone. */
export function togglePin(pins: Pins, words: string): void {
  const text = words.trim();
  if (text === '') return;
  if (text.length > limits.entry_characters_max) {
    const max = limits.entry_characters_max.toLocaleString('en');
    announceFailure(`This is too long for a pin: the maximum is ${max} characters. Select the sentence that counts.`);
    return;
  }
  const known = findPin(pins, text);
  if (known === undefined) addPin(pins, text);
  else removePin(pins, known.id);
}

function addPin(pins: Pins, text: string): void {
  pins.getState().addDecision(text, 'user-pinned');
  const added = findPin(pins, text);
  offerUndo('Pinned.', () => {
    if (added !== undefined) pins.getState().removeDecision(added.id);
  });
}

/** Removes a pin. */
export function removePin(pins: Pins, id: string): void {
  const { decisions, removeDecision } = pins.getState();
  const place = decisions.findIndex((each) => each.id === id);
  const pin = decisions[place];
  if (pin === undefined) return;
  removeDecision(id);
  offerUndo('Unpinned.', () => {
    const { addDecision, moveDecision } = pins.getState();
    addDecision(pin.content, 'user-pinned');
    const again = findPin(pins, pin.content);
    if (again !== undefined) moveDecision(again.id, place);
  });
}

/** The selected text within a message, and the message's id; null where none is selected. */
export function findSelected(): { words: string; messageId: string } | null {
  const selection = getSelection();
  if (selection === null || selection.isCollapsed || selection.rangeCount === 0) return null;
  const { startContainer, endContainer } = selection.getRangeAt(0);
  const from = messageAround(startContainer);
  const words = selection.toString().trim();
  return from === null || from !== messageAround(endContainer) || words === '' ? null : { words, messageId: from };
}

function messageAround(node: Node): string | null {
  const element = node instanceof Element ? node : node.parentElement;
  if (element === null || element.closest('.brainstorm-words') === null) return null;
  return element.closest<HTMLElement>('[data-message]')?.dataset.message ?? null;
}

/** The message that contains a pinned text; undefined where none does any more. */
export function findPinned(messages: readonly UIMessage[], words: string): UIMessage | undefined {
  const said = findSaid(words, messages.map(textOf));
  return said === undefined ? undefined : messages[said.message];
}
