import { HandoffError } from '../../core/errors.ts';

/** Where a URL says that a store is. */
export interface Place {
  /** For the driver: the URL without Baton's own parameter. Carries the password. */
  connectionString: string;
  schema: string;
}

/** The schema of a store whose URL names none. */
const SCHEMA = 'baton';

/**
 * Reads `postgres://user@host:5432/database?schema=baton`; everything but `schema` is the driver's.
 *
 * @throws HandoffError `invalid_input` for a schema that needs quotes or belongs to the server.
 */
export function readPlace(url: string): Place {
  const [address = '', ...rest] = url.split('?');
  const parameters = new URLSearchParams(rest.join('?'));
  const schema = parameters.get('schema') ?? SCHEMA;
  if (!/^(?!pg_)[a-z_][a-z0-9_]{0,50}$/.test(schema)) {
    throw new HandoffError(
      'invalid_input',
      `The schema "${schema}" of the store's URL is not one that Baton can use.`,
      {
        details: { schema },
        alternatives: ['Use small letters, digits and underscores: ?schema=baton', 'Leave it out: it is then baton.'],
      },
    );
  }
  parameters.delete('schema');
  const others = parameters.toString();
  return { connectionString: others === '' ? address : `${address}?${others}`, schema };
}
