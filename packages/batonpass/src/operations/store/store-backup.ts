import { existsSync, realpathSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { z } from 'zod';
import { HandoffError } from '../../core/errors.ts';
import { defineOperation } from '../../core/operation.ts';
import { placeFile } from '../../disk/place-file.ts';
import { backupsFolder, placeBackup } from '../../stores/sqlite/backup-place.ts';
import { copyDatabase, type DatabaseCopy, removeDatabase } from '../../stores/sqlite/copy-database.ts';
import { notWritten } from '../../stores/sqlite/failure.ts';
import type { OperationContext } from '../context.ts';
import { progressOf } from './copy-progress.ts';
import { nameOfInstant, presentStoreFile } from './store-file.ts';

export const storeBackup = defineOperation({
  name: 'store.backup',
  summary: 'Copies the store, as it is at one instant, to one file that is checked and synced to the disk.',
  mutates: true,
  doors: { http: false },
  input: z.strictObject({
    /** Default: `backups/baton-YYYYMMDD-HHMMSS.db` next to the store. */
    file: z.string().min(1).optional(),
    /** Whether a file of that name is replaced. */
    replace: z.boolean().default(false),
  }),
  output: async () =>
    z.strictObject({
      /** The store's file. */
      store: z.string(),
      /** The copy's. */
      file: z.string(),
      bytes: z.int(),
      schema: z.int(),
      handoffs: z.int(),
      /** Lines of history. */
      lines: z.int(),
      /** Over everything that both contain; equal for equal contents, however a file stores them. */
      sha256: z.string(),
    }),
  errors: ['file_not_found', 'invalid_input', 'conflict', 'unavailable', 'unsupported_version'],
  run: async ({ file, replace }, context: OperationContext) => {
    const store = presentStoreFile(context, 'copy');
    const backup =
      file === undefined
        ? await backUpBeside(store, context)
        : await backUpTo(resolve(file), { store, replace, context });
    return { store, ...backup };
  },
});

/** A finished backup. */
interface Backup {
  file: string;
  bytes: number;
  schema: number;
  handoffs: number;
  lines: number;
  sha256: string;
}

/** Copies a store into its own folder of backups, under a name that is not in use. */
async function backUpBeside(store: string, context: OperationContext): Promise<Backup> {
  const folder = backupsFolder(store);
  return backUp({ store, folder, context }, (temporary) =>
    placeBackup(temporary, folder, `baton-${nameOfInstant(context.now())}`),
  );
}

/** A store, and whether a file with the copy's name is replaced. */
interface Target {
  store: string;
  replace: boolean;
  context: OperationContext;
}

/**
 * Copies a store to a named file.
 *
 * @throws HandoffError `conflict` where there is such a file and it is not replaced, `file_not_found` for a folder
 * that does not exist, `invalid_input` for the store's own file or another one in use.
 */
async function backUpTo(file: string, { store, replace, context }: Target): Promise<Backup> {
  assertPlace(file, store);
  if (existsSync(file) && !replace) throw taken(file);
  return backUp({ store, folder: dirname(file), context }, (temporary) => {
    place(temporary, file, replace);
    return file;
  });
}

/** What is copied, and the folder in which the copy is written until it is complete. */
interface Copying {
  store: string;
  folder: string;
  context: OperationContext;
}

async function backUp({ store, folder, context }: Copying, place: (temporary: string) => string): Promise<Backup> {
  const onProgress = progressOf('MiB copied', context);
  const copy = await copyDatabase(store, folder, { signal: context.signal, onProgress });
  try {
    const facts = factsOf(copy, store);
    return { file: place(copy.path), ...facts };
  } catch (error) {
    removeDatabase(copy.path);
    throw notWritten(folder, error);
  }
}

/** @throws HandoffError `unavailable` for a copy of a damaged store: it is no backup. */
function factsOf(
  { bytes, schema_version, complaints, fingerprint }: DatabaseCopy,
  store: string,
): Omit<Backup, 'file'> {
  if (fingerprint === undefined) {
    throw new HandoffError(
      'unavailable',
      `The store ${store} is damaged, so a copy of it is not a backup: ${complaints[0]}`,
      {
        details: { path: store, complaints },
        alternatives: [
          'See what is damaged: baton store check',
          'Restore an earlier backup, which keeps a copy of what is there: baton store restore FILE',
        ],
      },
    );
  }
  const { rows, sha256 } = fingerprint;
  return { bytes, schema: schema_version, handoffs: rows.handoffs ?? 0, lines: rows.events ?? 0, sha256 };
}

function place(temporary: string, file: string, replace: boolean): void {
  try {
    placeFile(temporary, file, { replace });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') throw taken(file);
    throw error;
  }
}

function assertPlace(file: string, store: string): void {
  const folder = dirname(file);
  if (!existsSync(folder)) {
    throw new HandoffError('file_not_found', `The folder ${folder} does not exist.`, {
      details: { folder },
      alternatives: [
        `Create it: mkdir -p ${folder}`,
        'Without a name the backup goes next to the store: baton store backup',
      ],
    });
  }
  const isStore = existsSync(file) && realpathSync(file) === realpathSync(store);
  if (!isStore && !existsSync(`${file}-wal`)) return;
  const what = isStore ? 'is the store itself' : 'is in use as a store: it has a log next to it';
  throw new HandoffError('invalid_input', `The file ${file} ${what}.`, {
    details: { path: file },
    alternatives: ['Name another file.', 'Without a name the backup goes next to the store: baton store backup'],
  });
}

function taken(file: string): HandoffError {
  return new HandoffError('conflict', `The file ${file} exists already.`, {
    details: { path: file },
    alternatives: ['Name another one.', 'Replace it: --force'],
  });
}
