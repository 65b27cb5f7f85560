import { createStore } from 'zustand/vanilla';
import { showHidden } from '../../../batonpass/src/core/hidden-characters.ts';
import { limits } from '../../../batonpass/src/core/limits.ts';
import { describeProblem } from '../server/server-problem.ts';

/** A change that can be undone. */
export interface Undo {
  number: number;
  text: string;
  undo: () => void | Promise<void>;
}

/** What the studio announces in addition to its screens. */
interface Announcements {
  /** Increases with each, so that repeated words are read out again. */
  number: number;
  polite: string;
  urgent: string;
  /** What can be undone, the newest last. */
  undos: readonly Undo[];
  /** The newest one that is still shown. */
  shown?: Undo;
}

/** The same as a draft's own history, so that both forget a change at the same time. */
const UNDOS_MAX = limits.draft_undo_max;

/** The one store of the studio's announcements. */
export const announcements = createStore<Announcements>(() => ({ number: 0, polite: '', urgent: '', undos: [] }));

/** Announces a result, once the screen reader is idle. */
export function announce(text: string): void {
  announcements.setState(({ number }) => ({ number: number + 1, polite: showHidden(text), urgent: '' }));
}

/** Announces a failure at once; it stays until the next announcement. */
export function announceFailure(text: string): void {
  announcements.setState(({ number }) => ({ number: number + 1, urgent: showHidden(text), polite: '' }));
}

/** Announces a change, and offers undo: by a button for a while, by `z` for as long as the page is open. */
export function offerUndo(text: string, undo: () => void | Promise<void>): void {
  announce(text);
  const { number, polite, undos } = announcements.getState();
  const offered = { number, text: polite, undo };
  announcements.setState({ undos: [...undos, offered].slice(-UNDOS_MAX), shown: offered });
}

/**
 * Adds a change to the one history, for a screen that announces it itself: `z` undoes it in order. The button of an
 * older offer is removed.
 */
export function noteDeed(undo: Undo['undo']): void {
  const { number, undos } = announcements.getState();
  announcements.setState({ undos: [...undos, { number, text: '', undo }].slice(-UNDOS_MAX), shown: undefined });
}

/** Steps whose result is not known yet. */
const underWay = new Set<Promise<unknown>>();

/** Marks a step that will offer undo: an undo while it is in progress applies to it. */
export async function followStep<T>(step: Promise<T>): Promise<T> {
  underWay.add(step);
  try {
    return await step;
  } finally {
    underWay.delete(step);
  }
}

let undoing = Promise.resolve();

/** Undoes the newest step, one after another; a failure is announced, and the next step can be undone. */
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
  // The step to undo failed, and that was announced: no older one is undone in its place.
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

/** Clears the announcement; what can be undone stays. */
export function clearAnnouncement(): void {
  announcements.setState({ shown: undefined, urgent: '', polite: '' });
}
