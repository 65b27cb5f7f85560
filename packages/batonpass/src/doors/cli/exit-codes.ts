import type { HandoffErrorCode } from '../../core/errors.ts';

/** Everything went well. */
export const EXIT_OK = 0;
/** The command ran, and its answer is "no": nothing to claim, or nothing found. */
export const EXIT_NO = 1;
/** A defect in Baton; stderr has the stack. */
export const EXIT_DEFECT = 70;
/** Stopped by Ctrl-C. */
export const EXIT_INTERRUPTED = 130;
/** Stopped by SIGTERM. */
export const EXIT_TERMINATED = 143;

/** The exit code of each expected error: the command line has exit codes only here. */
export const exitCodes = {
  invalid_input: 2,
  not_found: 3,
  file_not_found: 3,
  conflict: 4,
  already_claimed: 4,
  lease_lost: 5,
  parse_error: 6,
  invalid_structure: 6,
  extraction_failed: 6,
  invalid_format: 6,
  validation_failed: 2,
  reference_not_found: 3,
  phase_transition_violation: 4,
  too_large: 7,
  path_outside_root: 8,
  unavailable: 9,
  unsupported_version: 10,
} as const satisfies Record<HandoffErrorCode, number>;
