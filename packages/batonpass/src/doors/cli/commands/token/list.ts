import { defineCommand } from '../../command.ts';
import { oneLine, table } from '../../present/view.ts';

export const tokenList = defineCommand({
  name: 'token list',
  summary: 'List the tokens of this store, without their secrets',
  examples: [{ line: 'baton token list', what: 'who may come in over HTTP, as what, and until when' }],
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
  remark: ({ tokens }) => (tokens.length === 0 ? 'There is no token. Make one: baton token create NAME' : ''),
});
