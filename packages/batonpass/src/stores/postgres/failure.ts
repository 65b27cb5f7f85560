import { HandoffError, type HandoffErrorCode, isHandoffError } from '../../core/errors.ts';
import { SILENT } from './driver.ts';

interface Explanation {
  code: HandoffErrorCode;
  /** What happened, the store apart. */
  says: string;
  alternatives: readonly string[];
}

const retry = 'Try again; nothing of this call was kept.';

const elsewhere = 'Keep handoffs in a file meanwhile: BATON_STORE=sqlite:/path/to/baton.db';

const unreachable: Explanation = {
  code: 'unavailable',
  says: 'cannot be reached',
  alternatives: ['Check that the server runs, and that host and port of the URL are its own.', elsewhere],
};

const silent: Explanation = {
  code: 'unavailable',
  says: 'gave no answer in time',
  alternatives: [
    'Check that the server and the way to it are well; a longer wait can be set in the URL: ?wait_ms=30000',
    "Another program may hold its tables: SELECT pid, query FROM pg_stat_activity WHERE wait_event_type = 'Lock'",
    elsewhere,
  ],
};

const refusedLogin: Explanation = {
  code: 'invalid_input',
  says: 'refuses the user or the password',
  alternatives: [
    'Check user and password of the URL, or give the password by PGPASSWORD or a .pgpass file.',
    "Where the server wants every connection encrypted, say so in the store's URL: ?sslmode=verify-full",
  ],
};

const noTls: Explanation = {
  code: 'invalid_input',
  says: "does not encrypt, as the sslmode of the store's URL asks",
  alternatives: [
    'Turn TLS on in the server: ssl = on, with ssl_cert_file and ssl_key_file.',
    'Within a network of your own, connect without it: ?sslmode=disable',
  ],
};

const unprovenServer: Explanation = {
  code: 'unavailable',
  says: 'shows a certificate that does not prove who it is',
  alternatives: [
    'Name the certificate of who signed it: ?sslmode=verify-full&sslrootcert=/path/to/ca.pem',
    "Check that the host of the store's URL is the one that the certificate names, and that it has not expired.",
  ],
};

const readOnly: Explanation = {
  code: 'unavailable',
  says: 'is read-only: a replica, or a database that was set so',
  alternatives: [
    "Name the primary server in the store's URL.",
    'With several hosts, put one in front that leads to the primary.',
  ],
};

const changed: Explanation = {
  code: 'unavailable',
  says: 'was changed by another program: a table or column of it is not as Baton made it',
  alternatives: ['Restore a backup of the database.', 'Use another schema: ?schema=other_name'],
};

/** What Postgres's own codes mean here. */
const explanations: Readonly<Record<string, Explanation>> = {
  '28P01': refusedLogin,
  '28000': refusedLogin,
  '3D000': {
    code: 'invalid_input',
    says: 'has no such database',
    alternatives: ['Make it first: createdb NAME', "Check the database's name in the URL."],
  },
  '42501': {
    code: 'unavailable',
    says: 'does not allow this user what Baton needs',
    alternatives: [
      "Make the user a member of one of the store's roles: baton store roles",
      'What removes handoffs (prune) is for the owner alone.',
    ],
  },
  '53200': {
    code: 'unavailable',
    says: 'has no memory left for this call',
    alternatives: ['Send fewer handoffs in one call, or raise max_locks_per_transaction.', retry],
  },
  '53100': {
    code: 'unavailable',
    says: 'cannot grow: its disk is full',
    alternatives: ["Make room on the server's disk.", retry],
  },
  '53300': {
    code: 'unavailable',
    says: 'has no connection left',
    alternatives: ['Close other clients, raise max_connections, or put a pooler in front of the server.'],
  },
  '55P03': {
    code: 'unavailable',
    says: 'is busy: another transaction held what this call needs',
    alternatives: [retry],
  },
  '57014': { code: 'unavailable', says: 'is busy: a statement took too long', alternatives: [retry] },
  '25006': readOnly,
  '42P01': changed,
  '42703': changed,
  '3F000': changed,
  '42883': changed,
};

