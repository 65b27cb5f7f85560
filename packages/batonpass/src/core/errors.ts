/**
 * The codes of every expected failure: a closed union, as they are written in messages.
 *
 * - `not_found`: no such handoff, event or draft.
 * - `file_not_found`: a named file or folder does not exist.
 * - `invalid_input`: a value of a request is missing, of the wrong form, or out of its bounds.
 * - `invalid_structure`: a document was read, but lacks what it must have.
 * - `parse_error`: a text could not be read; line and column are given.
 * - `conflict`: the handoff is no longer in the state that the request needs, or a key was used for another input.
 * - `already_claimed`: another receiver holds the lease.
 * - `lease_lost`: the token is not the one of the present lease.
 * - `too_large`: a bound of `core/limits.ts` would be passed.
 * - `path_outside_root`: a path leads out of its permitted folder.
 * - `unavailable`: the store, disk or machine cannot do it now.
 * - `unsupported_version`: the program, the SQLite library or the store's schema does not fit.
 * - `extraction_failed`: a conversation was read, but nothing could be extracted from it.
 * - `phase_transition_violation`: a step of a plan belongs to another phase than the current one.
 * - `reference_not_found`: a reference to change or remove is not in the document.
 * - `invalid_format`: a message or document is not of the form that it claims.
 * - `validation_failed`: the values are each of the right form, but break a rule together.
 */
export const errorCodes = [
  'not_found',
  'file_not_found',
  'invalid_input',
  'invalid_structure',
  'parse_error',
  'conflict',
  'already_claimed',
  'lease_lost',
  'too_large',
  'path_outside_root',
  'unavailable',
  'unsupported_version',
  'extraction_failed',
  'phase_transition_violation',
  'reference_not_found',
  'invalid_format',
  'validation_failed',
] as const;

export type HandoffErrorCode = (typeof errorCodes)[number];

/** What an error has in addition to its message. */
export interface HandoffErrorOptions {
  /** Data about the failure, for programs: never a token, never a secret. */
  details?: Record<string, unknown>;
  /** What the caller can do next, the most likely first. Never a destructive command. */
  alternatives?: readonly string[];
  cause?: unknown;
}

/**
 * The one error class of expected failures: `message` states what happened and to what,
 * `alternatives` what to do next. Numbers (exit codes, HTTP status) are the doors' business.
 */
export class HandoffError extends Error {
  override readonly name: string = 'HandoffError';
  readonly code: HandoffErrorCode;
  readonly details: Record<string, unknown>;
  readonly alternatives: readonly string[];

  constructor(code: HandoffErrorCode, message: string, options: HandoffErrorOptions = {}) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause });
    this.code = code;
    this.details = options.details ?? {};
    this.alternatives = options.alternatives ?? [];
  }
}

/** The fields of a parse error: the place, and those of every error. */
export interface ParseErrorOptions extends HandoffErrorOptions {
  /** The file or stream that was read. */
  source?: string;
  /** First line is 1. */
  line?: number;
  /** First column is 1. */
  column?: number;
}

/** A `parse_error` with the place at which reading stopped. */
export class ParseError extends HandoffError {
  override readonly name = 'ParseError';
  readonly source: string | undefined;
  readonly line: number | undefined;
  readonly column: number | undefined;

  constructor(message: string, options: ParseErrorOptions = {}) {
    const { source, line, column } = options;
    super('parse_error', message, { ...options, details: { source, line, column, ...options.details } });
    this.source = source;
    this.line = line;
    this.column = column;
  }
}

/** Whether an error is one that Baton expects and renders; anything else is a defect. */
export function isHandoffError(error: unknown): error is HandoffError {
  return error instanceof HandoffError;
}
