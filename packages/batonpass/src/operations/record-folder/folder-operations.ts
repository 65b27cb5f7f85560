import { statSync } from 'node:fs';
import { basename, dirname, join, resolve } from 'node:path';
import { z } from 'zod';
import { HandoffError } from '../../core/errors.ts';
import { limits } from '../../core/limits.ts';
import { defineOperation } from '../../core/operation.ts';
import { checkRecords, repairRecords } from '../../handoff-store/check-records.ts';
import { HandoffStore } from '../../handoff-store/handoff-store.ts';
import type { HandoffRecord, recordSchema } from '../../handoff-store/record.ts';
import type { OperationContext } from '../context.ts';
import { maskSecretsIn } from '../masked-values.ts';
import { assertOwnName } from '../own-name.ts';
import { findRecordFolder } from './record-folder.ts';

const recordOutput = async () => {
  const { recordSchema } = await import('../../handoff-store/record.ts');
  return z.strictObject({ folder: z.string(), record: recordSchema });
};

export const fileStoreCreate = defineOperation({
  name: 'file.store-create',
  summary: 'Adds a handoff to a folder of JSON records, open at once.',
  mutates: true,
  doors: { http: false },
  input: z.strictObject({
    /** The folder that contains `handoffs`; it is created if it is missing. */
    folder: z.string().min(1),
    /** Its fields but `id` and `created_at`; the writer, results and snapshot have defaults. Secrets are masked. */
    record: z.record(z.string(), z.unknown()),
  }),
  output: recordOutput,
  errors: ['invalid_input', 'file_not_found', 'too_large', 'unavailable'],
  run: async ({ folder: given, record: fields }, context: OperationContext) => {
    const { actor, now } = context;
    const folder = folderToWrite(given);
    const lists = { decision_ids: [], warning_ids: [], finding_ids: [], summaries: [] };
    const defaults = { source_agent: actor.name, results: [], context_snapshot: lists };
    const input: Record<string, unknown> = maskSecretsIn({ ...defaults, ...fields });
    if (typeof input.source_agent === 'string') assertOwnName(input.source_agent, 'source_agent', context);
    // The store itself checks whether the fields are those of a record.
    const record = await new HandoffStore(folder, { now }).create(input as unknown as HandoffRecord);
    return { folder, record: record as z.infer<typeof recordSchema> };
  },
});

/** The first record may make `handoffs`, but no folder above it: a mistyped name makes nothing. */
function folderToWrite(given: string): string {
  const dir = resolve(given);
  const folder = basename(dir) === 'handoffs' ? dirname(dir) : dir;
  if (statSync(folder, { throwIfNoEntry: false })?.isDirectory() === true) return folder;
  throw new HandoffError('file_not_found', `There is no folder ${folder}.`, {
    details: { path: folder },
    alternatives: [`Create it: mkdir -p ${folder}`],
  });
}

export const fileStoreList = defineOperation({
  name: 'file.store-list',
  summary: 'Lists the handoffs of a folder of JSON records, newest first.',
  mutates: false,
  doors: { http: false },
  input: z.strictObject({
    /** The folder that contains `handoffs`. */
    folder: z.string().min(1),
    source_agent: z.string().optional(),
    target_agent: z.string().optional(),
    /** By whole segments, in both directions; a handoff without a scope is included. */
    scope: z.string().optional(),
    since: z.string().optional(),
    limit: z.int().min(0).optional(),
  }),
  output: async () =>
    z.strictObject({
      /** Absolute. */
      folder: z.string(),
      /** The lines of the index, as they are read: fields of other programs stay. */
      handoffs: z.array(
        z.looseObject({
          id: z.string(),
          created_at: z.string(),
          source_agent: z.string(),
          target_agent: z.string().optional(),
          scope: z.string().optional(),
          summary: z.string(),
          result_status: z.enum(['completed', 'partial', 'blocked', 'failed', 'mixed']),
          acknowledged: z.boolean(),
        }),
      ),
      /** The errors of the files, with their names. */
      warnings: z.array(z.string()),
    }),
  errors: ['invalid_input', 'file_not_found', 'unavailable'],
  run: async ({ folder: given, ...filters }, { now }: OperationContext) => {
    const folder = findRecordFolder(given);
    const warnings: string[] = [];
    const store = new HandoffStore(folder, { now, onWarning: (text) => warnings.push(text) });
    return { folder, handoffs: (await store.list(filters)).map((entry) => ({ ...entry })), warnings };
  },
});

export const fileStoreShow = defineOperation({
  name: 'file.store-show',
  summary: 'Shows one handoff of a folder of JSON records.',
  mutates: false,
  doors: { http: false },
  input: z.strictObject({
    /** The folder that contains `handoffs`. */
    folder: z.string().min(1),
    id: z.string().min(1),
  }),
  output: recordOutput,
  errors: ['invalid_input', 'file_not_found', 'not_found', 'parse_error', 'invalid_structure', 'unavailable'],
  run: async ({ folder: given, id }, { now }: OperationContext) => {
    const folder = findRecordFolder(given);
    const record = await new HandoffStore(folder, { now }).get(id);
    if (record !== null) return { folder, record: record as z.infer<typeof recordSchema> };
    throw new HandoffError('not_found', `No handoff ${id} in ${folder}.`, {
      details: { id },
      alternatives: [`List the handoffs: baton file store list ${folder}`],
    });
  },
});

export const fileStoreAcknowledge = defineOperation({
  name: 'file.store-acknowledge',
  summary: 'Marks a handoff of a folder of JSON records as received, finally.',
  mutates: true,
  doors: { http: false },
  input: z.strictObject({
    /** The folder that contains `handoffs`. */
    folder: z.string().min(1),
    id: z.string().min(1),
    /** The receiver. Default: the actor. */
    acknowledged_by: z.string().trim().min(1).max(limits.name_characters_max).optional(),
  }),
  output: recordOutput,
  errors: [
    'invalid_input',
    'file_not_found',
    'not_found',
    'conflict',
    'parse_error',
    'invalid_structure',
    'unavailable',
  ],
  run: async ({ folder: given, id, acknowledged_by }, context: OperationContext) => {
    const { actor, now } = context;
    assertOwnName(acknowledged_by, 'acknowledged_by', context);
    const folder = findRecordFolder(given);
    const record = await new HandoffStore(folder, { now }).acknowledge(id, acknowledged_by ?? actor.name);
    return { folder, record: record as z.infer<typeof recordSchema> };
  },
});

export const fileStoreCheck = defineOperation({
  name: 'file.store-check',
  summary: 'Reads every record of a folder and every line of its index, and rebuilds the index on request.',
  mutates: true,
  doors: { http: false },
  input: z.strictObject({
    /** The folder that contains `handoffs`. */
    folder: z.string().min(1),
    /** Whether to rebuild the index from the records first. Default: nothing is changed. */
    repair: z.boolean().optional(),
  }),
  output: async () =>
    z.strictObject({
      /** Absolute. */
      folder: z.string(),
      repaired: z.boolean(),
      records: z.int(),
      acknowledged: z.int(),
      /** Whole lines of the index. */
      lines: z.int(),
      findings: z.array(z.strictObject({ path: z.string(), line: z.int().optional(), what: z.string() })),
    }),
  errors: ['invalid_input', 'file_not_found', 'unavailable'],
  run: async ({ folder: given, repair = false }, { now, signal }: OperationContext) => {
    const folder = findRecordFolder(given);
    const records = join(folder, 'handoffs');
    if (repair) await repairRecords(records, now);
    return { folder, repaired: repair, ...checkRecords(records, signal) };
  },
});
