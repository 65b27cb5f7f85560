/** A busy machine needs a minute for what takes seconds. */
const wait_ms = 120_000;
const look_ms = 25;

let last_ms = Number.POSITIVE_INFINITY;

/** From this time by `performance.now()`, nothing is waited for any more: a scene that is not over by then fails. */
export function endWaitsAt(at_ms: number): void {
  last_ms = at_ms;
}

/** Waits until something is so, with a look now and then. @throws with what was waited for. */
export async function until(isSo: () => boolean, what: () => string, between_ms = look_ms): Promise<void> {
  const start_ms = performance.now();
  for (const until_ms = Math.min(start_ms + wait_ms, last_ms); performance.now() < until_ms; ) {
    if (isSo()) return;
    await new Promise((resolve) => setTimeout(resolve, between_ms));
  }
  throw new Error(`Waited ${Math.round((performance.now() - start_ms) / 1_000)} s for ${what()}`);
}
