/** A busy machine needs a minute for what takes seconds. */
const wait_ms = 120_000;
const look_ms = 25;

/** The time that all scenes have together was over before what was waited for came. */
export class TimeOver extends Error {}

let last_ms = Number.POSITIVE_INFINITY;

/** From this time by `performance.now()`, nothing is waited for any more: a scene that is not over by then ends with {@link TimeOver}. */
export function endWaitsAt(at_ms: number): void {
  last_ms = at_ms;
}

/** @throws TimeOver where no scene may begin any more. */
export function assertTimeLeft(): void {
  if (performance.now() >= last_ms) throw new TimeOver('It was not begun.');
}

/** Waits until a condition holds, by polling. @throws with what was waited for; {@link TimeOver} where no time was left. */
export async function until(isSo: () => boolean, what: () => string, between_ms = look_ms): Promise<void> {
  const start_ms = performance.now();
  for (const until_ms = Math.min(start_ms + wait_ms, last_ms); performance.now() < until_ms; ) {
    if (isSo()) return;
    await new Promise((resolve) => setTimeout(resolve, between_ms));
  }
  const message = `Waited ${Math.round((performance.now() - start_ms) / 1_000)} s for ${what()}`;
  throw performance.now() < last_ms ? new Error(message) : new TimeOver(message);
}
