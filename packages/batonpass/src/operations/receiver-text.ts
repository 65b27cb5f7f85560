import { sha256Hex } from '../core/canonical-json.ts';
import type { Content } from '../core/content.ts';
import { HandoffError } from '../core/errors.ts';
import { limits } from '../core/limits.ts';
import { planAgentName } from '../draft/plan-agent-name.ts';
import { type RenderedContent, renderContent } from '../formats/prompt.ts';
import { estimateTokens } from '../formats/token-estimate.ts';
import { renderPlanPrompt } from '../planning/render-plan-prompt.ts';

/** The text that a receiver reads of a content, and its budget in tokens. */
export interface ReceiverText extends RenderedContent {
  budget: number;
}

/** How a content's budget in tokens is chosen. */
export interface Room {
  /** The budget that the caller asked for, or that an approval is bound to. */
  budget?: number | undefined;
  /** For a receiver that takes what fits, without another budget. */
  budget_default: number;
}

/** Whether a content is for the planning agent, which gets all of it. */
export function isForPlanning({ target_agent }: Content): boolean {
  return target_agent === planAgentName;
}

/**
 * Renders a content for its receiver: what a reviewer approves, a claim returns and a hook injects are
 * the bytes of this one function. The planning agent gets its instructions whole, by default up to
 * `limits.plan_prompt_tokens_max`; every other receiver gets what fits its budget, with the cuts counted and named.
 *
 * @throws HandoffError `too_large` for a plan's instructions beyond their budget, which are never cut; `invalid_input` for
 * a budget below `limits.render_tokens_min`.
 */
export function renderForReceiver(content: Content, { budget, budget_default }: Room): ReceiverText {
  if (isForPlanning(content)) return renderWhole(content, budget ?? limits.plan_prompt_tokens_max);
  const tokens = budget ?? budget_default;
  return { ...renderContent(content, tokens), budget: tokens };
}

/** The text that a reviewer was shown, and how to get the present one. */
export interface Reviewed {
  /** The beginning of a sentence, as `Draft ID`. */
  what: string;
  advice: string;
}

/**
 * Refuses to bind an approval to a text that differs from the one that was shown.
 *
 * @param shown_sha256 - absent where the caller does not give the hash of what was shown.
 * @throws HandoffError `conflict`
 */
export function assertTextReviewed(
  { sha256 }: RenderedContent,
  shown_sha256: string | undefined,
  { what, advice }: Reviewed,
): void {
  if (shown_sha256 === undefined || shown_sha256 === sha256) return;
  throw new HandoffError('conflict', `${what} differs from the text that its reviewer saw.`, {
    details: { rendered_sha256: sha256, shown_sha256 },
    alternatives: [advice],
  });
}

function renderWhole(content: Content, budget: number): ReceiverText {
  const text = renderPlanPrompt(content);
  const tokens = estimateTokens(text);
  if (tokens > budget) throw tooLarge(tokens, budget);
  return { text, tokens, cut: {}, sha256: sha256Hex(text), budget };
}

function tooLarge(tokens: number, budget: number): HandoffError {
  return new HandoffError(
    'too_large',
    `The instructions of the planning agent have an estimated ${tokens} tokens; the maximum is ${budget}, and they are not cut.`,
    {
      details: { tokens, tokens_max: budget },
      alternatives: [
        'Remove or shorten what the plan does not need: the body, results, context of files.',
        'Write the large part to a file of the project, and name it among the files.',
        `If the planning model can read more: --budget ${Math.ceil(tokens / 1_000) * 1_000}`,
      ],
    },
  );
}
