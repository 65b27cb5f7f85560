import { z } from 'zod';
import { defineOperation } from '../../core/operation.ts';
import { writeConfig } from '../../plan-files/write-documents.ts';
import type { OperationContext } from '../context.ts';
import { configurationFields } from './configuration-fields.ts';
import { placeOf, planDirectoryField, planErrors } from './plan-fields.ts';

export const planWriteConfig = defineOperation({
  name: 'plan.write-config',
  summary: 'Writes config.md of a plan, or changes the given settings of it.',
  mutates: true,
  keepsAnswer: () => true,
  doors: { http: { role: 'agent', folder: true } },
  input: z.strictObject({
    plan_directory: planDirectoryField,
    configuration: configurationFields.partial().describe('plan_type and branch; the others have defaults'),
  }),
  output: async () =>
    z.strictObject({
      outcome: z.enum(['created', 'updated']),
      artifacts: z.strictObject({ config_file: z.string() }),
    }),
  errors: [...planErrors, 'validation_failed', 'lease_lost'],
  run: async ({ plan_directory, configuration }, context: OperationContext) => {
    const request = { plan_directory, configuration, signal: context.signal };
    const { outcome, file } = await writeConfig(placeOf(context), request);
    return { outcome, artifacts: { config_file: file } };
  },
});
