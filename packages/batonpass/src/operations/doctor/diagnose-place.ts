import { closeSync, existsSync, fsyncSync, openSync, rmSync, statfsSync, statSync, writeSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { isHandoffError } from '../../core/errors.ts';
import { assertLocal } from '../../stores/sqlite/place.ts';
import { ownFolder } from '../../workspace/place.ts';
import type { OperationContext } from '../context.ts';
import { databasePath } from '../store/store-file.ts';
import { type Finding, fine, firstLines, problem, warning } from './diagnose-finding.ts';

/** Below this a store cannot be opened for writing: its journal alone may take as much. */
const room_bytes_min = 1024 * 1024;

/** Below this a disk is full soon. */
const room_bytes_wanted = 64 * 1024 * 1024;

/** As much as a large handoff takes. */
const tried_bytes = 64 * 1024;

/** Whether Baton's folders can be written, have room, are on a local disk, and are readable by their owner alone. */
export function diagnosePlaces(context: OperationContext): Finding[] {
  const database = databasePath(context);
  const own = ownFolder(context.workspace, context.environment);
  const folders = [...new Set([own, ...(database === undefined ? [] : [dirname(database)])])];
  const disks = [...new Map(folders.map((folder) => [findDisk(folder).folder, findDisk(folder)])).values()];
  return [
    ...disks.flatMap(diagnoseDisk),
    ...(database === undefined ? [] : diagnoseFileSystem(database)),
    ...diagnosePermissions(own, database),
  ];
}

function diagnoseDisk({ folder, free_bytes }: Disk): Finding[] {
  const free = `${Math.floor(free_bytes / (1024 * 1024)).toLocaleString('en-US')} MiB`;
  const figures = { bytes: free_bytes };
  const failure = attempt(() => tryWrite(folder, tried_bytes));
  const isFull = failure !== undefined && ['ENOSPC', 'EDQUOT'].includes(failure.code ?? '');
  if (isFull || free_bytes < room_bytes_min) {
    const what = `The disk of ${folder} is full: ${free} are free.`;
    const why = 'No handoff can be stored or claimed until there is space; existing ones are kept.';
    return [problem('disk-full', { about: folder, what, why, next: 'Free space on that disk.', figures })];
  }
  if (failure !== undefined) {
    const what = `${folder} cannot be written: ${failure.message}`;
    const why = 'No handoff can be stored or claimed.';
    const next =
      'Give yourself write permission there, or put the store elsewhere: BATON_STORE=sqlite:/a/writable/folder/baton.db';
    return [problem('place-unwritable', { about: folder, what, why, next })];
  }
  if (free_bytes >= room_bytes_wanted) {
    return [fine('disk-has-room', `${folder} can be written`, { about: folder, figures })];
  }
  const what = `The disk of ${folder} is nearly full: ${free} are free.`;
  return [
    warning('disk-nearly-full', {
      about: folder,
      what,
      why: 'On a full disk no handoff can be stored.',
      next: 'Free space on that disk.',
      figures,
    }),
  ];
}

function attempt(body: () => void): NodeJS.ErrnoException | undefined {
  try {
    body();
    return undefined;
  } catch (error) {
    return error as NodeJS.ErrnoException;
  }
}

function diagnoseFileSystem(database: string): Finding[] {
  const failure = attempt(() => assertLocal(database, findDisk(dirname(database)).type));
  if (failure === undefined) return [];
  if (!isHandoffError(failure)) throw failure;
  return [
    problem('network-file-system', {
      about: database,
      what: failure.message,
      why: 'Locks do not work there between machines, so handoffs could be lost or claimed twice.',
      next: failure.alternatives[0] ?? '',
    }),
  ];
}

/** Handoffs contain text of conversations. Windows has another permission system. */
function diagnosePermissions(own: string, database: string | undefined): Finding[] {
  if (process.platform === 'win32') return [];
  const files = ['', 'hooks.jsonl', 'sessions', 'init'].map((name) => join(own, name));
  const paths = [...files, ...(database === undefined ? [] : [database, `${database}-wal`])].filter(existsSync);
  const open = paths.filter((path) => (statSync(path).mode & 0o077) !== 0);
  if (paths.length === 0) return [];
  if (open.length === 0) return [fine('permissions-private', `Only you can read what is stored: ${own}`)];
  const steps = open.map((path) => `chmod ${statSync(path).isDirectory() ? 'u=rwx' : 'u=rw'},go= ${quote(path)}`);
  return [
    warning('permissions-open', {
      about: open.join(', '),
      what: `Other users of this machine can read ${open.join(', ')}.`,
      why: 'Handoffs contain what was said in conversations.',
      next: `Make it private: ${steps.join(' && ')}`,
    }),
  ];
}

/** In the form that a shell reads as one word, whatever it contains. */
function quote(path: string): string {
  return `'${path.replaceAll("'", "'\\''")}'`;
}

/** A smaller difference between clocks is not reported. */
const clock_ms_max = 5 * 60_000;

/** How many of the last offers are read. */
const looked_at_max = 100;

/** Whether the store opens, is sound and of a known form, without a change to it. */
export async function diagnoseStore(context: OperationContext): Promise<Finding[]> {
  const path = databasePath(context);
  if (path === undefined) return [fine('store-healthy', `The store ${context.store_url} is not a file`)];
  const { examineDatabase } = await import('../../stores/sqlite/check-database.ts');
  try {
    const health = await examineDatabase(path);
    if (health === null) return [fine('store-absent', `The first handoff creates the store: ${path}`)];
    const { complaints = [], schema_version, bytes } = health;
    if (complaints.length > 0) return [damaged(path, firstLines(complaints[0] ?? ''))];
    const form =
      schema_version === 0
        ? `schema version ${schema_version}, which the next command migrates`
        : `schema version ${schema_version}`;
    const read = health.complaints === undefined ? 'too large to be read completely here' : 'sound';
    const what = `The store is ${read}, ${form}: ${path}`;
    return [fine('store-healthy', what, { figures: { bytes } })];
  } catch (error) {
    if (!isHandoffError(error)) throw error;
    return [
      problem('store-unusable', {
        about: path,
        what: error.message,
        why: 'No handoff can be stored, and none can be claimed.',
        next: error.alternatives[0] ?? 'Check the file that is named.',
      }),
    ];
  }
}

function damaged(path: string, complaint: string): Finding {
  return problem('store-damaged', {
    about: path,
    what: `The store ${path} is damaged: ${complaint}`,
    why: 'Handoffs may be missing, and what is written now may be lost.',
    next: 'Restore a backup, which keeps a copy of what is left: baton store restore FILE. Without one, keep a copy of the file and its -wal, and recover it with sqlite3 .recover.',
  });
}

/** What hooks put into sessions without proof; and whether the store has seen a later time than this machine. */
export async function diagnoseOffers(context: OperationContext): Promise<Finding[]> {
  const path = databasePath(context);
  const { examineDatabase } = await import('../../stores/sqlite/check-database.ts');
  const health = path === undefined ? null : await examineDatabase(path);
  // A diagnosis must not create a store, nor migrate an older one.
  if (health === null || health.schema_version === 0) return [];
  const store = await context.openStore();
  const { project } = context;
  const { handoffs } = await store.list({ filter: { project, awaiting_proof: true }, limit: looked_at_max });
  const [newest] = (await store.list({ filter: { project }, limit: 1 })).handoffs;
  const ahead_ms = newest === undefined ? 0 : Date.parse(newest.created_at) - context.now();
  const ids = handoffs.map(({ id }) => id);
  return [
    ...(ids.length === 0
      ? []
      : [
          warning('offers-unproved', {
            about: ids.join(', '),
            what: `${ids.length === 1 ? 'A handoff was' : `${ids.length} handoffs were`} put into a session that has not shown it yet: ${ids.slice(0, 3).join(', ')}`,
            why: 'A session shows it with its next message. If it never does, the host dropped it, and it is offered again.',
            next: `See what happened to it: baton log ${ids[0]}`,
          }),
        ]),
    ...(ahead_ms <= clock_ms_max
      ? []
      : [
          warning('clock-wrong', {
            what: `The newest handoff is from the future: ${newest?.created_at}.`,
            why: 'Leases and expiries depend on the clock; if it jumps, they end too soon or too late.',
            next: 'Synchronize the clock of this machine, or of the one that wrote it, with the network.',
          }),
        ]),
  ];
}

/** The disk that a folder is on. */
interface Disk {
  /** The nearest folder that exists. */
  folder: string;
  /** What this user may still write. */
  free_bytes: number;
  /** The file system's own number, as `statfs` gives it. */
  type: number;
}

/** Measures the disk of a folder, which need not exist yet. @throws the system's error. */
function findDisk(folder: string): Disk {
  let nearest = folder;
  while (!existsSync(nearest) && dirname(nearest) !== nearest) nearest = dirname(nearest);
  const { bavail, bsize, type } = statfsSync(nearest);
  return { folder: nearest, free_bytes: bavail * bsize, type };
}

/**
 * Writes a file into a folder, syncs it and removes it again: the one sure answer to whether it can be written there. A
 * crash may leave the file, which is named `.baton-try.RANDOM`.
 *
 * @throws the system's error (`ENOSPC`, `EDQUOT`, `EACCES`, `EROFS` …).
 */
function tryWrite(folder: string, bytes: number): void {
  const path = join(folder, `.baton-try.${crypto.randomUUID()}`);
  const file = openSync(path, 'wx', 0o600);
  try {
    const written = writeSync(file, Buffer.alloc(bytes, '.'));
    fsyncSync(file);
    // A disk that fills up within one write writes a part of it without an error; the next byte is refused.
    if (written < bytes) writeSync(file, '.');
  } finally {
    closeSync(file);
    rmSync(path, { force: true });
  }
}
