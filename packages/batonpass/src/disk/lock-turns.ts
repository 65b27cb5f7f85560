/** Who waits for which folder, in the order of coming; a key is there while somebody has the turn. */
const waiting = new Map<string, (() => void)[]>();

/**
 * Waits until the callers before it in this process are done with a folder: one at a time contends for it on the disk,
 * and callers of one process are served in order.
 *
 * @returns what ends the turn; nothing where the signal aborted first.
 */
export function takeTurn(folder: string, signal: AbortSignal): Promise<(() => void) | undefined> {
  const queue = waiting.get(folder);
  if (queue === undefined) {
    waiting.set(folder, []);
    return Promise.resolve(() => endTurn(folder));
  }
  return new Promise((resolve) => {
    if (signal.aborted) return resolve(undefined);
    const begin = () => {
      signal.removeEventListener('abort', giveUp);
      resolve(() => endTurn(folder));
    };
    const giveUp = () => {
      queue.splice(queue.indexOf(begin), 1);
      resolve(undefined);
    };
    queue.push(begin);
    signal.addEventListener('abort', giveUp, { once: true });
  });
}

function endTurn(folder: string): void {
  const next = waiting.get(folder)?.shift();
  if (next === undefined) waiting.delete(folder);
  else next();
}
