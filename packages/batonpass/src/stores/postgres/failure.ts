import { type HandoffError, isHandoffError } from '../../core/errors.ts';
import { type Explanation, storeError } from '../sql/failure.ts';

/** What a connection ends with on which nothing came for too long. */
export const SILENT = 'it, or the network, stopped responding';

/** The way out where no server can be used. */
export const sqliteInstead = 'Keep handoffs in a file: BATON_STORE=sqlite:/path/to/baton.db';

const retry = 'Try again; nothing of this call was kept.';

/** A connection that is gone, or a server that starts or ends: the same call may succeed by another connection. */
const lost =
  /^((08...|25P0[34]|57P0[1-5]|53300) |E(CONN|PIPE|TIMEDOUT|HOST|NET|NOTFOUND|AI_AGAIN|NOENT)| (Connection terminated|Client (has|was)|timeout ex(ceeded|pired)|Cannot use a pool))/;

type Explanations = readonly (readonly [sign: RegExp, ...Explanation])[];

/** What is wrong with the URL: `invalid_input`. */
const mistakes: Explanations = [
  [
    /^(28P01|28000) |^ SASL: .*password must be/,
    'refuses the user or the password',
    'Check user and password of the URL, or give the password by PGPASSWORD or a .pgpass file.',
    "Where the server wants every connection encrypted, say so in the store's URL: ?sslmode=verify-full",
  ],
  [/^3D000 /, 'has no such database', 'Create it first: createdb NAME', "Check the database's name in the URL."],
  [
    /^ The server does not support SSL connections$/,
    "does not encrypt, as the sslmode of the store's URL asks",
    'Turn TLS on in the server: ssl = on, with ssl_cert_file and ssl_key_file.',
    'Within a network of your own, connect without it: ?sslmode=disable',
  ],
];

/** What is wrong with the server: `unavailable`. */
const troubles: Explanations = [
  [
    /^42501 /,
    'does not allow this user what Baton needs',
    "Make the user a member of one of the store's roles: baton store roles",
    'What removes handoffs (prune) is for the owner alone.',
  ],
  [
    /^(42P01|42703|3F000|42883) /,
    'was changed by another program: a table or column of it is not as Baton created it',
    'Restore a backup of the database.',
    'Use another schema: ?schema=other_name',
  ],
  [
    /^53200 /,
    'has no memory left for this call',
    'Send fewer handoffs in one call, or raise max_locks_per_transaction.',
    retry,
  ],
  [/^53100 /, 'cannot grow: its disk is full', "Make room on the server's disk.", retry],
  [
    /^53300 /,
    'has no connection left',
    'Close other clients, raise max_connections, or put a pooler in front of the server.',
  ],
  [/^55P03 /, 'is busy: another transaction held what this call needs', retry],
  [/^57014 /, 'is busy: a statement took too long', retry],
  [
    /^25006 /,
    'is read-only: a replica, or a database that was set so',
    "Name the primary server in the store's URL.",
    'With several hosts, put one in front that leads to the primary.',
  ],
  [
    /^(DEPTH_ZERO|SELF_SIGNED|UNABLE_TO|CERT_|ERR_TLS|HOSTNAME_MISMATCH)/,
    'presents a certificate that cannot be verified',
    'Name the certificate of its issuer: ?sslmode=verify-full&sslrootcert=/path/to/ca.pem',
    "Check that the host of the store's URL is the one that the certificate names, and that it has not expired.",
  ],
  [
    new RegExp(SILENT),
    'did not answer in time',
    'Check the server and the network; a longer wait can be set in the URL: ?wait_ms=30000',
    "Another program may hold its tables: SELECT pid, query FROM pg_stat_activity WHERE wait_event_type = 'Lock'",
    sqliteInstead,
  ],
  [lost, 'cannot be reached', 'Check that the server runs, and the host and port of the URL.', sqliteInstead],
];

/** The same where a store is made. */
const troublesOfMigration: Explanations = [
  [
    /^42501 /,
    'is not there yet, and this user may not make it',
    'Let its owner do it: baton store migrate --store postgres://OWNER@HOST/DATABASE',
    'Where there is none yet: let a user do it who may create a schema in the database, or give this user an empty one.',
  ],
  ...troubles,
];

/** A connection on which a statement got no answer, and whose other end may be gone without a word. */
export const isSilent = (error: unknown) => partsOf(error).message === SILENT;

/** Whether another connection may do what failed. */
export const isLost = (error: unknown) => lost.test(partsOf(error).sign) || isSilent(error);

/** A server that does not know a statement that was prepared, or knows another of that name: a pooler led to another. */
export const isForgotten = (error: unknown) => /^(26000|42P05) /.test(partsOf(error).sign);

/** Two transactions that waited for each other: the one that was ended begins again. */
export const isCollision = (error: unknown) => /^(40001|40P01) /.test(partsOf(error).sign);

/** The error as the store's callers get it; what is no trouble of the server stays a defect. */
export function explainFailure(error: unknown, name: string, isMigration = false): unknown {
  if (isHandoffError(error)) return error;
  const { code: reason, message, sign } = partsOf(error);
  const isKnown = ([known]: Explanations[number]) => known.test(sign);
  const mistake = mistakes.find(isKnown);
  const found = mistake ?? (isMigration ? troublesOfMigration : troubles).find(isKnown);
  if (found === undefined) return error;
  const [, says, ...alternatives] = found;
  return storeError(name, [`${says}: ${message}`, ...alternatives], {
    code: mistake === undefined ? 'unavailable' : 'invalid_input',
    details: { store: name, ...(reason !== '' && { reason }) },
    cause: error,
  });
}

/** The error of a call whose commit was begun, and whose outcome cannot be found out. */
export function unknownCommit(name: string, cause: unknown): HandoffError {
  const says = 'was lost while it committed this call, and did not come back: whether it committed is not known';
  const again = 'Repeat the call with the same idempotency key, which does it once.';
  const details = { store: name, is_ambiguous: true };
  return storeError(name, [says, again, 'Check first what was stored: baton list'], { details, cause });
}

/** An error's code, its message, and both in one text; what the driver throws has no code. */
function partsOf(error: unknown): { code: string; message: string; sign: string } {
  // A host with several addresses fails as a group: the first failure speaks for it.
  const one: unknown = error instanceof AggregateError ? error.errors[0] : error;
  const { code = '', message = String(one) } = one as { code?: string; message?: string };
  return { code, message, sign: `${code} ${message}` };
}
