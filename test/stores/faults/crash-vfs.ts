import sqlite, { type Sqlite3Static } from '@sqlite.org/sqlite-wasm';
import type { CrashDisk, DiskFault } from './crash-disk.ts';

/** SQLite itself, compiled to WebAssembly, and a file system for it whose disks are `CrashDisk`s. */

/** The file system's name among SQLite's; its paths are `/{number of a disk}/{name of a file}`. */
export const VFS_NAME = 'crash';

type Sqlite = Sqlite3Static;

/** The library, with the file system installed; loaded once. */
export const library: Promise<Sqlite> = sqlite().then(install);

const disks = new Map<number, CrashDisk>();
let mounted = 0;

/** Makes a disk known to the file system. @returns the path of its folder, and what ends that. */
export function mount(disk: CrashDisk): { folder: string; unmount: () => void } {
  mounted += 1;
  const number = mounted;
  disks.set(number, disk);
  return { folder: `/${number}`, unmount: () => disks.delete(number) };
}

/** A file that SQLite has open. */
interface OpenFile {
  disk: CrashDisk;
  name: string;
  /** As SQLite does on Unix: the first sync of a new journal or log syncs the folder too. */
  syncsFolder: boolean;
  /** The shared memory of the log's index, where there is one. */
  regions: number[];
  struct: { dispose: () => void };
}

function install(sqlite3: Sqlite): Sqlite {
  const { capi, vfs, config } = sqlite3;
  // It logs each failure to the console, and failures are intended here.
  config.warn = () => undefined;
  const usual = new capi.sqlite3_vfs(capi.sqlite3_vfs_find(null));
  const files = new Map<number, OpenFile>();
  const io = new capi.sqlite3_io_methods();
  // Version 2 has shared memory, so that the log works as on a real disk.
  Object.assign(io, { $iVersion: 2 });
  const system = new capi.sqlite3_vfs();
  Object.assign(system, {
    $iVersion: 2,
    $szOsFile: sizeOfFile(sqlite3),
    $mxPathname: 512,
    ...borrow(usual, ['$xRandomness', '$xSleep', '$xCurrentTime', '$xCurrentTimeInt64']),
  });
  io.installMethods({ ...createFileMethods(sqlite3, files), ...createSharedMemory(sqlite3, files) });
  system.installMethods(createSystemMethods(sqlite3, files, io.pointer));
  vfs.installVfs({ vfs: { struct: system, name: VFS_NAME, methods: {} } });
  usual.dispose();
  return sqlite3;
}

function sizeOfFile({ capi }: Sqlite): number {
  const file = new capi.sqlite3_file();
  const { sizeof } = file.structInfo;
  file.dispose();
  return sizeof;
}

function borrow(struct: object, names: readonly string[]): Record<string, unknown> {
  return Object.fromEntries(names.map((name) => [name, Reflect.get(struct, name)]));
}

function createSystemMethods({ capi, wasm }: Sqlite, files: Map<number, OpenFile>, methods: number) {
  const find = (path: number) => {
    const [, number, name = ''] = (wasm.cstrToJs(path) ?? '').split('/');
    const disk = disks.get(Number(number));
    if (disk === undefined) throw new Error(`No disk ${number} is mounted.`);
    return { disk, name };
  };
  return {
    xOpen: (_system: number, path: number, pointer: number, flags: number, answer: number) => {
      const { disk, name } = find(path);
      const isNew = !disk.has(name);
      if (isNew && (flags & capi.SQLITE_OPEN_CREATE) === 0) return capi.SQLITE_CANTOPEN;
      const failure = isNew ? disk.take({ verb: 'create', name }) : undefined;
      if (failure !== undefined) return capi.SQLITE_CANTOPEN;
      const struct = new capi.sqlite3_file(pointer);
      struct.$pMethods = methods;
      const syncsFolder = isNew && (flags & (capi.SQLITE_OPEN_WAL | capi.SQLITE_OPEN_MAIN_JOURNAL)) !== 0;
      files.set(pointer, { disk, name, syncsFolder, regions: [], struct });
      if (answer !== 0) wasm.poke32(answer, flags);
      return 0;
    },
    xDelete: (_system: number, path: number, syncFolder: number) => {
      const { disk, name } = find(path);
      if (!disk.has(name)) return capi.SQLITE_IOERR_DELETE_NOENT;
      const failure = disk.take({ verb: 'delete', name, withFolder: syncFolder !== 0 });
      return failure === undefined ? 0 : capi.SQLITE_IOERR_DELETE;
    },
    xAccess: (_system: number, path: number, _flags: number, answer: number) => {
      const { disk, name } = find(path);
      // As on Unix, an empty file counts as none.
      wasm.poke32(answer, disk.has(name) && disk.bytesOf(name).length > 0 ? 1 : 0);
      return 0;
    },
    xFullPathname: (_system: number, path: number, room: number, answer: number) => {
      const bytes = new TextEncoder().encode(`${wasm.cstrToJs(path)}\0`);
      if (bytes.length > room) return capi.SQLITE_CANTOPEN;
      wasm.heap8u().set(bytes, answer);
      return 0;
    },
    xGetLastError: () => 0,
  };
}

