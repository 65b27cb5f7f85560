import type { HandoffError, HandoffErrorCode } from '../../core/errors.ts';
import { ANSWERER, type Correspondence } from './read-request.ts';

/** The types of error that the protocol knows, in the order of their numbers: `file_not_found` is `error-001`. */
const errorTypes = [
  'file_not_found',
  'invalid_structure',
  'parse_error',
  'reference_not_found',
  'phase_transition_violation',
  'invalid_format',
  'validation_failed',
] as const;

type ErrorType = (typeof errorTypes)[number];

/** How a code of Baton appears in the protocol. */
interface Telling {
  type: ErrorType;
  /** `blocked` where the same request can succeed after another action; `failed` where it has to change. */
  task: 'failed' | 'blocked';
  /** What happened, where the error does not have it in the protocol's words. */
  message: string;
}

/** Every code in the protocol's words: the one place where its types are chosen. */
const tellings = {
  file_not_found: { type: 'file_not_found', task: 'failed', message: 'Plan file not found' },
  invalid_structure: { type: 'invalid_structure', task: 'failed', message: 'Plan file has invalid structure' },
  parse_error: { type: 'parse_error', task: 'failed', message: 'Failed to parse the message' },
  reference_not_found: { type: 'reference_not_found', task: 'failed', message: 'Reference not found' },
  phase_transition_violation: {
    type: 'phase_transition_violation',
    task: 'blocked',
    message: 'The step does not belong to the current phase',
  },
  invalid_format: { type: 'invalid_format', task: 'failed', message: 'Invalid message format' },
  validation_failed: { type: 'validation_failed', task: 'failed', message: 'Validation failed' },
  invalid_input: { type: 'validation_failed', task: 'failed', message: 'Invalid value in the request' },
  path_outside_root: { type: 'validation_failed', task: 'failed', message: 'Path outside of the root' },
  too_large: { type: 'validation_failed', task: 'failed', message: 'A bound would be passed' },
  not_found: { type: 'reference_not_found', task: 'failed', message: 'Not found' },
  conflict: { type: 'validation_failed', task: 'blocked', message: 'A decision is needed' },
  already_claimed: { type: 'validation_failed', task: 'blocked', message: 'Held by somebody else' },
  lease_lost: { type: 'validation_failed', task: 'blocked', message: 'The lease is lost' },
  unavailable: { type: 'validation_failed', task: 'blocked', message: 'Not possible now' },
  unsupported_version: { type: 'validation_failed', task: 'blocked', message: 'The version does not fit' },
  extraction_failed: { type: 'invalid_structure', task: 'failed', message: 'Nothing could be extracted' },
} as const satisfies Record<HandoffErrorCode, Telling>;

/**
 * An error as a message. The text of the plan's own operations is kept verbatim: their message, `details.details`, and
 * all other members of `details`, such as `validation_errors`. Every other error is mapped by the table above,
 * with its own sentence as the details and its code where that is not the type.
 */
export function formatErrorMessage(error: HandoffError, { from }: Correspondence): Record<string, unknown> {
  const { type, task, message } = tellings[error.code];
  const { details, ...further } = error.details;
  const isTold = typeof details === 'string';
  const code = type === error.code ? {} : { code: error.code };
  const head = { from: ANSWERER, to: from, handoff_id: errorHandoffId(type), status: 'failed', task: { status: task } };
  const told = isTold ? { message: error.message, details } : { message, details: error.message };
  const own = { ...head, error: { type, ...told, ...code } };
  const alternatives = error.alternatives.length > 0 ? error.alternatives : [READ_AGAIN];
  return { ...own, ...(isTold ? withoutNames(further, own) : {}), alternatives };
}

/** An error's number is that of its type, so that the same trouble has the same `handoff_id` every time. */
function errorHandoffId(type: ErrorType): string {
  return `error-${String(errorTypes.indexOf(type) + 1).padStart(3, '0')}`;
}

/** The advice for an error that has none of its own. */
const READ_AGAIN = 'Read the plan with read-plan, then send the request again';

function withoutNames(members: Record<string, unknown>, taken: object): Record<string, unknown> {
  return Object.fromEntries(Object.entries(members).filter(([name, value]) => !(name in taken) && value !== undefined));
}
