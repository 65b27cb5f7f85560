import { z } from 'zod';
import { defineOperation } from '../../core/operation.ts';
import { isServerUrl } from '../../stores/open.ts';
import type { OperationContext } from '../context.ts';

export const storeRoles = defineOperation({
  name: 'store.roles',
  summary: 'The SQL that divides the rights to a store on Postgres among an owner, agents and a monitor; runs nothing.',
  mutates: false,
  doors: { http: false },
  input: z.strictObject({
    /** Default: that of the present store's URL, else `baton`. */
    schema: z.string().optional(),
  }),
  output: async () =>
    z.strictObject({
      schema: z.string(),
      roles: z.strictObject({ owner: z.string(), agent: z.string(), monitor: z.string() }),
      /** One script, which can be run as often as one likes. */
      sql: z.string(),
    }),
  errors: ['invalid_input'],
  run: async ({ schema: given }, { store_url }: OperationContext) => {
    const { readPlace } = await import('../../stores/postgres/place.ts');
    const { rolesOf, writeRoles } = await import('../../stores/postgres/roles.ts');
    const schema = given ?? readPlace(isServerUrl(store_url) ? store_url : '').schema;
    return { schema, roles: rolesOf(schema), sql: writeRoles(schema) };
  },
});
