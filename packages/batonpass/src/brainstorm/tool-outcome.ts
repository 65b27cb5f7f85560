import type { ToolCall } from '../core/conversation.ts';

/** Whether a call is known to have failed. */
export function hasFailed({ outcome }: Pick<ToolCall, 'outcome'>): boolean {
  return outcome !== undefined && (outcome.is_error || (outcome.exit_code ?? 0) !== 0);
}
