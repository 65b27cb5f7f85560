import { HandoffError } from '../../core/errors.ts';
import { limits } from '../../core/limits.ts';

/** The location of a store, as given by its URL. */
export interface Place {
  /** For the driver: the URL without Baton's own parameters. Carries the password. */
  connectionString: string;
  schema: string;
  /** Connections of this process at the most, one for notifications apart. */
  connections_max: number;
  /** Milliseconds that a call waits for a connection, for a lock, and for a lost connection to be replaced. */
  wait_ms: number;
}

/** The schema of a store whose URL names none. */
const SCHEMA = 'baton';

/** What else Baton reads of a URL: the default, and from where to where it may be. */
const numbers = {
  /** A worker with sixteen handlers shares them, and a server of a hundred connections has room for ten such. */
  connections_max: { usual: 8, least: 1, most: 100 },
  /** Shorter waits fail at the pauses of a healthy server; after longer ones no caller is still waiting. */
  wait_ms: { usual: limits.write_wait_ms, least: 100, most: 600_000 },
} as const;

/**
 * Reads `postgres://user@host:5432/database?schema=baton&connections_max=8&wait_ms=10000`; what has another name is the
 * driver's. @throws HandoffError `invalid_input` for a schema that is none of ours, and a number out of bounds.
 */
export function readPlace(url: string): Place {
  const { address, parameters } = split(url);
  const schema = parameters.get('schema') ?? SCHEMA;
  assertSchema(schema);
  const connections_max = readNumber(parameters, 'connections_max');
  const wait_ms = readNumber(parameters, 'wait_ms');
  for (const own of ['schema', 'connections_max', 'wait_ms']) parameters.delete(own);
  const connectionString = parameters.size === 0 ? address : `${address}?${parameters}`;
  return { connectionString, schema, connections_max, wait_ms };
}

/** The archive of a store: `baton_archive` next to `baton`. @throws HandoffError `invalid_input` for a name too long for it. */
export function archiveUrl(url: string): string {
  const { address, parameters } = split(url);
  const schema = `${parameters.get('schema') ?? SCHEMA}_archive`;
  assertSchema(schema);
  parameters.set('schema', schema);
  return `${address}?${parameters}`;
}

/** @throws HandoffError `invalid_input` for a schema that needs quotes or belongs to the server. */
export function assertSchema(schema: string): void {
  if (/^(?!pg_)[a-z_][a-z0-9_]{0,50}$/.test(schema)) return;
  throw new HandoffError('invalid_input', `The schema "${schema}" of the store is not one that Baton can use.`, {
    details: { schema },
    alternatives: ['Use small letters, digits and underscores: ?schema=baton', 'Leave it out for the default, baton.'],
  });
}

function split(url: string): { address: string; parameters: URLSearchParams } {
  const [address = '', ...rest] = url.split('?');
  return { address, parameters: new URLSearchParams(rest.join('?')) };
}

function readNumber(parameters: URLSearchParams, name: keyof typeof numbers): number {
  const { usual, least, most } = numbers[name];
  const given = parameters.get(name);
  if (given === null) return usual;
  const number = /^\d{1,9}$/.test(given) ? Number(given) : Number.NaN;
  if (number >= least && number <= most) return number;
  throw new HandoffError('invalid_input', `The ${name} of the store's URL is not a number from ${least} to ${most}.`, {
    details: { name, least, most },
    alternatives: [`Write it as: ?${name}=${usual}`, `Leave it out for the default, ${usual}.`],
  });
}
