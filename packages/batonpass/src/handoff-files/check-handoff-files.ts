import { type Dirent, readdirSync, statSync } from 'node:fs';
import { basename, join } from 'node:path';
import { isHandoffError } from '../core/errors.ts';
import { explainDiskError } from '../disk/disk-error.ts';
import { parseDocument } from '../formats/markdown/document.ts';
import { type DocumentFinding, findingOf } from './document-finding.ts';
import { formatFileName, parseFileName } from './file-name.ts';
import { isHandoffType } from './frontmatter.ts';
import { isUnfinished } from './leftovers.ts';
import { type HandoffDocument, parseHandoffDocument, readDocumentText } from './read-handoff-file.ts';

/** The result of a check of documents. */
export interface DocumentsReport {
  /** Documents that were read. */
  documents: number;
  /** How many of them are handoff files. */
  handoff_files: number;
  findings: DocumentFinding[];
  /** What reading repairs by itself: no fault, but better corrected. */
  repairs: { path: string; what: string }[];
}

/**
 * Checks every Markdown file at some paths: front matter that cannot be read is a finding in any of them, and a
 * handoff file is held to its kind and to its name. A handoff file is one that is named like one, or that has a version
 * and the type of one. Changes nothing.
 *
 * @param signal - once aborted, the check ends with what it has found.
 * @throws HandoffError `file_not_found` for a path that does not exist, `unavailable` for a folder that cannot be read.
 */
export function checkHandoffFiles(paths: readonly string[], signal?: AbortSignal): DocumentsReport {
  const report: DocumentsReport = { documents: 0, handoff_files: 0, findings: [], repairs: [] };
  for (const path of findDocuments(paths)) {
    if (signal?.aborted === true) break;
    if (isUnfinished(path)) {
      report.findings.push({
        path,
        what: 'A writer is using this file, or was killed: the next write into the folder removes it.',
      });
      continue;
    }
    report.documents += 1;
    try {
      lookAt(path, report);
    } catch (error) {
      if (!isHandoffError(error)) throw error;
      report.findings.push(findingOf(path, error));
    }
  }
  return report;
}

function lookAt(path: string, report: DocumentsReport): void {
  const isNamed = parseFileName(basename(path)) !== null;
  if (isNamed) report.handoff_files += 1;
  const text = readDocumentText(path);
  if (!isNamed) {
    if (!isHandoff(text, path)) return;
    report.handoff_files += 1;
  }
  const document = parseHandoffDocument(text, path);
  report.repairs.push(...(document.repairs ?? []).map((what) => ({ path, what })));
  const misnamed = nameFault(path, document);
  if (misnamed !== null) report.findings.push({ path, what: misnamed });
}

function isHandoff(text: string, path: string): boolean {
  const { fields } = parseDocument(text, path);
  return fields !== null && isHandoffType(fields.type) && fields.version !== undefined;
}

function nameFault(path: string, { frontmatter: { type, version } }: HandoffDocument): string | null {
  const expected = isHandoffType(type) ? formatFileName(type, String(version)) : '';
  return expected === basename(path) ? null : `Its front matter says ${expected}, its name ${basename(path)}.`;
}

/** Folders that hold other people's documents, or git's own. */
const skipped = ['.git', 'node_modules'];

/**
 * The Markdown files at some paths, folders with all that is in them, in the order of their names, and what killed
 * writers of handoff files left among them. Symbolic links in a
 * folder are not followed; a file that is passed by its path is checked under any name.
 *
 * @throws HandoffError `file_not_found` for a path that does not exist, `unavailable` for a path that cannot be read.
 */
function* findDocuments(paths: readonly string[]): Generator<string> {
  for (const path of paths) {
    if (isFolder(path)) yield* findIn(path);
    else yield path;
  }
}

function* findIn(folder: string): Generator<string> {
  for (const entry of entriesOf(folder)) {
    const path = join(folder, entry.name);
    if (entry.isDirectory() && !skipped.includes(entry.name)) yield* findIn(path);
    else if (entry.isFile() && (/\.(?:md|markdown)$/i.test(entry.name) || isUnfinished(entry.name))) yield path;
  }
}

function entriesOf(folder: string): Dirent[] {
  try {
    return readdirSync(folder, { withFileTypes: true }).sort((a, b) => (a.name < b.name ? -1 : 1));
  } catch (error) {
    throw explainDiskError(error, folder, 'read');
  }
}

function isFolder(path: string): boolean {
  try {
    return statSync(path).isDirectory();
  } catch (error) {
    throw explainDiskError(error, path, 'read');
  }
}
