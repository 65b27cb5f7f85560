import { z } from 'zod';
import { configChoices } from '../../plan-files/documents/config-document.ts';
import { nameField } from './plan-fields.ts';

/** The eight settings of a plan. */
export const configurationFields = z.strictObject({
  plan_type: z.enum(configChoices.plan_type),
  technology: z.enum(configChoices.technology),
  build_system: z.enum(configChoices.build_system),
  compatibility: z.enum(configChoices.compatibility),
  commit_strategy: z.enum(configChoices.commit_strategy),
  finalizing: z.enum(configChoices.finalizing),
  branch: nameField,
  issue: nameField,
});
