import { limits } from '../core/limits.ts';
import { orderIndex } from './order-index.ts';
import { RecordFiles } from './record-files.ts';

/**
 * Rebuilds the index of a folder from its records, carries out what killed processes had decided, and removes what
 * they left. Records are never changed but for that; a damaged one stays as it is, without a line.
 *
 * @param folder - with the records in it.
 * @throws HandoffError `unavailable` where another process holds the lock for long, or the disk refuses it.
 */
export async function repairRecords(folder: string, now: () => number): Promise<void> {
  // What cannot be read is a finding of the check that follows.
  await orderIndex(new RecordFiles(folder), { now, onWarning: () => {}, anew: true, wait_ms: limits.lock_wait_ms });
}
