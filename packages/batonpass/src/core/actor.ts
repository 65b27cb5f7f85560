import { z } from 'zod';
import { limits } from './limits.ts';

/** Who does something: a person, an agent, or a host's hook acting for a session. Given by the door. */
export const actorSchema = z.strictObject({
  name: z.string().trim().min(1).max(limits.name_characters_max),
  type: z.enum(['person', 'agent', 'hook']),
});

export type Actor = z.infer<typeof actorSchema>;
