/** A busy machine needs a minute for what takes seconds. */
const wait_ms = 120_000;
const look_ms = 25;

/** Waits until something is so, with a look now and then. @throws with what was waited for. */
export async function until(isSo: () => boolean, what: () => string, between_ms = look_ms): Promise<void> {
  for (const until_ms = performance.now() + wait_ms; performance.now() < until_ms; ) {
    if (isSo()) return;
    await new Promise((resolve) => setTimeout(resolve, between_ms));
  }
  throw new Error(`Waited ${wait_ms / 1_000} s for ${what()}`);
}
