import { z } from 'zod';
import { limits } from '../../core/limits.ts';

/** The key that every changing tool takes beside its operation's own fields. */
export const idempotencyKeySchema = z.string().min(1).max(limits.idempotency_key_characters_max).optional();
