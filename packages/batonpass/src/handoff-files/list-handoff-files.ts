import { join } from 'node:path';
import { isHandoffError } from '../core/errors.ts';
import { findingOf } from './document-finding.ts';
import { formatFileName } from './file-name.ts';
import type { BaseFrontmatter, HandoffType } from './frontmatter.ts';
import { parseHandoffDocument, readDocumentText } from './read-handoff-file.ts';
import { listVersions } from './versions.ts';

/** One handoff file of a folder, in short. */
export interface ListedFile extends Partial<Omit<BaseFrontmatter, 'type' | 'version'>> {
  path: string;
  type: HandoffType;
  version: string;
  /** The first heading of the body. */
  title?: string;
  /** Why it cannot be read. */
  problem?: string;
}

/** The handoff files of one kind in a folder, newest version first; none where the folder is absent. */
export function listHandoffFiles(dir: string, type: HandoffType): ListedFile[] {
  return listVersions(dir, type).map((version) => {
    const path = join(dir, formatFileName(type, version));
    return { path, type, version, ...headOf(path) };
  });
}

function headOf(path: string): Partial<ListedFile> {
  try {
    const { frontmatter, body } = parseHandoffDocument(readDocumentText(path), path);
    const { status, created, phase, agent } = frontmatter as unknown as BaseFrontmatter;
    const title = /^#{1,6}[ \t]+(\S.*)$/m.exec(body)?.[1]?.trim();
    return { status, created, phase, agent, ...(title !== undefined && { title }) };
  } catch (error) {
    // One bad file must not hide the others.
    if (!isHandoffError(error)) throw error;
    const { line, what } = findingOf(path, error);
    return { problem: line === undefined ? what : `line ${line}: ${what}` };
  }
}
