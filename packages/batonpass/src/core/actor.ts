import { z } from 'zod';
import { limits } from './limits.ts';

/** Who does something: a person, an agent, or a host's hook acting for a session. Given by the door. */
export const actorSchema = z.strictObject({
  name: z.string().trim().min(1).max(limits.name_characters_max),
  type: z.enum(['person', 'agent', 'hook']),
  /** Of the token that let the call in over HTTP. */
  token_id: z.string().max(limits.name_characters_max).optional(),
});

export type Actor = z.infer<typeof actorSchema>;
