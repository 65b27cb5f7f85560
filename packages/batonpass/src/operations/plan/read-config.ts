import { z } from 'zod';
import { defineOperation } from '../../core/operation.ts';
import { readPlanConfig } from '../../plan-files/read-documents.ts';
import type { OperationContext } from '../context.ts';
import { placeOf, planDirectoryField, planErrors } from './plan-fields.ts';

export const planReadConfig = defineOperation({
  name: 'plan.read-config',
  summary: 'Answers the eight settings of a plan.',
  mutates: false,
  doors: { http: { role: 'agent', folder: true } },
  input: z.strictObject({ plan_directory: planDirectoryField }),
  output: async () => {
    const { configurationFields } = await import('./configuration-fields.ts');
    // A document's texts for branch and issue may be longer than those of a request.
    return z.strictObject({ configuration: configurationFields.extend({ branch: z.string(), issue: z.string() }) });
  },
  errors: [...planErrors, 'parse_error', 'invalid_structure'],
  run: async ({ plan_directory }, context: OperationContext) => ({
    configuration: readPlanConfig(placeOf(context), plan_directory),
  }),
});
