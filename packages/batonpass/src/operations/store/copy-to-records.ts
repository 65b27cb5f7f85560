import { join, resolve } from 'node:path';
import { sha256Hex } from '../../core/canonical-json.ts';
import { isHandoffError } from '../../core/errors.ts';
import type { Store, StoredHandoff } from '../../core/store.ts';
import { importRecord } from '../../handoff-store/import-record.ts';
import { RecordFiles } from '../../handoff-store/record-files.ts';
import { toRecordText } from '../../handoff-store/stored-record.ts';
import type { OperationContext } from '../context.ts';
import { exportPages } from './export-pages.ts';

/** At most so many handoffs are named; all of them are counted. */
const named_max = 100;

interface Difference {
  id: string;
  how: 'conflict' | 'missing' | 'unfit' | 'reduced';
  reason?: string;
}

/**
 * Writes the handoffs of a store as JSON records into a folder, and reads them back. A handoff that no record can hold is
 * named and left out, never cut. Ends early where the signal aborts; a crash leaves whole records, and the next run continues.
 *
 * @param dir - the folder that contains `handoffs`, or will.
 * @throws HandoffError `unavailable` where the disk refuses it.
 */
export async function copyToRecords(from: Store, dir: string, context: OperationContext) {
  const files = new RecordFiles(join(resolve(dir), 'handoffs'));
  const counts = { added: 0, updated: 0, unchanged: 0 };
  const wanted = new Map<string, string>();
  const differing: Difference[] = [];
  for await (const { handoffs } of exportPages(from, context.signal)) {
    for (const stored of handoffs) {
      const { id } = stored.handoff;
      try {
        const { text, left } = textFor(stored, context.project);
        const became = importRecord(files, text);
        wanted.set(id, text);
        if (became !== 'conflict') counts[became] += 1;
        if (left !== undefined) differing.push({ id, how: 'reduced', reason: left });
      } catch (error) {
        if (!isHandoffError(error) || error.code === 'unavailable') throw error;
        differing.push({ id, how: 'unfit', reason: error.message });
      }
    }
    context.onProgress?.({ what: 'handoffs copied', done: wanted.size });
  }
  const found = readBack(files, wanted);
  for (const [id, text] of wanted) {
    if (found.get(id) !== text) differing.push({ id, how: found.has(id) ? 'conflict' : 'missing' });
  }
  return {
    complete: !context.signal.aborted,
    ...counts,
    ahead: 0,
    verified: { from: tallyOf(wanted), to: tallyOf(found) },
    differences: differing.length,
    differing: differing.slice(0, named_max),
  };
}

function textFor(stored: StoredHandoff, project: string) {
  const { text, left } = toRecordText(stored);
  const other = stored.handoff.project === project ? undefined : `it belongs to the project ${stored.handoff.project}`;
  const all = [left, other].filter((each) => each !== undefined).join(', and ');
  return { text, ...(all !== '' && { left: all }) };
}

function readBack(files: RecordFiles, wanted: ReadonlyMap<string, string>): Map<string, string> {
  const found = new Map<string, string>();
  for (const id of wanted.keys()) {
    const present = files.readWithText(id);
    if (present !== null) found.set(id, present.text);
  }
  return found;
}

function tallyOf(texts: ReadonlyMap<string, string>): { handoffs: number; sha256: string } {
  const lines = [...texts].map(([id, text]) => `${id} ${sha256Hex(text)}\n`);
  return { handoffs: texts.size, sha256: sha256Hex(lines.sort().join('')) };
}
