import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { acknowledgeEntry } from './index-file.ts';
import { type HandoffRecord, toIndexEntry } from './record.ts';
import { LOCK, type RecordFiles } from './record-files.ts';

/** Marks the line of an acknowledged record; then its decision is done with. @throws HandoffError as the disk refuses it. */
export function markSettled(files: RecordFiles, record: HandoffRecord): void {
  acknowledgeEntry(join(files.folder, 'index.jsonl'), toIndexEntry(record));
  // A process that puts the index in order at this moment may have read it before: the decision stays for the next one.
  if (!existsSync(join(files.folder, LOCK))) files.removeDecision(record.id);
}
