import { z } from 'zod';
import { HandoffError } from '../core/errors.ts';
import type { Handoff } from '../core/handoff.ts';
import { limits } from '../core/limits.ts';
import { defineOperation } from '../core/operation.ts';
import { callOf, type OperationContext } from './context.ts';
import { handoffOutput } from './output-schemas.ts';
import { assertTextReviewed, renderForReceiver } from './receiver-text.ts';
import { referenceSchema, resolveHandoff } from './resolve-handoff.ts';

const sha256 = z.string().length(64);

/** Opens a draft. The approval is bound to one content and to exactly the bytes that a receiver will get. */
export const handoffApprove = defineOperation({
  name: 'handoff.approve',
  summary: 'Approves a draft and opens it for receivers, bound to exactly the content that was reviewed.',
  mutates: true,
  doors: { http: { role: 'reviewer' } },
  input: z.strictObject({
    id: referenceSchema,
    content_sha256: sha256.optional().describe('The content that was reviewed; default: the current one'),
    rendered_sha256: sha256.optional().describe('The text that was reviewed; default: what a receiver gets'),
    budget: z.int().min(limits.render_tokens_min).optional().describe('Tokens of the rendered context'),
  }),
  output: handoffOutput,
  errors: ['not_found', 'invalid_input', 'conflict', 'already_claimed', 'too_large', 'unavailable'],
  run: async ({ id, content_sha256, rendered_sha256, budget }, context: OperationContext) => {
    const draft = await resolveHandoff(id, context);
    if (content_sha256 !== undefined && content_sha256 !== draft.content_sha256)
      throw changedMeanwhile(draft, content_sha256);
    const rendered = renderForReceiver(draft.content, { budget, budget_default: context.configuration.budget });
    assertTextReviewed(rendered, rendered_sha256, {
      what: `Draft ${draft.id}`,
      advice: `Review the text that a receiver gets now, then approve it: baton render ${draft.id}`,
    });
    const step = {
      type: 'approve' as const,
      content_sha256: draft.content_sha256,
      rendered_sha256: rendered.sha256,
      budget: rendered.budget,
    };
    return (await context.openStore()).transition(draft.id, step, callOf(context, 'handoff.approve'));
  },
});

/** Refused before anything is rendered: the bytes of one content must never be bound to another. */
function changedMeanwhile({ id, content_sha256 }: Handoff, reviewed: string): HandoffError {
  return new HandoffError('conflict', `Draft ${id} is not the content that was reviewed.`, {
    details: { id, content_sha256, reviewed_sha256: reviewed },
    alternatives: [`Review the current content, then approve it: baton show ${id}`],
  });
}
