import type { ToolCall, ToolOutcome } from '../core/conversation.ts';
import { maskSecrets } from '../core/masking.ts';

/** How many secrets were masked, by kind. */
export type SecretCounts = Record<string, number>;

/** Masks a text, and counts what it masked where its maker says. */
export type Mask = (text: string) => string;

/** The beginning of a tool's answer that is kept; whoever needs all of it has the transcript. */
const outcomeCharactersMax = 500;

/** A mask that adds what it finds to these counts. */
export function createMask(counts: SecretCounts): Mask {
  return (text) => {
    const result = maskSecrets(text);
    addCounts(counts, result.found);
    return result.text;
  };
}

/** Adds counts to others. */
export function addCounts(counts: SecretCounts, more: SecretCounts): void {
  for (const [kind, count] of Object.entries(more)) counts[kind] = (counts[kind] ?? 0) + count;
}

/** The call with its command, path and outcome masked. */
export function maskCall(call: ToolCall, mask: Mask): ToolCall {
  const masked = { ...call };
  if (call.command !== undefined) masked.command = copyText(mask(call.command));
  if (call.path !== undefined) masked.path = copyText(mask(call.path));
  if (call.outcome !== undefined) masked.outcome = maskOutcome(call.outcome, mask);
  return masked;
}

/** The outcome masked, not yet cut: half a secret would no longer be known as one. */
export function maskOutcome(outcome: ToolOutcome, mask: Mask): ToolOutcome {
  return { ...outcome, text: mask(outcome.text) };
}

/** The beginning of a masked outcome. */
export function cutOutcome(text: string): string {
  return copyText(text.slice(0, outcomeCharactersMax));
}

/** The text as one of its own: a slice would keep the whole that it is of, as a patch or an answer, in memory. */
function copyText(text: string): string {
  return Buffer.from(text.toWellFormed()).toString();
}
