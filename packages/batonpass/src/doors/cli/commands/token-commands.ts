import { limits } from '../../../core/limits.ts';
import type { OperationInput } from '../../../operations/catalogue.ts';
import { defineCommand } from '../command.ts';
import { durationWithin } from '../duration.ts';
import { oneLine, table, visible } from '../present/view.ts';

export const tokenCreate = defineCommand({
  name: 'token create',
  arguments: [{ flags: '<name>', description: 'the name its owner acts under' }],
  summary: 'Create a token, for access over HTTP',
  options: [
    { flags: '--project <name>', description: 'the one project that it is valid for; default: this folder’s' },
    { flags: '--role <role>', description: 'agent (the default), reviewer or admin' },
    {
      flags: '--expires <duration>',
      description: 'how long it is valid (90d)',
      parse: durationWithin({ option: '--expires', min: 1_000, max: limits.token_ms_max }),
    },
  ],
  examples: [
    { line: 'baton token create codex', what: 'may do here what agents do, for 90 days' },
    { line: 'baton token create maria --role reviewer --expires 1d', what: 'may also edit, approve and answer' },
  ],
  operation: 'token.create',
  toInput: ({ arguments: [name = ''], options }) => ({
    name,
    project: options.project as string | undefined,
    role: options.role as OperationInput<'token.create'>['role'],
    expires_in_ms: options.expires as number | undefined,
  }),
  present: ({ token }) => token,
  remark: ({ id, name, project, role, expires_at }) =>
    [
      `${visible(name)} is ${role} of ${visible(project)} until ${expires_at.slice(0, 16).replace('T', ' ')} UTC. The token is shown only once.`,
      '→ Send it as a header: Authorization: Bearer TOKEN',
      `→ Revoke it: baton token revoke ${id}`,
    ].join('\n'),
});

export const tokenList = defineCommand({
  name: 'token list',
  summary: 'List the tokens of this store, without their secrets',
  examples: [{ line: 'baton token list', what: 'who has access over HTTP, in which role, and until when' }],
  operation: 'token.list',
  toInput: () => ({}),
  isNo: ({ tokens }) => tokens.length === 0,
  present: ({ tokens }, view) =>
    tokens.length === 0
      ? ''
      : table(
          tokens.map(({ id, name, project, role, expires_at, is_expired, last_used_at }) => [
            view.style('bold', id),
            oneLine(name, 24),
            role,
            oneLine(project, 40),
            is_expired ? view.style('red', 'expired') : `until ${expires_at.slice(0, 16).replace('T', ' ')}`,
            last_used_at === undefined ? 'never used' : `used ${last_used_at.slice(0, 16).replace('T', ' ')}`,
          ]),
        ),
  remark: ({ tokens }) => (tokens.length === 0 ? 'There is no token. Create one: baton token create NAME' : ''),
});

export const tokenRevoke = defineCommand({
  name: 'token revoke',
  arguments: [{ flags: '<id>', description: 'the id of the token, from the list' }],
  summary: 'Revoke a token at once, also in running servers',
  examples: [{ line: 'baton token revoke 5f2c8a41d07e93b6a1c4f8d2', what: '' }],
  operation: 'token.revoke',
  toInput: ({ arguments: [id = ''] }) => ({ id }),
  present: ({ id, name, role, project }) => `${id} is revoked: ${visible(name)}, ${role} of ${visible(project)}.`,
});
