import { existsSync, realpathSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, resolve } from 'node:path';
import { z } from 'zod';
import { HandoffError, isHandoffError } from '../../core/errors.ts';
import { defineOperation } from '../../core/operation.ts';
import { stateSchema } from '../../core/state.ts';
import { backupsFolder } from '../../stores/sqlite/backup-place.ts';
import type { DatabaseContents } from '../../stores/sqlite/check-database.ts';
import { isDamage } from '../../stores/sqlite/failure.ts';
import type { OperationContext } from '../context.ts';
import { progressOf } from './copy-progress.ts';
import { isThere, nameOfInstant, storeFile } from './store-file.ts';

const countsSchema = z.strictObject({ handoffs: z.int(), states: z.partialRecord(stateSchema, z.int()) });

export const storeRestore = defineOperation({
  name: 'store.restore',
  summary: 'Replaces the store’s contents with a backup, after a copy of them has been kept.',
  mutates: true,
  doors: { http: false },
  input: z.strictObject({
    file: z.string().min(1),
    /** Checks the backup and changes nothing. */
    dry_run: z.boolean().default(false),
  }),
  output: async () =>
    z.strictObject({
      store: z.string(),
      file: z.string(),
      restored: z.boolean(),
      /** The schema of the backup. */
      schema: z.int(),
      backup: countsSchema,
      /** The contents of the store before; absent where there is none, or where it cannot be read. */
      present: countsSchema.optional(),
      /** How many handoffs of the backup are not as the life cycle leaves them; they are restored as they are. */
      faults: z.int(),
      /** Where the copy of the former store is: restoring that copy undoes this. */
      undo: z.string().optional(),
      /** Whether that copy is one of a damaged store, and no backup. */
      undo_is_damaged: z.boolean().optional(),
      /** Lines of history that subscribers get again. */
      told_again: z.int(),
    }),
  errors: ['file_not_found', 'invalid_input', 'invalid_structure', 'unavailable', 'unsupported_version'],
  run: async ({ file, dry_run }, context: OperationContext) => {
    const store = storeFile(context, 'restore');
    const backup = resolve(file);
    assertBackup(backup, store);
    return restore({ store, backup, dry_run, context });
  },
});

interface Restoring {
  store: string;
  backup: string;
  dry_run: boolean;
  context: OperationContext;
}

async function restore({ store, backup, dry_run, context }: Restoring) {
  const { removeDatabase } = await import('../../stores/sqlite/copy-database.ts');
  const { readDatabase } = await import('../../stores/sqlite/check-database.ts');
  const present = isThere(store) ? await readDatabase(store) : undefined;
  const { staged, schema, facts } = await stage(backup, store, context);
  try {
    const plan = {
      store,
      file: backup,
      schema,
      backup: countsOf(facts.contents),
      ...(present && { present: countsOf(present) }),
      faults: facts.faults.length,
    };
    if (context.signal.aborted) throw stopped();
    if (dry_run) return { ...plan, restored: false, told_again: 0 };
    return { ...plan, restored: true, ...(await replace(staged, store, context)) };
  } finally {
    removeDatabase(staged);
  }
}

async function replace(staged: string, store: string, context: OperationContext) {
  const { now, signal } = context;
  const { restoreDatabase } = await import('../../stores/sqlite/restore-database.ts');
  const undo_name = `baton-before-restore-${nameOfInstant(now())}`;
  const onProgress = progressOf('MiB of the current store kept', context);
  const { told_again, undo } = await restoreDatabase(staged, store, { undo_name, signal, onProgress });
  return {
    told_again,
    ...(undo && { undo: undo.path, undo_is_damaged: undo.complaints.length > 0 }),
  };
}

/** A copy of the backup, checked and migrated; the backup itself is not touched. */
async function stage(backup: string, store: string, context: OperationContext) {
  const { signal } = context;
  const { copyDatabase, removeDatabase } = await import('../../stores/sqlite/copy-database.ts');
  const { checkDatabase } = await import('../../stores/sqlite/check-database.ts');
  const folder = existsSync(dirname(store)) ? dirname(store) : tmpdir();
  const options = { signal, onProgress: progressOf('MiB of the backup read', context) };
  const copy = await copyDatabase(backup, folder, options).catch((error: unknown) => {
    throw asBackupFailure(error, backup, store);
  });
  const { path: staged, schema_version, complaints } = copy;
  try {
    if (complaints.length > 0) throw damagedBackup(backup, store, complaints[0] ?? '');
    if (schema_version === 0) throw noBackup(backup, store);
    return { staged, schema: schema_version, facts: await checkDatabase(staged, { signal }) };
  } catch (error) {
    removeDatabase(staged);
    throw error;
  }
}

function stopped(): HandoffError {
  return new HandoffError('unavailable', 'Stopped before anything was replaced: the store is as it was.', {
    alternatives: ['Run it again.'],
  });
}

function countsOf(contents: DatabaseContents | undefined) {
  const states = contents?.states ?? {};
  return { handoffs: Object.values(states).reduce((sum, count) => sum + count, 0), states };
}

/** @throws HandoffError `file_not_found` for what is no file, `invalid_input` for the store itself. */
function assertBackup(backup: string, store: string): void {
  const found = statSync(backup, { throwIfNoEntry: false });
  if (found === undefined || !found.isFile()) {
    const what = found === undefined ? 'There is no file' : 'This is not a file:';
    throw new HandoffError('file_not_found', `${what} ${backup}.`, {
      details: { path: backup },
      alternatives: [seeOthers(store)],
    });
  }
  if (!existsSync(store) || realpathSync(backup) !== realpathSync(store)) return;
  throw new HandoffError('invalid_input', `The file ${backup} is the store itself.`, {
    details: { path: backup },
    alternatives: [seeOthers(store)],
  });
}

/** The error of a file that cannot be read, for a person who wants to restore it. */
function asBackupFailure(error: unknown, backup: string, store: string): unknown {
  if (!isHandoffError(error)) return error;
  if (isDamage(error) && error.code === 'unavailable') return damagedBackup(backup, store, error.message);
  return error.code === 'invalid_input' ? noBackup(backup, store, error) : error;
}

/** Another program's file, a text, or an empty file, which would delete everything. */
function noBackup(backup: string, store: string, cause?: unknown): HandoffError {
  return new HandoffError('invalid_input', `The file ${backup} is not a backup of a Baton store.`, {
    details: { path: backup },
    cause,
    alternatives: [seeOthers(store)],
  });
}

function damagedBackup(backup: string, store: string, complaint: string): HandoffError {
  return new HandoffError('invalid_structure', `The backup ${backup} is damaged: ${complaint}`, {
    details: { path: backup, complaint },
    alternatives: [seeOthers(store)],
  });
}

function seeOthers(store: string): string {
  return `Name a backup; those that Baton made are in ${backupsFolder(store)}.`;
}
