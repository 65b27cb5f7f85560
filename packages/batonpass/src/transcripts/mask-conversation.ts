import type { TodoChange, ToolCall, ToolOutcome } from '../core/conversation.ts';
import { cutBeforeReports } from '../core/git-reports.ts';
import { maskReply } from '../core/masking.ts';
import { ownText } from '../core/own-text.ts';

/** How many secrets were masked, by kind. */
export type SecretCounts = Record<string, number>;

/** Masks a text, and counts its masks in the place that its creator chose. */
export type Mask = (text: string) => string;

/** The beginning of a tool's answer to a call that failed: it has the reason. */
const failureCharactersMax = 500;
const failureEndCharactersMax = 300;

/** The beginning of any other answer. A long session has a hundred thousand of them. */
const answerCharactersMax = 120;

/** Paths and names of tools repeat: so many of them are one text each. Beyond it the table is emptied. */
const sharedMax = 10_000;
const sharedCharactersMax = 300;
const shared = new Map<string, string>();

/**
 * A mask that adds what it finds to these counts.
 *
 * @param question - what the text answers. Default: nothing.
 */
export function createMask(counts: SecretCounts, question = ''): Mask {
  return (text) => {
    const result = maskReply(question, text);
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
  const masked = { ...call, name: shareText(call.name) };
  if (call.command !== undefined) masked.command = ownText(mask(call.command));
  if (call.cwd !== undefined) masked.cwd = shareText(mask(call.cwd));
  if (call.path !== undefined) masked.path = shareText(mask(call.path));
  if (call.outcome !== undefined) masked.outcome = maskOutcome(call.outcome, mask);
  if (call.todos !== undefined) masked.todos = maskTodos(call.todos, mask);
  return masked;
}

function maskTodos({ items, replaces }: TodoChange, mask: Mask): TodoChange {
  return {
    items: items.map((item) => (item.text === undefined ? item : { ...item, text: ownText(mask(item.text)) })),
    replaces,
  };
}

/** The outcome masked, not yet cut: half a secret would no longer be recognized as one. */
export function maskOutcome(outcome: ToolOutcome, mask: Mask): ToolOutcome {
  return { ...outcome, text: mask(outcome.text) };
}

/** The beginning of a masked outcome's text, and git's reports: of a failure more, since a reader may need it. */
export function cutOutcome({ is_error, exit_code = 0, text }: ToolOutcome): string {
  const isFailure = is_error || exit_code !== 0;
  const head = cutBeforeReports(text, isFailure ? failureCharactersMax : answerCharactersMax);
  const end =
    isFailure && text.length > head.length + failureEndCharactersMax
      ? `\n…\n${text.slice(-failureEndCharactersMax)}`
      : '';
  return ownText(`${head}${end}`.toWellFormed());
}

/** The beginning of what a helper agent reported at its end, masked. */
export function cutReport(text: string): string {
  return ownText(text.slice(0, failureCharactersMax).toWellFormed());
}

/** The text as the one that equal texts share. */
function shareText(text: string): string {
  if (text.length > sharedCharactersMax) return ownText(text);
  const known = shared.get(text);
  if (known !== undefined) return known;
  if (shared.size >= sharedMax) shared.clear();
  const copy = ownText(text);
  shared.set(copy, copy);
  return copy;
}
