import type { FileReference } from '../../core/content.ts';
import type { FileDrift } from '../../core/drift.ts';
import type { FilePlace, FileReader, FoundFile } from './file.ts';
import type { FileFacts } from './file-facts.ts';
import type { Repository } from './repository.ts';

/** A referenced file that is not proven to be unchanged by its bytes alone. */
export interface Comparison {
  file: FileReference;
  facts: FileFacts & { blob: string };
  place: FilePlace;
  found: Exclude<FoundFile, { kind: 'refused' }>;
}

/** What the comparison of one repository's files needs. */
export interface Surroundings {
  repository: Repository;
  /** The path of the repository in the work tree, with a slash at its end; empty for the work tree's own. */
  prefix: string;
  reader: FileReader;
}

/** What a verdict adds to its reference's id, path and lines. */
export type Finding = Omit<FileDrift, 'id' | 'path' | 'lines'>;

/** The verdict where git would have to answer, and does not. */
export const silent: Finding = { verdict: 'unknown', reason: 'git-silent' };

/** The verdict once a step that may decide it was skipped for lack of time. */
export const outOfTime: Finding = { verdict: 'unknown', reason: 'out-of-time' };
