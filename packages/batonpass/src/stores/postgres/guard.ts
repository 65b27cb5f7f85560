/**
 * A row was not what a step was computed from, and nothing of its transaction is kept. Of a row that was locked that is a
 * defect; of one that was only remembered another process moved it meanwhile.
 */
export class GuardFailure extends Error {
  constructor(cause: unknown) {
    super('The guard of a step did not hold.', { cause });
  }
}

/** The failure of a step's statement: it divides by zero where its guard did not hold. */
export function explainStep(error: unknown): unknown {
  return error instanceof Error && 'code' in error && error.code === '22012' ? new GuardFailure(error) : error;
}
