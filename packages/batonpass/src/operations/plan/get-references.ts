import { z } from 'zod';
import { defineOperation } from '../../core/operation.ts';
import { readPlanReferences } from '../../plan-files/read-documents.ts';
import type { OperationContext } from '../context.ts';
import { placeOf, planDirectoryField, planErrors } from './plan-fields.ts';

export const planGetReferences = defineOperation({
  name: 'plan.get-references',
  summary: 'Answers what a plan refers to: issue, branch, decisions, interfaces, files, documents, dependencies.',
  mutates: false,
  doors: { http: { role: 'agent', folder: true } },
  input: z.strictObject({ plan_directory: planDirectoryField }),
  output: async () =>
    z.strictObject({
      references: z.strictObject({
        issue: z.strictObject({ url: z.string(), title: z.string() }).nullable(),
        branch: z.string().nullable(),
        adrs: z.array(z.string()),
        interfaces: z.array(z.string()),
        implementation_files: z.array(z.string()),
        configuration_files: z.array(z.string()).optional(),
        test_files: z.array(z.string()).optional(),
        external_docs: z.array(z.string()),
        dependencies: z.array(z.string()),
      }),
    }),
  errors: planErrors,
  run: async ({ plan_directory }, context: OperationContext) => ({
    references: readPlanReferences(placeOf(context), plan_directory),
  }),
});