/** A connection that is gone, or a server that is starting or ending: the same call may succeed by another connection. */
export function isLost(error: unknown): boolean {
  const { code, message } = partsOf(error);
  if (/^(08...|25P0[34]|57P0[1-5]|53300)$/.test(code)) return true;
  if (/^(ECONN|EPIPE|ETIMEDOUT|EHOST|ENET|ENOTFOUND|EAI_AGAIN|ENOENT)/.test(code)) return true;
  return (
    /^(Connection terminated|Client (has|was)|timeout ex(ceeded|pired)|Cannot use a pool)/.test(message) ||
    message === SILENT
  );
}

/** A connection on which a statement got no answer, and whose other end may be gone without a word. */
export function isSilent(error: unknown): boolean {
  return partsOf(error).message === SILENT;
}

/** Failures that the driver finds by itself and gives no code of Postgres. */
function explainDriver({ code, message }: { code: string; message: string }): Explanation | undefined {
  if (/^SASL: .*password must be/.test(message)) return refusedLogin;
  if (message === 'The server does not support SSL connections') return noTls;
  if (message === SILENT) return silent;
  if (/^(DEPTH_ZERO|SELF_SIGNED|UNABLE_TO|CERT_|ERR_TLS|HOSTNAME_MISMATCH)/.test(code)) return unprovenServer;
  return undefined;
}

/** Two transactions that waited for each other: the one that was ended begins again. */
export function isCollision(error: unknown): boolean {
  return ['40001', '40P01'].includes(partsOf(error).code);
}

/** The error as the store's callers get it; what is no trouble of the server stays a defect. */
export function explainFailure(error: unknown, name: string): unknown {
  if (isHandoffError(error)) return error;
  const { code, message } = partsOf(error);
  const known = explanations[code] ?? explainDriver({ code, message }) ?? (isLost(error) ? unreachable : undefined);
  if (known === undefined) return error;
  return new HandoffError(known.code, `The store ${name} ${known.says}: ${message}.`, {
    details: { store: name, ...(code !== '' && { reason: code }) },
    alternatives: known.alternatives,
    cause: error,
  });
}

/** The error of a user who may not make a store, or bring it up to date; undefined for any other failure. */
export function mayNotMigrate(error: unknown, name: string): HandoffError | undefined {
  const { code, message } = partsOf(error);
  if (code !== '42501') return undefined;
  return new HandoffError(
    'unavailable',
    `The store ${name} is not there yet, and this user may not make it: ${message}.`,
    {
      details: { store: name, reason: code },
      alternatives: [
        'Let its owner do it: baton store migrate --store postgres://OWNER@HOST/DATABASE',
        'Where there is none yet: let a user do it who may create a schema in the database, or give this user an empty one.',
      ],
      cause: error,
    },
  );
}

/** The error of a server that only reads. */
export function readOnlyServer(name: string): HandoffError {
  return new HandoffError('unavailable', `The store ${name} ${readOnly.says}.`, {
    details: { store: name },
    alternatives: readOnly.alternatives,
  });
}

/** The error of a call whose commit was begun, and of which nobody can be asked what came of it. */
export function unknownCommit(name: string, cause: unknown): HandoffError {
  return new HandoffError(
    'unavailable',
    `The store ${name} was lost while it kept this call, and did not come back: whether it did is not known.`,
    {
      details: { store: name, is_ambiguous: true },
      alternatives: [
        'Repeat the call with the same idempotency key, which does it once.',
        'Look first what was kept: baton list',
      ],
      cause,
    },
  );
}

function partsOf(error: unknown): { code: string; message: string } {
  if (!(error instanceof Error)) return { code: '', message: String(error) };
  // A host with several addresses fails as a group: the first failure speaks for it.
  const first = error instanceof AggregateError && error.errors[0] instanceof Error ? error.errors[0] : error;
  const code = 'code' in first && typeof first.code === 'string' ? first.code : '';
  return { code, message: first.message };
}
