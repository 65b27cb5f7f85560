import { existsSync, mkdirSync, readFileSync, rmdirSync } from 'node:fs';
import { HandoffError, isHandoffError } from '../../core/errors.ts';
import { removeFile, writeWhole } from '../../disk/write-whole.ts';
import { codeOf, type HostFile } from './host-file.ts';
import { type InitRecord, readRecord, writeRecord } from './init-record.ts';

/** One file's change, with its record. */
export interface FileChange {
  file: HostFile;
  /** The whole new content; null removes the file. */
  next: Buffer | null;
  /** Folders that are removed with the file where they are empty, the outermost first. */
  folders: readonly string[];
  /** The permissions of a file that is made. */
  mode: number;
  record: { place: string; next: InitRecord | null };
}

/**
 * Makes changes to several files, all or none. Each file is written whole; its record is on the disk before the new
 * content is, and is removed after the old content is back, so that a crash at any moment leaves what can be undone.
 *
 * @throws HandoffError `conflict` where a file is no longer as it was read, `unavailable` where one cannot be written;
 * what was written before is put back, and what could not be is named.
 */
export function applyChanges(changes: readonly FileChange[]): void {
  const begun: Begun[] = [];
  for (const change of changes) {
    const entry = { change, former: readRecord(change.record.place) };
    try {
      assertUnchanged(change.file);
      begun.push(entry);
      apply(change);
    } catch (cause) {
      throw refusal(change.file, cause, putBack(begun));
    }
  }
}

interface Begun {
  change: FileChange;
  /** The record before. */
  former: InitRecord | null;
}

function apply({ file, next, folders, mode, record }: FileChange): void {
  if (record.next !== null) writeRecord(record.place, record.next);
  if (next === null) {
    removeFile(file.target);
    removeEmpty(folders);
  } else {
    makeFolders(file.absent_folders);
    writeWhole(file.target, next, mode);
  }
  if (record.next === null) writeRecord(record.place, null);
}

/** Somebody may have saved the file between our reading and now. */
function assertUnchanged({ path, target, exists, bytes }: HostFile): void {
  const isSame = existsSync(target) ? exists && readFileSync(target).equals(bytes) : !exists;
  if (isSame) return;
  throw new HandoffError('conflict', `${path} was changed by another program while it was being worked on.`, {
    details: { path },
    alternatives: ['Run the command again: it starts from what the file holds now.'],
  });
}

/** @returns the files that could not be put back, each with the place of its former bytes. */
function putBack(begun: readonly Begun[]): string[] {
  return begun.toReversed().flatMap(({ change, former }) => {
    try {
      restore(change);
      writeRecord(change.record.place, former);
      return [];
    } catch (error) {
      return [`${change.file.path} (${codeOf(error)}); its former bytes are in ${change.record.place}`];
    }
  });
}

function restore({ file, folders, mode }: FileChange): void {
  if (!file.exists) {
    if (existsSync(file.target)) removeFile(file.target);
    removeEmpty(file.absent_folders);
  } else if (!existsSync(file.target) || !readFileSync(file.target).equals(file.bytes)) {
    makeFolders(folders);
    writeWhole(file.target, file.bytes, mode);
  }
}

function makeFolders(folders: readonly string[]): void {
  for (const folder of folders) mkdirSync(folder, { recursive: true });
}

function removeEmpty(folders: readonly string[]): void {
  for (const folder of folders.toReversed()) {
    try {
      rmdirSync(folder);
    } catch {
      // It contains files of others, or is gone already: it stays as it is.
      return;
    }
  }
}

function refusal({ path }: HostFile, cause: unknown, left: readonly string[]): HandoffError {
  const outcome =
    left.length === 0
      ? 'What was written before it was put back: nothing is changed.'
      : `These could not be put back: ${left.join('; ')}.`;
  const what = isHandoffError(cause) ? cause.message : `${path} cannot be written: ${(cause as Error).message}.`;
  return new HandoffError(isHandoffError(cause) ? cause.code : 'unavailable', `${what} ${outcome}`, {
    details: { path, not_put_back: left },
    cause,
    alternatives: isHandoffError(cause)
      ? cause.alternatives
      : ['Free disk space, or give yourself write permission there; then run the command again.'],
  });
}
