import { z } from 'zod';

const statuses = ['completed', 'partial', 'blocked', 'failed'] as const;

/** A line of an index of records, as it is read: fields of other programs stay. */
export const entrySchema = z.looseObject({
  id: z.string(),
  created_at: z.string(),
  source_agent: z.string(),
  target_agent: z.string().optional(),
  scope: z.string().optional(),
  summary: z.string(),
  result_status: z.enum([...statuses, 'mixed']),
  acknowledged: z.boolean(),
});
