import { createHash } from 'node:crypto';
import type { FileChange } from './file-changes.ts';
import { decodeText, encodeLike } from './host-file.ts';
import { type InitRecord, readRecord } from './init-record.ts';
import type { InitTarget } from './init-targets.ts';

/** What is to be done to one file. */
export interface PlannedFile {
  target: InitTarget;
  action: 'create' | 'change' | 'remove' | 'none';
  /** The text afterwards; empty where the file is removed. */
  text: string;
  /** Absent where nothing is to be done. */
  change?: FileChange;
  /** A record that is no longer needed, although the file stays as it is. */
  stale_record?: string;
}

/**
 * Plans to register Baton in a file. What `undo` will restore is the file before Baton's first registration: a second
 * run keeps it, and where the user edited the file in between, their edits are in it.
 */
export function planRegister(target: InitTarget): PlannedFile {
  const { file } = target;
  const text = target.register(file.text);
  if (text === file.text) return { target, action: 'none', text };
  // A second pass finds a defect of Baton before it is on the disk.
  if (target.register(text) !== text) throw new Error(`What is to be written to ${file.path} is not complete.`);
  const next = encodeLike(file, text);
  const earlier = readRecord(target.record);
  const record: InitRecord = {
    schema: 1,
    target: file.target,
    former: formerBytes(target, earlier)?.toString('base64') ?? null,
    left_sha256: hash(next),
    folders: [...new Set([...(earlier?.folders ?? []), ...file.absent_folders])],
  };
  const change = { file, next, folders: [], mode: target.mode, record: { place: target.record, next: record } };
  return { target, action: file.exists ? 'change' : 'create', text, change };
}

/**
 * Plans to undo what was written. A file that still has the bytes that `init` left gets its former ones, or is removed
 * where there were none; from a file that was edited since, only Baton's entries are removed.
 */
export function planUndo(target: InitTarget): PlannedFile {
  const { file } = target;
  const record = readRecord(target.record);
  const none: PlannedFile = { target, action: 'none', text: file.text };
  if (!file.exists) return record === null ? none : { ...none, stale_record: target.record };
  const former = formerOf(record);
  if (record !== null && former?.equals(file.bytes) === true) return { ...none, stale_record: target.record };
  // The former bytes have nothing of Baton, so they do not fit where a part of Baton stays.
  const isAsLeft = target.is_whole && record?.left_sha256 === hash(file.bytes);
  const next = isAsLeft ? former : withoutEntries(target, record);
  if (next?.equals(file.bytes) === true) return record === null ? none : { ...none, stale_record: target.record };
  const change = {
    file,
    next,
    folders: next === null ? (record?.folders ?? []) : [],
    mode: target.mode,
    record: { place: target.record, next: next === null || target.is_whole ? null : leftOf(record, next) },
  };
  return next === null
    ? { target, action: 'remove', text: '', change }
    : { target, action: 'change', text: decodeText(next), change };
}

/** The record of a file in which a part of what was written stays. */
function leftOf(record: InitRecord | null, next: Buffer): InitRecord | null {
  const isFormer = record === null || formerOf(record)?.equals(next) === true;
  return isFormer ? null : { ...record, left_sha256: hash(next) };
}

/** A name for exactly this plan: two plans that write the same have the same name. */
export function hashPlan(files: readonly PlannedFile[]): string {
  const parts = files.map(({ target, change }) => [
    target.file.target,
    change === undefined ? '-' : hash(target.file.bytes),
    change?.next === undefined || change.next === null ? '-' : hash(change.next),
  ]);
  return hash(Buffer.from(JSON.stringify(parts)));
}

/** What undoing restores after this run; null where the file is then removed. */
function formerBytes(target: InitTarget, earlier: InitRecord | null): Buffer | null {
  const { file } = target;
  if (!file.exists) return null;
  if (earlier === null) return file.bytes;
  return earlier.left_sha256 === hash(file.bytes) ? formerOf(earlier) : withoutEntries(target, earlier);
}

/** The bytes without Baton's entries; null where Baton made the file and nothing else was added to it. */
function withoutEntries(target: InitTarget, record: InitRecord | null): Buffer | null {
  const { file } = target;
  const former = formerOf(record);
  const text = target.remove(file.text, former === null ? '' : decodeText(former));
  const isEmpty = /^\s*(?:\{\s*\})?\s*$/.test(text);
  if (record !== null && former === null && isEmpty) return null;
  return text === file.text ? file.bytes : encodeLike(file, text);
}

function formerOf(record: InitRecord | null): Buffer | null {
  return typeof record?.former === 'string' ? Buffer.from(record.former, 'base64') : null;
}

function hash(bytes: Uint8Array): string {
  return createHash('sha256').update(bytes).digest('hex');
}
