import { z } from 'zod';
import { HandoffError } from '../../core/errors.ts';
import { defineOperation } from '../../core/operation.ts';
import { referenceTypes } from '../../plan-files/documents/reference-groups.ts';
import { writeReferences } from '../../plan-files/write-documents.ts';
import type { OperationContext } from '../context.ts';
import { entryField, nameField, placeOf, planDirectoryField, planErrors } from './plan-fields.ts';

export const planWriteReferences = defineOperation({
  name: 'plan.write-references',
  summary: 'Adds, updates or removes a reference of a plan.',
  mutates: true,
  keepsAnswer: () => true,
  doors: { http: { role: 'agent', folder: true } },
  input: z.strictObject({
    plan_directory: planDirectoryField,
    action: z.enum(['add', 'update', 'remove']),
    reference_type: z.enum(referenceTypes),
    reference_data: z
      .strictObject({
        type: nameField.optional(),
        identifier: nameField.optional(),
        title: entryField.optional(),
        path: nameField.optional(),
      })
      .describe('identifier as ADR-015 or src/a.ts, title, path; type as test, library, maven, prerequisite'),
  }),
  output: async () =>
    z.strictObject({
      outcome: z.literal('updated'),
      changes: z.array(z.string()),
      references_summary: z.strictObject({
        adrs_count: z.int(),
        interfaces_count: z.int(),
        files_count: z.int(),
        external_docs_count: z.int(),
      }),
    }),
  errors: [...planErrors, 'reference_not_found', 'invalid_structure', 'validation_failed', 'lease_lost'],
  run: async ({ plan_directory, action, reference_type, reference_data }, context: OperationContext) => {
    const { type: kind, identifier = reference_data.path, title, path } = reference_data;
    if (identifier === undefined) throw unnamed();
    const change = { action, type: reference_type, kind, identifier, title, path };
    return writeReferences(placeOf(context), { plan_directory, change, signal: context.signal });
  },
});

function unnamed(): HandoffError {
  return new HandoffError('validation_failed', 'Reference does not fit', {
    details: { details: 'reference_data names no reference' },
    alternatives: ['Give reference_data.identifier, as ADR-015 or src/login.ts'],
  });
}
