import { existsSync, lstatSync, mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { HandoffError } from '../core/errors.ts';
import { limits } from '../core/limits.ts';
import { createOnce } from '../disk/create-once.ts';
import { explainDiskError } from '../disk/disk-error.ts';
import { placeFile } from '../disk/place-file.ts';
import { readWholeFile } from '../disk/regular-file.ts';
import { syncFolder } from '../disk/sync-folder.ts';
import { writeWhole } from '../disk/write-whole.ts';
import type { HandoffRecord } from './record.ts';
import { damaged, encodeRecord, parseRecord } from './record-text.ts';

/** Who acknowledged a handoff, and when. */
export interface Acknowledgement {
  acknowledged_by: string;
  acknowledged_at: string;
}

/** The contents of the folder, by kind. */
export interface FolderNames {
  /** Ids of the records. */
  records: Set<string>;
  /** Ids of the handoffs that are being acknowledged. */
  decided: string[];
  /** Temporary files, and the lock: of running or killed processes. */
  unplaced: string[];
}

/** The folder's lock, which is removed with its holder. */
export const LOCK = '.lock';

const decision = /^\.(.+)\.acknowledging$/;
const unplaced = /^\..+\.[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}(?:\.new)?$/;

/**
 * The record files of a folder, one for each handoff, and next to them for a moment `.ID.acknowledging`: who acknowledges
 * it and when, decided by the first file there.
 */
export class RecordFiles {
  readonly folder: string;

  constructor(folder: string) {
    this.folder = folder;
  }

  path(id: string): string {
    return join(this.folder, `${id}.json`);
  }

  /** The record, or null where there is no such file. @throws HandoffError where its file is damaged. */
  read(id: string): HandoffRecord | null {
    return this.readWithText(id)?.record ?? null;
  }

  /** The record, and its file's whole text. */
  readWithText(id: string): { record: HandoffRecord; text: string } | null {
    this.#assertOwnFolder();
    const path = this.path(id);
    const text = readText(path);
    if (text === undefined) return null;
    const record = parseRecord(text, path);
    if (record.id === id) return { record, text };
    // A file system that ignores the case of letters.
    if (record.id.toLowerCase() === id.toLowerCase()) return null;
    throw damaged(path, `its id is ${JSON.stringify(record.id.slice(0, 80))}`, 'id');
  }

  /**
   * Makes the file of a new record: whole and synced, or not at all. A crash may leave the temporary file
   * `.ID.json.RANDOM.new`.
   *
   * @returns false where there is a record of that id already.
   */
  create(id: string, text: string): boolean {
    const path = this.path(id);
    this.#makeFolder();
    const unfinished = join(this.folder, `.${id}.json.${crypto.randomUUID()}.new`);
    try {
      writeFileSync(unfinished, text, { flag: 'wx' });
      placeFile(unfinished, path);
      return true;
    } catch (error) {
      rmSync(unfinished, { force: true });
      if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false;
      throw explainDiskError(error, path, 'written');
    }
  }

  /** Gives a record's file its new content, whole and synced. */
  replace(record: HandoffRecord): void {
    const path = this.path(record.id);
    try {
      writeWhole(path, Buffer.from(encodeRecord(record)));
    } catch (error) {
      throw explainDiskError(error, path, 'written');
    }
  }

  /**
   * Acknowledges a handoff, or reads who did: what the first caller decided is written into its record.
   *
   * @returns the acknowledged record; null where there is none.
   * @throws HandoffError where the disk refuses it, or a file is damaged.
   */
  acknowledge(id: string, proposed: Acknowledgement): HandoffRecord | null {
    return this.carryOut(id, this.#decide(id, proposed));
  }

  /**
   * Decides who acknowledges a handoff: once, for the first caller, even if its process ends.
   *
   * @returns what was decided; undefined where the file of the decision went while it was read: it was carried out, and
   * the record shows it.
   */
  #decide(id: string, proposed: Acknowledgement): Acknowledgement | undefined {
    this.#assertOwnFolder();
    const path = this.#decisionPath(id);
    try {
      return readDecision(createOnce(path, `${JSON.stringify(proposed)}\n`, 0o666), path);
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
      throw explainDiskError(error, path, 'written');
    }
  }

  /** What was decided and is not carried out yet. @throws HandoffError where the file is damaged. */
  readDecision(id: string): Acknowledgement | undefined {
    const path = this.#decisionPath(id);
    const text = readText(path);
    return text === undefined ? undefined : readDecision(text, path);
  }

  removeDecision(id: string): void {
    rmSync(this.#decisionPath(id), { force: true });
  }

  /**
   * Carries out what any process decided: the record is written in its final form, so that a process that comes late
   * writes what is there already.
   *
   * @returns the acknowledged record; null where there is none.
   */
  carryOut(id: string, decided: Acknowledgement | undefined): HandoffRecord | null {
    const record = this.read(id);
    // A decision next to an acknowledged record came too late.
    if (record === null || decided === undefined || record.acknowledged_by !== undefined) return record;
    const acknowledged = { ...record, ...decided };
    this.replace(acknowledged);
    return acknowledged;
  }

  /** The contents of the folder now; nothing where there is no folder. */
  names(): FolderNames {
    this.#assertOwnFolder();
    const names: FolderNames = { records: new Set(), decided: [], unplaced: [] };
    for (const name of this.#list()) {
      if (!name.startsWith('.')) {
        if (name.endsWith('.json')) names.records.add(name.slice(0, -'.json'.length));
        continue;
      }
      const id = decision.exec(name)?.[1];
      if (id !== undefined) names.decided.push(id);
      else if (name === LOCK || unplaced.test(name)) names.unplaced.push(name);
    }
    return names;
  }

  /** Those of some records whose file changed at an instant or later, by the clock of the file system. */
  changedSince(ids: Iterable<string>, at_ms: number): string[] {
    const changed: string[] = [];
    for (const id of ids) {
      // Not the time of the content, which a copy may take over from elsewhere.
      const { ctimeMs = 0 } = lstatSync(this.path(id), { throwIfNoEntry: false }) ?? {};
      if (ctimeMs >= at_ms) changed.push(id);
    }
    return changed;
  }

  /** The age of a file of the folder, also with a clock that is wrong; undefined where it is gone. */
  age(name: string, now_ms: number): number | undefined {
    const stat = lstatSync(join(this.folder, name), { throwIfNoEntry: false });
    return stat === undefined ? undefined : Math.abs(now_ms - stat.mtimeMs);
  }

  /** The same of the file that decides who acknowledges a handoff. */
  decisionAge(id: string, now_ms: number): number | undefined {
    return this.age(`.${id}.acknowledging`, now_ms);
  }

  #decisionPath(id: string): string {
    return join(this.folder, `.${id}.acknowledging`);
  }

  #list(): string[] {
    try {
      return readdirSync(this.folder);
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === 'ENOENT') return [];
      throw explainDiskError(error, this.folder, 'read');
    }
  }

  /** @throws HandoffError `invalid_input` where the folder is a link: its target belongs to another owner. */
  #assertOwnFolder(): void {
    if (lstatSync(this.folder, { throwIfNoEntry: false })?.isSymbolicLink() !== true) return;
    throw new HandoffError('invalid_input', `${this.folder} is a symbolic link, not a folder.`, {
      details: { path: this.folder },
      alternatives: ['Name the folder that contains the real `handoffs`.', 'Replace the link by a folder.'],
    });
  }

  #makeFolder(): void {
    this.#assertOwnFolder();
    if (existsSync(this.folder)) return;
    try {
      mkdirSync(this.folder, { recursive: true });
      syncFolder(dirname(this.folder));
    } catch (error) {
      throw explainDiskError(error, this.folder, 'written');
    }
  }
}

function readText(path: string): string | undefined {
  try {
    return readWholeFile(path, limits.document_bytes_max).toString('utf8');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw explainDiskError(error, path, 'read');
  }
}

function readDecision(text: string, path: string): Acknowledgement {
  try {
    const { acknowledged_by, acknowledged_at } = JSON.parse(text) as Partial<Acknowledgement>;
    if (typeof acknowledged_by === 'string' && typeof acknowledged_at === 'string') {
      return { acknowledged_by, acknowledged_at };
    }
  } catch {
    // Reported below, with the name of the file.
  }
  throw new HandoffError('invalid_structure', `${path} does not say who acknowledged the handoff.`, {
    details: { source: path },
    alternatives: ['Look at the file; if it is empty, remove it and acknowledge again.'],
  });
}
