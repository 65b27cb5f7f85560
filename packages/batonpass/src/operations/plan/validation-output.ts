import { z } from 'zod';

const findings = z.array(z.strictObject({ code: z.string(), message: z.string() }));

/** What a look through a document answers. */
export const validationOutput = z.strictObject({
  outcome: z.enum(['valid', 'invalid']),
  validation_errors: findings,
  validation_warnings: findings,
});
