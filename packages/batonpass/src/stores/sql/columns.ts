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

/** What a row must still be for its step to take effect. */
export const guardColumns = ['id', 'from_state', 'from_version'] as const;

/** A line of history. */
export const eventColumns = [
  'handoff_id',
  'project',
  'name',
  'at',
  'actor_name',
  'actor_type',
  'actor_token_id',
  'from_state',
  'to_state',
  'reason',
  'details',
] as const;

/** The columns of which a handoff is made again. */
export const handoffColumns = ['seq', ...originColumns, 'content_sha256', 'content', ...deliveryColumns].join(', ');
