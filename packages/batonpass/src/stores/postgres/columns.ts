/** The columns of the two tables that hold handoffs, and how both are read as one. */

/** What is never changed once a handoff was added; the database adds the place, `seq`. */
export const originColumns = ['id', 'project', 'created_at', 'idempotency_key', 'begun_as_draft'] as const;

/** The content and what repeats parts of it. */
export const contentColumns = [
  'kind',
  'task_id',
  'source_agent',
  'target_agent',
  'scope',
  'phase',
  'session',
  'branch',
  'content_sha256',
  'content',
  'payload_sha256',
] as const;

/** How it travels. */
export const deliveryColumns = [
  'state',
  'version',
  'content_revision',
  'available_at',
  'expires_at',
  'attempts',
  'max_attempts',
  'fence',
  'lease_holder',
  'lease_holder_type',
  'lease_token',
  'lease_expires_at',
  'acknowledged_by',
  'acknowledged_at',
  'approval',
  'offered',
  'injected',
  'failure',
  'waiting_on',
] as const;

/** What of the content a claim asks: it stands beside the delivery once more. */
export const askedColumns = ['kind', 'task_id', 'target_agent', 'scope'] as const;

const placeColumns = ['id', 'seq', 'project'] as const;

/** The columns of which a handoff is made again. */
const readColumns = [
  ...placeColumns,
  'created_at',
  'idempotency_key',
  'begun_as_draft',
  'content_sha256',
  'content',
  ...deliveryColumns,
] as const;

/** The same as a list for a statement that reads `stored`. */
export const handoffColumns = readColumns.join(', ');

const isOf = (columns: readonly string[], column: string) => columns.includes(column);

const ofMoved = (columns: readonly string[]) =>
  columns
    .map((column) =>
      isOf(placeColumns, column) || isOf(deliveryColumns, column) ? `moved.${column}` : `handoffs.${column}`,
    )
    .join(', ');

/** The same where deliveries were moved, under the name of `moved`, and their handoffs are joined. */
export const movedColumns = ofMoved(readColumns);

/**
 * Handoffs with their deliveries, as rows of `stored`.
 *
 * @param leading - the table whose indexes find them: the planner does not know that both have the same places.
 */
export const stored = (leading: 'handoffs' | 'deliveries') => `(
  SELECT ${[
    ...placeColumns.map((column) => `${leading}.${column}`),
    ...['created_at', 'idempotency_key', 'begun_as_draft', ...contentColumns].map((column) => `handoffs.${column}`),
    ...deliveryColumns.map((column) => `deliveries.${column}`),
  ].join(', ')}
  FROM handoffs INNER JOIN deliveries ON deliveries.id = handoffs.id
) AS stored`;

/** What the columns of `unnest` are; everything else is a text. */
const types: Readonly<Record<string, string>> = {
  begun_as_draft: 'integer',
  created_at: 'bigint',
  version: 'bigint',
  from_version: 'bigint',
  content_revision: 'bigint',
  available_at: 'bigint',
  expires_at: 'bigint',
  attempts: 'bigint',
  max_attempts: 'bigint',
  fence: 'bigint',
  lease_expires_at: 'bigint',
  acknowledged_at: 'bigint',
  at: 'bigint',
  line: 'bigint',
};

/** Rows of a parameter for each column: any number of rows is one statement. */
export const rowsOf = (columns: readonly string[]) =>
  `unnest(${columns.map((column) => `:${column}::${types[column] ?? 'text'}[]`).join(', ')}) AS given (${columns.join(', ')})`;
