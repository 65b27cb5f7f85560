import { z } from 'zod';
import { fileDriftSchema } from '../core/drift.ts';
import type { Handoff } from '../core/handoff.ts';
import { limits } from '../core/limits.ts';
import { defineOperation } from '../core/operation.ts';
import { renderSituation } from '../formats/situation.ts';
import { compareFiles } from '../workspace/drift/drift.ts';
import type { OperationContext } from './context.ts';
import { renderForReceiver } from './receiver-text.ts';
import { referenceSchema, resolveHandoff } from './resolve-handoff.ts';

/** The text for a receiver's context: the content's bytes, and separately what is true only now. */
export const renderedContextSchema = z.strictObject({
  /** The rendered content; equal content and budget give equal bytes. */
  text: z.string(),
  sha256: z.string(),
  tokens: z.int(),
  budget: z.int(),
  /** How many items of each section were cut to fit. */
  cut: z.record(z.string(), z.int()),
  /** Age, state and review: true now, not part of what was approved. */
  situation: z.string(),
  /** The state of each file that the content names, in this work tree. */
  drift: z.array(fileDriftSchema),
  /** Whether these are exactly the bytes that a reviewer approved; absent where nobody reviewed it. */
  is_as_approved: z.boolean().optional(),
});

export type RenderedContext = z.infer<typeof renderedContextSchema>;

/**
 * Renders a handoff within a budget; without one, within the approval's, so that the approved bytes come out.
 *
 * @throws HandoffError `too_large` for a planning agent's instructions beyond it.
 */
export function renderHandoff(handoff: Handoff, context: OperationContext, budget?: number): RenderedContext {
  const { approval } = handoff.delivery;
  const { text, sha256, tokens, cut, ...room } = renderForReceiver(handoff.content, {
    budget: budget ?? approval?.budget,
    budget_default: context.configuration.budget,
  });
  // The files of another project are not here, so they cannot be compared.
  const drift = context.confined === 'elsewhere' ? [] : compareFiles(context.workspace, handoff.content.files);
  const situation = renderSituation({ handoff, now_ms: context.now(), drift });
  return {
    text,
    sha256,
    tokens,
    budget: room.budget,
    cut,
    situation,
    drift,
    is_as_approved: approval === undefined ? undefined : approval.rendered_sha256 === sha256,
  };
}

/** Renders the text for a receiver's context. */
export const handoffRender = defineOperation({
  name: 'handoff.render',
  summary: 'Renders a handoff as the text that goes into a receiver’s context, within a budget of tokens.',
  mutates: false,
  doors: { mcp: { tool: 'handoff_read', action: 'render' }, http: { role: 'agent' } },
  input: z.strictObject({ id: referenceSchema, budget: z.int().min(limits.render_tokens_min).optional() }),
  output: async () => renderedContextSchema.extend({ id: z.string() }),
  errors: ['not_found', 'invalid_input', 'too_large', 'unavailable'],
  run: async ({ id, budget }, context: OperationContext) => {
    const handoff = await resolveHandoff(id, context);
    return { id: handoff.id, ...renderHandoff(handoff, context, budget) };
  },
});
