/** What stages clean up after each test; of the process, since test files share what they import. */
const cleanUps: (() => void | Promise<void>)[] = [];

/**
 * Cleans up after each test of every file: `afterEach` in a module that files share would run for the first of them
 * alone. It runs after what a test file itself cleans up.
 */
export function afterEachTest(cleanUp: () => void | Promise<void>): void {
  cleanUps.push(cleanUp);
}

/** Runs every clean-up, the last first; one that fails keeps none of the others from running. */
export async function cleanUpAfterTest(): Promise<void> {
  const faults: unknown[] = [];
  for (const cleanUp of cleanUps.toReversed()) {
    try {
      await cleanUp();
    } catch (fault) {
      faults.push(fault);
    }
  }
  if (faults.length > 0) throw new AggregateError(faults, 'What a test opened could not be cleaned up.');
}
