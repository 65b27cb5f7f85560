import { z } from 'zod';
import { tokenFactsShape } from '../../core/access-token.ts';
import { defineOperation } from '../../core/operation.ts';
import type { OperationContext } from '../context.ts';
import { isExpired } from './token-records.ts';

/** The tokens that are accepted over HTTP. */
export const tokenList = defineOperation({
  name: 'token.list',
  summary: 'Lists the tokens of this store, oldest first, without their secrets.',
  mutates: false,
  doors: { http: false },
  input: z.strictObject({}),
  output: async () =>
    z.strictObject({ tokens: z.array(z.strictObject({ ...tokenFactsShape, is_expired: z.boolean() })) }),
  errors: ['invalid_input', 'unavailable'],
  run: async (_input, context: OperationContext) => {
    const tokens = await (await context.openStore()).tokens.list();
    return {
      tokens: tokens.map(({ secret_sha256: _kept, ...facts }) => ({
        ...facts,
        is_expired: isExpired(facts, context.now()),
      })),
    };
  },
});
