import { z } from 'zod';

const findings = z.array(z.strictObject({ code: z.string(), message: z.string() }));

/** The answer of a check of a document. */
export const validationOutput = z.strictObject({
  outcome: z.enum(['valid', 'invalid']),
  validation_errors: findings,
  validation_warnings: findings,
});
