import { type HandoffErrorCode, isHandoffError } from '../../core/errors.ts';

/** An answer that is no success, in the form of RFC 9457, with Baton's own members added. */
export interface Problem {
  /** Where the reference page explains the code. */
  type: string;
  title: string;
  status: number;
  detail: string;
  code: string;
  details: Record<string, unknown>;
  alternatives: readonly string[];
}

interface Kind {
  status: number;
  title: string;
}

/** The status of each expected error: this door has status codes for them only here. */
export const problemKinds = {
  not_found: { status: 404, title: 'Not found' },
  file_not_found: { status: 404, title: 'File not found' },
  reference_not_found: { status: 404, title: 'Reference not found' },
  invalid_input: { status: 400, title: 'Invalid input' },
  parse_error: { status: 422, title: 'Cannot be read' },
  invalid_structure: { status: 422, title: 'Invalid structure' },
  invalid_format: { status: 422, title: 'Invalid format' },
  validation_failed: { status: 422, title: 'Validation failed' },
  extraction_failed: { status: 422, title: 'Nothing extracted' },
  conflict: { status: 409, title: 'Conflict' },
  already_claimed: { status: 409, title: 'Already claimed' },
  lease_lost: { status: 409, title: 'Lease lost' },
  phase_transition_violation: { status: 409, title: 'Another phase' },
  path_outside_root: { status: 403, title: 'Path outside of its folder' },
  too_large: { status: 413, title: 'Too large' },
  unavailable: { status: 503, title: 'Unavailable' },
  unsupported_version: { status: 501, title: 'Unsupported version' },
} as const satisfies Record<HandoffErrorCode, Kind>;

/** What this door refuses by itself, before any operation is asked. */
export const refusalKinds = {
  misdirected_request: { status: 421, title: 'Misdirected request' },
  foreign_origin: { status: 403, title: 'Foreign origin' },
  unauthorized: { status: 401, title: 'Unauthorized' },
  insufficient_role: { status: 403, title: 'Insufficient role' },
  no_such_route: { status: 404, title: 'No such route' },
  request_timeout: { status: 408, title: 'Request timeout' },
  method_not_allowed: { status: 405, title: 'Method not allowed' },
  unsupported_media_type: { status: 415, title: 'Unsupported media type' },
  too_many_requests: { status: 429, title: 'Too many requests' },
  internal_error: { status: 500, title: 'Internal error' },
} as const satisfies Record<string, Kind>;

export type RefusalCode = keyof typeof refusalKinds;

/** A request that this door refuses by itself. */
export class Refusal extends Error {
  override readonly name = 'Refusal';
  readonly code: RefusalCode;
  readonly headers: Readonly<Record<string, string>>;
  readonly alternatives: readonly string[];

  constructor(
    code: RefusalCode,
    message: string,
    { headers = {}, alternatives = [] }: { headers?: Record<string, string>; alternatives?: readonly string[] } = {},
  ) {
    super(message);
    this.code = code;
    this.headers = headers;
    this.alternatives = alternatives;
  }
}

/** Any failure as a problem: an expected one with all its facts, a defect without its internals. */
export function toProblem(error: unknown): Problem {
  if (isHandoffError(error)) {
    const { code, message, details, alternatives } = error;
    return { type: typeOf(code), ...problemKinds[code], detail: message, code, details, alternatives };
  }
  const refusal = error instanceof Refusal ? error : defect();
  const { code, message, alternatives } = refusal;
  return { type: typeOf(code), ...refusalKinds[code], detail: message, code, details: {}, alternatives };
}

function typeOf(code: string): string {
  return `/reference#error-${code}`;
}

function defect(): Refusal {
  return new Refusal(
    'internal_error',
    'This is a defect in Baton, not in what you did; its details are in the log of the server, under the id of this request.',
    { alternatives: ['Retry with the same Idempotency-Key: what was done is not done twice.'] },
  );
}
