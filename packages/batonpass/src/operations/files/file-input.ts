import { z } from 'zod';
import type { BaseFrontmatter } from '../../handoff-files/frontmatter.ts';
import { formatTimestamp } from '../../handoff-files/timestamp.ts';
import type { OperationContext } from '../context.ts';

/** The fields of front matter as they are given; each kind's own rules are checked where the file is written. */
export const frontmatterSchema = z.record(z.string(), z.unknown());

/** A file that was written. */
export const writtenFileSchema = z.strictObject({
  /** Absolute. */
  path: z.string(),
  type: z.string(),
  version: z.string(),
});

type Fields = z.output<typeof frontmatterSchema>;

/** Fields with their defaults: author, time, and the number of tasks that a plan names. */
export function withDefaults(fields: Fields, { actor, now }: OperationContext): Fields & BaseFrontmatter {
  const count = fields.type === 'plan' && Array.isArray(fields.task_ids) ? fields.task_ids.length : undefined;
  const defaults = { created: formatTimestamp(now()), agent: actor.name, tasks_created: count };
  const missing = Object.entries(defaults).filter(([name, value]) => value !== undefined && fields[name] === undefined);
  // Writing checks whether the fields are those that a file needs.
  return { ...fields, ...Object.fromEntries(missing) } as Fields & BaseFrontmatter;
}
