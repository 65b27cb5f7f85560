import { z } from 'zod';
import { tokenFactsShape } from '../../core/access-token.ts';
import { HandoffError } from '../../core/errors.ts';
import { limits } from '../../core/limits.ts';
import { defineOperation } from '../../core/operation.ts';
import type { OperationContext } from '../context.ts';

/** Ends a token: a running server refuses it from its next request on. */
export const tokenRevoke = defineOperation({
  name: 'token.revoke',
  summary: 'Ends a token at once, also in servers that run.',
  mutates: true,
  doors: { http: false },
  input: z.strictObject({ id: z.string().trim().min(1).max(limits.name_characters_max) }),
  output: async () => z.strictObject(tokenFactsShape),
  errors: ['not_found', 'invalid_input', 'unavailable'],
  run: async ({ id }, context: OperationContext) => {
    const removed = await (await context.openStore()).tokens.remove(id);
    if (removed === null) {
      throw new HandoffError('not_found', `There is no token ${id.slice(0, 40)}.`, {
        alternatives: ['See which there are: baton token list'],
      });
    }
    const { secret_sha256: _kept, ...facts } = removed;
    return facts;
  },
});
