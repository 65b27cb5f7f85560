import { z } from 'zod';

/** How one result ended (sources 1 and 2). */
export const resultStatusSchema = z.enum(['completed', 'partial', 'blocked', 'failed']);

export type ResultStatus = z.infer<typeof resultStatusSchema>;

/** How a handoff's work ended as a whole: its results' common status, or `mixed`. */
export type RecordOutcome = ResultStatus | 'mixed';

/** The outcome of results, as source 2 defines it: one common status, `mixed`, or `completed` when there are none. */
export function computeOutcome(results: readonly { status: ResultStatus }[]): RecordOutcome {
  const [first, ...rest] = results;
  if (first === undefined) return 'completed';
  return rest.every((result) => result.status === first.status) ? first.status : 'mixed';
}
