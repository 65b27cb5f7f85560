import { limits } from '../../../../core/limits.ts';
import type { OperationInput } from '../../../../operations/catalogue.ts';
import { defineCommand } from '../../command.ts';
import { durationWithin } from '../../duration.ts';
import { visible } from '../../present/view.ts';

export const tokenCreate = defineCommand({
  name: 'token create',
  arguments: [{ flags: '<name>', description: 'as whom its owner acts' }],
  summary: 'Let an agent or a person in over HTTP',
  options: [
    { flags: '--project <name>', description: 'the one project that it is good for; default: this folder’s' },
    { flags: '--role <role>', description: 'agent (the default), reviewer or admin' },
    {
      flags: '--expires <duration>',
      description: 'how long it is good (90d)',
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
      `${visible(name)} is ${role} of ${visible(project)} until ${expires_at.slice(0, 16).replace('T', ' ')} UTC. The token is shown this once.`,
      '→ Send it as a header: Authorization: Bearer TOKEN',
      `→ End it: baton token revoke ${id}`,
    ].join('\n'),
});
