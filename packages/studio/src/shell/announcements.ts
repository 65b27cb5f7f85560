import { createStore } from 'zustand/vanilla';
import { showHidden } from '../../../batonpass/src/core/hidden-characters.ts';
import { limits } from '../../../batonpass/src/core/limits.ts';
import { describeProblem } from '../server/server-problem.ts';

/** Something that was done and can be taken back. */
export interface Undo {
  number: number;
  text: string;
  undo: () => void | Promise<void>;
}

/** What the studio says besides its screens. */
export interface Announcements {
  /** Rises with each, so that the same words are read out again. */
  number: number;
  polite: string;
  urgent: string;
  /** What can be taken back, the newest last. */
  undos: readonly Undo[];
  /** The newest one that is still shown. */
  shown?: Undo;
}

/** As many as a draft's own history: none of its changes is forgotten here and known there. */
const UNDOS_MAX = limits.draft_undo_max;

/** The studio's one place for words to the person. */
export const announcements = createStore<Announcements>(() => ({ number: 0, polite: '', urgent: '', undos: [] }));

/** Says a result, when a reader has nothing else to read. */
export function announce(text: string): void {
  announcements.setState(({ number }) => ({ number: number + 1, polite: showHidden(text), urgent: '' }));
}

/** Says a failure at once; it stays until something else is said. */
export function announceFailure(text: string): void {
  announcements.setState(({ number }) => ({ number: number + 1, urgent: showHidden(text), polite: '' }));
}

/** Says what was done, and offers to take it back: by a button for a while, by `z` for as long as the page is open. */
export function offerUndo(text: string, undo: () => void | Promise<void>): void {
  announce(text);
  const { number, polite, undos } = announcements.getState();
  const offered = { number, text: polite, undo };
  announcements.setState({ undos: [...undos, offered].slice(-UNDOS_MAX), shown: offered });
}

/**
 * Puts what was done into the one history, for a screen that says by itself what was done: it is taken back by `z`, in its
 * turn. What a button offered to take back before is not the last deed any more, so the button goes.
 */
export function noteDeed(undo: Undo['undo']): void {
  const { number, undos } = announcements.getState();
  announcements.setState({ undos: [...undos, { number, text: '', undo }].slice(-UNDOS_MAX), shown: undefined });
}

/** Steps of which it is not known yet what comes of them. */
const underWay = new Set<Promise<unknown>>();

/** Marks a step that will offer to be taken back: whoever undoes while it is under way means this one. */
export async function followStep<T>(step: Promise<T>): Promise<T> {
  underWay.add(step);
  try {
    return await step;
  } finally {
    underWay.delete(step);
  }
}

let undoing = Promise.resolve();

/** Takes the newest step back, one after the other; where that fails it is said, and the next can be taken back. */
export function undoLast(): Promise<void> {
  undoing = undoing.then(undoNewest);
  return undoing;
}

async function undoNewest(): Promise<void> {
  const before = announcements.getState().undos.at(-1);
  const isUnderWay = underWay.size > 0;
  if (isUnderWay) await Promise.allSettled(underWay);
  const { undos } = announcements.getState();
  const last = undos.at(-1);
  // What was meant has failed, and that was said: nothing older is taken back in its place.
  if (isUnderWay && last === before) return;
  if (last === undefined) {
    announce('Nothing to undo.');
    return;
  }
  announcements.setState({ undos: undos.slice(0, -1), shown: undefined });
  try {
    await last.undo();
  } catch (error) {
    announceFailure(describeProblem(error));
  }
}

/** Takes the words off the screen; what can be taken back still can. */
export function clearAnnouncement(): void {
  announcements.setState({ shown: undefined, urgent: '', polite: '' });
}
