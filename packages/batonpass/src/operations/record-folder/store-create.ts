import { statSync } from 'node:fs';
import { basename, dirname, resolve } from 'node:path';
import { z } from 'zod';
import { HandoffError } from '../../core/errors.ts';
import { defineOperation } from '../../core/operation.ts';
import { HandoffStore } from '../../handoff-store/handoff-store.ts';
import type { HandoffRecord, recordSchema } from '../../handoff-store/record.ts';
import type { OperationContext } from '../context.ts';
import { maskSecretsIn } from '../masked-values.ts';
import { assertOwnName } from '../own-name.ts';

export const fileStoreCreate = defineOperation({
  name: 'file.store-create',
  summary: 'Adds a handoff to a folder of JSON records, open at once.',
  mutates: true,
  doors: { http: false },
  input: z.strictObject({
    /** The folder that contains `handoffs`; it is made where it is absent. */
    folder: z.string().min(1),
    /** Its fields but `id` and `created_at`; the writer, results and snapshot have defaults. Secrets are masked. */
    record: z.record(z.string(), z.unknown()),
  }),
  output: async () => {
    const { recordSchema } = await import('../../handoff-store/record.ts');
    return z.strictObject({ folder: z.string(), record: recordSchema });
  },
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
    alternatives: [`Make it: mkdir -p ${folder}`],
  });
}
