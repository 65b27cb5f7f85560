import { type CallToolResult, ProtocolError } from '@modelcontextprotocol/server';
import { type HandoffError, type HandoffErrorCode, isHandoffError } from '../../core/errors.ts';
import { showHiddenIn } from '../../core/shown-values.ts';
import { adviseByTools, withCalls } from './advice.ts';

const INVALID_PARAMS = -32602;
const INTERNAL_ERROR = -32603;

/**
 * The JSON-RPC code of each expected error where the protocol has no other form for one: reading a resource, asking
 * for a prompt. Tools answer every code alike, as a result that the model reads.
 */
const protocolCodes = {
  not_found: INVALID_PARAMS,
  file_not_found: INVALID_PARAMS,
  invalid_input: INVALID_PARAMS,
  invalid_structure: INVALID_PARAMS,
  parse_error: INVALID_PARAMS,
  too_large: INVALID_PARAMS,
  path_outside_root: INVALID_PARAMS,
  phase_transition_violation: INVALID_PARAMS,
  reference_not_found: INVALID_PARAMS,
  invalid_format: INVALID_PARAMS,
  validation_failed: INVALID_PARAMS,
  conflict: INTERNAL_ERROR,
  already_claimed: INTERNAL_ERROR,
  lease_lost: INTERNAL_ERROR,
  unavailable: INTERNAL_ERROR,
  unsupported_version: INTERNAL_ERROR,
  extraction_failed: INTERNAL_ERROR,
} as const satisfies Record<HandoffErrorCode, number>;

/** Where a defect's stack goes: the server's log, never the client. */
export type DefectLog = (error: unknown) => void;

/** A value as a tool's result: structured, and the same as JSON text. */
export function toToolResult(value: object): CallToolResult {
  const text = toJsonText(value);
  return { content: [{ type: 'text', text }], structuredContent: JSON.parse(text) as Record<string, unknown> };
}

/** JSON of a value as every door answers it. */
export function toJsonText(value: unknown): string {
  return JSON.stringify(showHiddenIn(value));
}

/**
 * An error as a tool's result: an expected one with all its facts, a defect without its internals.
 *
 * @param read_as - what was corrected in the call.
 */
export function toErrorResult(error: unknown, logDefect: DefectLog, read_as: readonly string[] = []): CallToolResult {
  const described = { error: describe(error, logDefect), ...(read_as.length === 0 ? {} : { read_as }) };
  return { ...toToolResult(described), isError: true };
}

/** An error of a resource or a prompt, in the protocol's form, with the same facts as data. */
export function toProtocolError(error: unknown, logDefect: DefectLog): ProtocolError {
  const described = showHiddenIn(describe(error, logDefect));
  const code = isHandoffError(error) ? protocolCodes[error.code] : INTERNAL_ERROR;
  return new ProtocolError(code, described.message, described);
}

function describe(error: unknown, logDefect: DefectLog) {
  if (isHandoffError(error)) return toPlain(error);
  logDefect(error);
  return {
    code: 'internal_error',
    message: 'This is a defect in Baton, not in what you did; its details are in the log of the server.',
    details: {},
    alternatives: ['Go on without this call, and tell your user of it.'],
  };
}

function toPlain({ code, message, details, alternatives }: HandoffError) {
  const advised = [...new Set(alternatives.map(adviseByTools))];
  return { code, message: withCalls(message), details, alternatives: advised };
}
