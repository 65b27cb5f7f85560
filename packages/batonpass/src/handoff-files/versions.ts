import { readdirSync } from 'node:fs';
import { compareVersionNumbers, nextVersionNumber } from '../core/version-number.ts';
import { explainDiskError } from '../disk/disk-error.ts';
import { assertHandoffType, parseFileName } from './file-name.ts';
import type { HandoffType } from './frontmatter.ts';

/** The versions of one kind in a folder, newest first; none where the folder is absent. */
export function listVersions(dir: string, type: HandoffType): string[] {
  return namesIn(dir)
    .flatMap((name) => parseFileName(name) ?? [])
    .filter((found) => found.type === type)
    .map(({ version }) => version)
    .sort((a, b) => compareVersionNumbers(b, a));
}

/**
 * The next whole version of a kind in a folder: `001` where there is none, `002` after `001` or `001.1`. Another writer
 * may take it before you do; `nextHandoffFile` allocates and writes in one step.
 *
 * @throws HandoffError `invalid_input` for another kind, `unavailable` for a folder that cannot be read.
 */
export async function getNextVersion(dir: string, type: HandoffType): Promise<string> {
  return nextVersionNumber(listVersions(dir, assertHandoffType(type)));
}

function namesIn(dir: string): string[] {
  try {
    return readdirSync(dir);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return [];
    throw explainDiskError(error, dir, 'read');
  }
}
