import { z } from 'zod';
import { defineOperation } from '../../core/operation.ts';
import { validateConfig, validatePlan, validateReferences } from '../../plan-files/read-documents.ts';
import type { OperationContext } from '../context.ts';
import { placeOf, planDirectoryField, planErrors } from './plan-fields.ts';

const input = z.strictObject({ plan_directory: planDirectoryField });
const output = async () => (await import('./validation-output.ts')).validationOutput;

/** Changes nothing, and needs no sound plan: the answer lists the errors. */
export const planValidatePlan = defineOperation({
  name: 'plan.validate-plan',
  summary: 'Checks plan.md and returns what is wrong, errors and warnings apart.',
  mutates: false,
  doors: { http: { role: 'agent', folder: true } },
  input,
  output,
  errors: planErrors,
  run: async ({ plan_directory }, context: OperationContext) => validatePlan(placeOf(context), plan_directory),
});

/** As {@link planValidatePlan}, of the settings. */
export const planValidateConfig = defineOperation({
  name: 'plan.validate-config',
  summary: 'Checks config.md and returns what is wrong, errors and warnings apart.',
  mutates: false,
  doors: { http: { role: 'agent', folder: true } },
  input,
  output,
  errors: planErrors,
  run: async ({ plan_directory }, context: OperationContext) => validateConfig(placeOf(context), plan_directory),
});

/** As {@link planValidatePlan}, of the references. */
export const planValidateReferences = defineOperation({
  name: 'plan.validate-references',
  summary: 'Checks references.md and returns what is wrong, errors and warnings apart.',
  mutates: false,
  doors: { http: { role: 'agent', folder: true } },
  input,
  output,
  errors: planErrors,
  run: async ({ plan_directory }, context: OperationContext) => validateReferences(placeOf(context), plan_directory),
});
