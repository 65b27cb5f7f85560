import { type FSWatcher, watch } from 'node:fs';
import { isDeepStrictEqual } from 'node:util';
import { isHandoffError } from '../../core/errors.ts';
import { createView } from './present/view.ts';
import { renderError } from './render-error.ts';
import { write } from './write.ts';

/** How often is looked without being woken: the net under what a file system does not tell. */
const RECHECK_MS = 2_000;
/** A save is several changes; they are looked at once. */
const SETTLE_MS = 50;

/** What is followed, and how it is shown. */
export interface Following<Output> {
  folder: string;
  /** What is shown already. */
  first: Output;
  ask: () => Promise<Output>;
  show: (output: Output) => Promise<void>;
  signal: AbortSignal;
}

/**
 * Asks anew whenever something in the folder changes, and shows an answer that is another one, until the signal aborts. A
 * failure is told and does not end it: a plan that is moved away may come back.
 */
export async function follow<Output>({ folder, first, ask, show, signal }: Following<Output>): Promise<void> {
  let shown: unknown = first;
  while (!signal.aborted) {
    await untilChange(folder, signal);
    if (signal.aborted) return;
    try {
      const output = await ask();
      if (isDeepStrictEqual(output, shown)) continue;
      shown = output;
      if (process.stdout.isTTY) await write(process.stdout, CLEAR);
      await show(output);
    } catch (error) {
      if (!isHandoffError(error)) throw error;
      if (shown !== error.message) await tell(error);
      shown = error.message;
    }
  }
}

/** Clears the screen, and begins at its top. */
const CLEAR = '\u001b[2J\u001b[H';

function tell(error: unknown): Promise<boolean> {
  const view = createView(process.stderr, { now_ms: Date.now(), options: {} });
  return write(process.stderr, renderError(error, view, false).text);
}

/** Until something in the folder changes, the recheck is due, or the signal aborts. */
function untilChange(folder: string, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    let watcher: FSWatcher | undefined;
    let settling: NodeJS.Timeout | undefined;
    const end = () => {
      clearTimeout(recheck);
      clearTimeout(settling);
      watcher?.close();
      signal.removeEventListener('abort', end);
      resolve();
    };
    const recheck = setTimeout(end, RECHECK_MS);
    signal.addEventListener('abort', end);
    try {
      watcher = watch(folder, () => {
        settling ??= setTimeout(end, SETTLE_MS);
      });
      // The folder went away: the recheck finds out what is there instead.
      watcher.on('error', () => watcher?.close());
    } catch {
      // Without a watcher, as where the machine has none left, the recheck alone looks.
    }
    if (signal.aborted) end();
  });
}
