import { join } from 'node:path';
import { appendEntry } from './index-file.ts';
import { keepIndexTime } from './index-time.ts';
import { markSettled } from './mark-settled.ts';
import { type HandoffRecord, toIndexEntry } from './record.ts';
import type { RecordFiles } from './record-files.ts';
import { parseRecord } from './record-text.ts';

/**
 * Keeps a record as another place had it, byte for byte. One that is here already gets its acknowledgement; a record
 * with another outcome here stays as it is.
 *
 * @returns what became of it.
 * @throws HandoffError where the disk refuses it, or the file that is here is damaged.
 */
export function importRecord(files: RecordFiles, text: string): 'added' | 'updated' | 'unchanged' | 'conflict' {
  const record = parseRecord(text, 'The record');
  return keepIndexTime(files.folder, () => keepRecord(files, record, text));
}

function keepRecord(
  files: RecordFiles,
  record: HandoffRecord,
  text: string,
): 'added' | 'updated' | 'unchanged' | 'conflict' {
  const { id, acknowledged_by, acknowledged_at } = record;
  if (files.create(id, text)) {
    appendEntry(join(files.folder, 'index.jsonl'), toIndexEntry(record));
    return 'added';
  }
  const present = files.readWithText(id);
  if (present?.text === text) return 'unchanged';
  const isOpen = present !== null && present.record.acknowledged_by === undefined;
  if (!isOpen || acknowledged_by === undefined || acknowledged_at === undefined) return 'conflict';
  const settled = files.acknowledge(id, { acknowledged_by, acknowledged_at });
  if (settled !== null) markSettled(files, settled);
  return files.readWithText(id)?.text === text ? 'updated' : 'conflict';
}
