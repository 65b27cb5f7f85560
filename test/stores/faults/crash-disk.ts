/** One change of a disk, in the order in which a program asked for it. */
export type DiskStep =
  | { verb: 'create'; name: string }
  | { verb: 'write'; name: string; offset: number; bytes: Uint8Array }
  | { verb: 'truncate'; name: string; size: number }
  | { verb: 'sync'; name: string; withFolder: boolean }
  | { verb: 'delete'; name: string; withFolder: boolean };

/** What a disk fails at, and with which answer. */
export interface DiskFault {
  on: 'read' | 'write' | 'sync';
  /** The first that fails, counted from now; 1 is the next one. */
  nth: number;
  answer: 'full' | 'io';
  /** Whether all that follow fail too. */
  lasts: boolean;
}

/** Half of what was not synced survives a torn power cut, in pieces of one sector. */
const SECTOR_BYTES = 512;

interface DiskFile {
  now: Extent;
  /** What a power cut leaves for certain. */
  synced: Extent;
  unsynced: (DiskStep & { verb: 'write' | 'truncate' })[];
}

/**
 * A disk in memory that keeps apart the writes and the syncs that it was asked for, the entries of its one
 * folder too. It fails on demand, and can be looked at as a power cut leaves it. As on Linux, a sync that fails gives up
 * what it should have kept: it can still be read, but no later sync brings it to the disk.
 */
export class CrashDisk {
  /** Every step that was taken. Where none failed, they lead to the same disk when they are taken again on an empty one. */
  readonly history: DiskStep[] = [];
  readonly #ignoresSync: boolean;
  readonly #files = new Map<string, DiskFile>();
  readonly #syncedFiles = new Map<string, DiskFile>();
  #fault: DiskFault | undefined;
  #counted = 0;
  #fired = 0;

  constructor({ ignoresSync = false } = {}) {
    this.#ignoresSync = ignoresSync;
  }

  /** How often the present fault has struck. */
  get fired(): number {
    return this.#fired;
  }

  breakAt(fault: DiskFault): void {
    this.#fault = fault;
    this.#counted = 0;
    this.#fired = 0;
  }

  repair(): void {
    this.#fault = undefined;
  }

  has(name: string): boolean {
    return this.#files.has(name);
  }

  bytesOf(name: string): Uint8Array {
    return this.#file(name).now.bytes;
  }

  /** Reads into `target`, as far as the file goes; the answer of a fault, or how many bytes were there. */
  read(name: string, offset: number, target: Uint8Array): DiskFault['answer'] | number {
    const failure = this.#fail('read');
    if (failure !== undefined) return failure;
    const found = this.bytesOf(name).subarray(offset, offset + target.length);
    target.set(found);
    return found.length;
  }

  /** Takes a step, or answers with what it fails with. */
  take(step: DiskStep): DiskFault['answer'] | undefined {
    const failure = this.#fail(step.verb === 'sync' ? 'sync' : 'write');
    if (failure === undefined) {
      this.history.push(step);
      this.apply(step);
    } else if (step.verb === 'sync') {
      this.#file(step.name).unsynced = [];
    }
    return failure;
  }

  apply(step: DiskStep): void {
    if (step.verb === 'create') {
      this.#files.set(step.name, { now: new Extent(), synced: new Extent(), unsynced: [] });
    } else if (step.verb === 'delete') {
      this.#files.delete(step.name);
      if (step.withFolder) this.#syncFolder();
    } else if (step.verb === 'sync') {
      this.#sync(step);
    } else {
      const file = this.#file(step.name);
      file.now.apply(step);
      file.unsynced.push(step);
    }
  }

  /** As the death of the process alone leaves it: everything is there. */
  copy(): CrashDisk {
    const copy = new CrashDisk();
    for (const [name, { now }] of this.#files) copy.#keep(name, now.copy());
    return copy;
  }

  /**
   * As a power cut leaves it: without all that was not synced.
   *
   * @param chance - if given, a part of it survives: files appear or come back, writes reach the disk sector by sector.
   */
  cutPower(chance?: () => number): CrashDisk {
    const left = new CrashDisk();
    for (const name of new Set([...this.#syncedFiles.keys(), ...this.#files.keys()])) {
      const isAhead = chance !== undefined && chance() < 0.5;
      const file = (isAhead ? this.#files : this.#syncedFiles).get(name);
      if (file === undefined) continue;
      const extent = file.synced.copy();
      if (chance !== undefined) for (const step of file.unsynced) tear(step, chance, extent);
      left.#keep(name, extent);
    }
    return left;
  }

  #keep(name: string, extent: Extent): void {
    const file = { now: extent, synced: extent.copy(), unsynced: [] };
    this.#files.set(name, file);
    this.#syncedFiles.set(name, file);
  }

  #sync({ name, withFolder }: DiskStep & { verb: 'sync' }): void {
    if (this.#ignoresSync) return;
    const file = this.#file(name);
    for (const step of file.unsynced) file.synced.apply(step);
    file.unsynced = [];
    if (withFolder) this.#syncFolder();
  }

  #syncFolder(): void {
    if (this.#ignoresSync) return;
    this.#syncedFiles.clear();
    for (const [name, file] of this.#files) this.#syncedFiles.set(name, file);
  }

  #fail(on: DiskFault['on']): DiskFault['answer'] | undefined {
    const fault = this.#fault;
    if (fault?.on !== on) return undefined;
    this.#counted += 1;
    if (this.#counted < fault.nth || (this.#counted > fault.nth && !fault.lasts)) return undefined;
    this.#fired += 1;
    return fault.answer;
  }

  #file(name: string): DiskFile {
    const file = this.#files.get(name);
    if (file === undefined) throw new Error(`The disk has no file ${name}.`);
    return file;
  }
}

/** The bytes of one file; they grow by doubling. */
class Extent {
  #room = new Uint8Array(0);
  #size = 0;

  get bytes(): Uint8Array {
    return this.#room.subarray(0, this.#size);
  }

  apply(step: DiskStep & { verb: 'write' | 'truncate' }): void {
    if (step.verb === 'write') this.write(step.offset, step.bytes);
    else this.resize(step.size);
  }

  write(offset: number, bytes: Uint8Array): void {
    this.resize(Math.max(this.#size, offset + bytes.length));
    this.#room.set(bytes, offset);
  }

  resize(size: number): void {
    if (size < this.#size) this.#room.fill(0, size, this.#size);
    if (size > this.#room.length) {
      const room = new Uint8Array(Math.max(size, this.#room.length * 2));
      room.set(this.bytes);
      this.#room = room;
    }
    this.#size = size;
  }

  copy(): Extent {
    const copy = new Extent();
    copy.write(0, this.bytes);
    return copy;
  }
}

function tear(step: DiskStep & { verb: 'write' | 'truncate' }, chance: () => number, extent: Extent): void {
  if (step.verb === 'truncate') {
    if (chance() < 0.5) extent.resize(step.size);
    return;
  }
  const end = step.offset + step.bytes.length;
  for (let from = step.offset; from < end; ) {
    const to = Math.min(end, (Math.floor(from / SECTOR_BYTES) + 1) * SECTOR_BYTES);
    if (chance() < 0.5) extent.write(from, step.bytes.subarray(from - step.offset, to - step.offset));
    from = to;
  }
}
