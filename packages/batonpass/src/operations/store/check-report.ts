import { z } from 'zod';
import { stateSchema } from '../../core/state.ts';

/** So many findings are told one by one; all of them are counted. */
export const findings_max = 100;

const findingSchema = z.strictObject({
  /** What is not as it must be. */
  rule: z.enum(['file', 'content', 'payload', 'history', 'delivery', 'columns', 'unreadable']),
  /** The handoff; absent where it is the file. */
  id: z.string().optional(),
  what: z.string(),
});

/** What a store is and holds, and what is wrong with it. */
export const checkReportSchema = z.strictObject({
  /** The store's URL, without a password. */
  store: z.string(),
  /** Its schema and this program's; absent where it is no file. */
  schema: z.strictObject({ version: z.int(), known: z.int() }).optional(),
  /** Absent where it is no file. */
  size: z.strictObject({ bytes: z.int(), log_bytes: z.int(), free_bytes: z.int() }).optional(),
  /** Whether the handoffs were looked at: not those of an older schema, or of a file that cannot be read. */
  complete: z.boolean(),
  handoffs: z.int(),
  states: z.partialRecord(stateSchema, z.int()),
  oldest_open: z.strictObject({ id: z.string(), created_at: z.string() }).optional(),
  /** History whose handoffs are gone, which is no fault: moved to an archive, or deleted by foreign SQL. */
  dropped: z.strictObject({ handoffs: z.int(), lines: z.int() }),
  problems: z.int(),
  /** At most a hundred of them. */
  findings: z.array(findingSchema),
});

export type CheckReport = z.infer<typeof checkReportSchema>;
