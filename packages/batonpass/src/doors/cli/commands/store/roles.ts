import { defineCommand } from '../../command.ts';

export const storeRoles = defineCommand({
  name: 'store roles',
  summary: 'Print the SQL that divides the rights to a store on Postgres: owner, agents, monitor',
  options: [{ flags: '--schema <name>', description: 'default: that of the present store, else baton' }],
  examples: [
    { line: 'baton store roles | psql DATABASE', what: 'as a superuser, on a store that is there' },
    { line: 'baton store roles --schema other', what: 'for the store of postgres://…?schema=other' },
  ],
  operation: 'store.roles',
  toInput: ({ options }) => ({ schema: options.schema as string | undefined }),
  present: ({ sql }) => sql.trimEnd(),
  remark: ({ roles: { owner, agent, monitor } }) =>
    `→ Run it with psql, then give each user a role: GRANT ${agent} TO ada; there are also ${owner} and ${monitor}.`,
});
