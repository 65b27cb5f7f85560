import { z } from 'zod';
import { limits } from '../../core/limits.ts';

const name = z.string().min(1).max(limits.name_characters_max);

/** A host's session, as its hook reports it. */
export const sessionSchema = z.strictObject({
  host: name,
  session: name,
  /** The session's transcript on this machine. */
  transcript: z.string().min(1).max(limits.entry_characters_max).optional(),
  /** Whether a person uses it. */
  interactive: z.boolean(),
});
