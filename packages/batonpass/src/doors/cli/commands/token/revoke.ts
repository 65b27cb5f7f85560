import { defineCommand } from '../../command.ts';
import { visible } from '../../present/view.ts';

export const tokenRevoke = defineCommand({
  name: 'token revoke',
  arguments: [{ flags: '<id>', description: 'of the token, as the list shows it' }],
  summary: 'End a token at once, also in servers that run',
  examples: [{ line: 'baton token revoke 5f2c8a41d07e93b6a1c4f8d2', what: '' }],
  operation: 'token.revoke',
  toInput: ({ arguments: [id = ''] }) => ({ id }),
  present: ({ id, name, role, project }) =>
    `${id} is no token any more: ${visible(name)}, ${role} of ${visible(project)}.`,
});
