import { existsSync } from 'node:fs';
import { basename, dirname, join, resolve } from 'node:path';
import { HandoffError } from '../../core/errors.ts';

/**
 * The folder that a `HandoffStore` is opened with: the folder that contains `handoffs`, also where `handoffs` itself is named.
 *
 * @throws HandoffError `file_not_found` where there are no records.
 */
export function findRecordFolder(given: string): string {
  const dir = resolve(given);
  if (existsSync(join(dir, 'handoffs'))) return dir;
  if (basename(dir) === 'handoffs' && existsSync(dir)) return dirname(dir);
  throw new HandoffError('file_not_found', `${dir} contains no handoff records: there is no folder handoffs in it.`, {
    details: { path: dir },
    alternatives: ['Name the folder that contains `handoffs`, e.g. .twining', 'Find it: ls -d */handoffs .*/handoffs'],
  });
}
