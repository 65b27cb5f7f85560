import { z } from 'zod';
import { contentSchema } from './content.ts';
import { deliverySchema } from './delivery.ts';
import { limits } from './limits.ts';

/** The one record of Baton: content that never changes once open, and delivery that only the life cycle moves. */
export const handoffSchema = z.strictObject({
  /** ULID, given by the store. Its time never decides an order. */
  id: z.string(),
  /** The record's own form. */
  schema: z.literal(1),
  created_at: z.iso.datetime(),
  /** The project's identity: remote URL without credentials, else root commit, else configured name. */
  project: z.string().min(1).max(limits.name_characters_max),
  idempotency_key: z.string().optional(),
  /** SHA-256 of the content's canonical JSON. */
  content_sha256: z.string(),
  content: contentSchema,
  delivery: deliverySchema,
});

export type Handoff = z.infer<typeof handoffSchema>;
