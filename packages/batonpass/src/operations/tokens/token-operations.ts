import { z } from 'zod';
import { roles, tokenFactsShape } from '../../core/access-token.ts';
import { HandoffError } from '../../core/errors.ts';
import { limits } from '../../core/limits.ts';
import { defineOperation } from '../../core/operation.ts';
import type { OperationContext } from '../context.ts';
import { addToken, isExpired } from './token-records.ts';

/** Lets a caller in over HTTP: under one name, for one project, for a time. */
export const tokenCreate = defineOperation({
  name: 'token.create',
  summary: 'Creates a bearer token for access over HTTP, bound to an agent’s name, a project and a role; shown once.',
  mutates: true,
  doors: { http: false },
  input: z.strictObject({
    name: tokenFactsShape.name.describe('The name its owner acts under'),
    project: tokenFactsShape.project.optional().describe('Default: the project of this folder'),
    role: z.enum(roles).default('agent'),
    expires_in_ms: z.int().min(1_000).max(limits.token_ms_max).default(limits.token_ms_default),
  }),
  output: async () => z.strictObject({ ...tokenFactsShape, token: z.string() }),
  errors: ['invalid_input', 'unavailable'],
  run: async ({ name, project, role, expires_in_ms }, context: OperationContext) => {
    const now_ms = context.now();
    const { record, token } = await addToken((await context.openStore()).tokens, {
      name,
      project: project ?? context.project,
      role,
      created_at: new Date(now_ms).toISOString(),
      created_by: context.actor.name,
      expires_at: new Date(now_ms + expires_in_ms).toISOString(),
    });
    const { secret_sha256: _kept, ...facts } = record;
    return { ...facts, token };
  },
});

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

/** Ends a token: a running server refuses it from its next request on. */
export const tokenRevoke = defineOperation({
  name: 'token.revoke',
  summary: 'Revokes a token at once, also in running servers.',
  mutates: true,
  doors: { http: false },
  input: z.strictObject({ id: z.string().trim().min(1).max(limits.name_characters_max) }),
  output: async () => z.strictObject(tokenFactsShape),
  errors: ['not_found', 'invalid_input', 'unavailable'],
  run: async ({ id }, context: OperationContext) => {
    const removed = await (await context.openStore()).tokens.remove(id);
    if (removed === null) {
      throw new HandoffError('not_found', `There is no token ${id.slice(0, 40)}.`, {
        alternatives: ['List them: baton token list'],
      });
    }
    const { secret_sha256: _kept, ...facts } = removed;
    return facts;
  },
});
