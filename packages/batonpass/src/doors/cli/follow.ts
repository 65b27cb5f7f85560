import { type FSWatcher, watch } from 'node:fs';
import { isDeepStrictEqual } from 'node:util';
import { isHandoffError } from '../../core/errors.ts';
import { createView } from './present/view.ts';
import { renderError } from './render-error.ts';
import { write } from './write.ts';

/** How often it looks without an event: for changes that the file system does not report. */
const RECHECK_MS = 2_000;
/** A save is several changes; it looks once for all of them. */
const SETTLE_MS = 50;

/** What is followed, and how it is shown. */
export interface Following<Output> {
  folder: string;
  /** The answer that is shown already. */
  first: Output;
  ask: () => Promise<Output>;
  show: (output: Output) => Promise<void>;
  signal: AbortSignal;
}

/**
 * Asks again whenever something in the folder changes, and shows an answer that differs from the last, until the signal
 * aborts. A failure is printed and does not end it: a plan that is moved away may come back.
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

/** Clears the screen and moves the cursor to its top. */
const CLEAR = '\u001b[2J\u001b[H';

function tell(error: unknown): Promise<boolean> {
  const view = createView(process.stderr, { now_ms: Date.now(), options: {} });
  return write(process.stderr, renderError(error, view, false).text);
}

/** Waits until something in the folder changes, the recheck is due, or the signal aborts. */
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
      // The folder is gone: the recheck finds what is there instead.
      watcher.on('error', () => watcher?.close());
    } catch {
      // Without a watcher, as where the machine has none left, only the recheck looks.
    }
    if (signal.aborted) end();
  });
}