function createFileMethods({ capi, wasm }: Sqlite, files: Map<number, OpenFile>) {
  const at = (pointer: number) => files.get(pointer) as OpenFile;
  const toCode = (failure: DiskFault['answer'] | undefined, io: number) =>
    failure === undefined ? 0 : failure === 'full' ? capi.SQLITE_FULL : io;
  return {
    xClose: (pointer: number) => {
      at(pointer).struct.dispose();
      files.delete(pointer);
      return 0;
    },
    xRead: (pointer: number, target: number, length: number, offset: number) => {
      const { disk, name } = at(pointer);
      const bytes = wasm.heap8u().subarray(target, target + length);
      const found = disk.read(name, Number(offset), bytes);
      if (typeof found === 'string') return capi.SQLITE_IOERR_READ;
      bytes.fill(0, found);
      return found < length ? capi.SQLITE_IOERR_SHORT_READ : 0;
    },
    xWrite: (pointer: number, source: number, length: number, offset: number) => {
      const { disk, name } = at(pointer);
      const bytes = wasm.heap8u().slice(source, source + length);
      return toCode(disk.take({ verb: 'write', name, offset: Number(offset), bytes }), capi.SQLITE_IOERR_WRITE);
    },
    xTruncate: (pointer: number, size: number) => {
      const { disk, name } = at(pointer);
      return toCode(disk.take({ verb: 'truncate', name, size: Number(size) }), capi.SQLITE_IOERR_TRUNCATE);
    },
    xSync: (pointer: number) => {
      const file = at(pointer);
      const failure = file.disk.take({ verb: 'sync', name: file.name, withFolder: file.syncsFolder });
      if (failure === undefined) file.syncsFolder = false;
      return failure === undefined ? 0 : capi.SQLITE_IOERR_FSYNC;
    },
    xFileSize: (pointer: number, answer: number) => {
      const { disk, name } = at(pointer);
      wasm.poke(answer, disk.bytesOf(name).length, 'i64');
      return 0;
    },
    // One connection has a disk for itself.
    xLock: () => 0,
    xUnlock: () => 0,
    xCheckReservedLock: (_pointer: number, answer: number) => {
      wasm.poke32(answer, 0);
      return 0;
    },
    xFileControl: () => capi.SQLITE_NOTFOUND,
    xSectorSize: () => 4_096,
    // As on Unix: a power cut in the middle of a write leaves the bytes next to it alone.
    xDeviceCharacteristics: () => capi.SQLITE_IOCAP_POWERSAFE_OVERWRITE,
  };
}

function createSharedMemory({ capi, wasm }: Sqlite, files: Map<number, OpenFile>) {
  return {
    xShmMap: (pointer: number, index: number, size: number, isExtending: number, answer: number) => {
      const regions = files.get(pointer)?.regions ?? [];
      while (isExtending !== 0 && regions.length <= index) {
        const region = capi.sqlite3_malloc(size);
        if (region === 0) return capi.SQLITE_NOMEM;
        wasm.heap8u().fill(0, region, region + size);
        regions.push(region);
      }
      wasm.pokePtr(answer, regions[index] ?? 0);
      return 0;
    },
    xShmLock: () => 0,
    xShmBarrier: () => undefined,
    xShmUnmap: (pointer: number) => {
      for (const region of files.get(pointer)?.regions.splice(0) ?? []) capi.sqlite3_free(region);
      return 0;
    },
  };
}
