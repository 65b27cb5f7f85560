/**
 * Runs a use of the browser's storage.
 *
 * @returns undefined where there is none, it is full, or a value in it is unreadable: the page continues without it.
 */
export function attempt<T>(run: () => T): T | undefined {
  try {
    return run();
  } catch {
    return undefined;
  }
}
