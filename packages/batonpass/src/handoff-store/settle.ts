import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { HandoffError } from '../core/errors.ts';
import { acknowledgeEntry } from './index-file.ts';
import { type HandoffRecord, toIndexEntry } from './record.ts';
import { type Acknowledgement, LOCK, type RecordFiles } from './record-files.ts';

/** Each time another process must have carried out another decision in between, and there is one for each handoff. */
const DECISION_TRIES_MAX = 10;

/**
 * Decides who acknowledges a handoff, or reads who did, and writes it into its record.
 *
 * @returns the acknowledged record; null where there is none.
 * @throws HandoffError where the disk refuses it, or a file is damaged.
 */
export function settleAcknowledgement(files: RecordFiles, id: string, proposed: Acknowledgement): HandoffRecord | null {
  for (let tries = 0; tries < DECISION_TRIES_MAX; tries += 1) {
    const record = files.carryOut(id, files.decide(id, proposed));
    // Else another process carried out a decision while it was read: the record shows which.
    if (record === null || record.acknowledged_by !== undefined) return record;
  }
  throw new HandoffError('unavailable', `Handoff ${id} could not be acknowledged: its file keeps changing.`, {
    details: { id },
    alternatives: ['Check what else writes to the folder, and retry.'],
  });
}

/** Marks the line of an acknowledged record; then its decision is done with. @throws HandoffError as the disk refuses it. */
export function markSettled(files: RecordFiles, record: HandoffRecord): void {
  acknowledgeEntry(join(files.folder, 'index.jsonl'), toIndexEntry(record));
  // A process that puts the index in order at this moment may have read it before: the decision stays for the next one.
  if (!existsSync(join(files.folder, LOCK))) files.removeDecision(record.id);
}
