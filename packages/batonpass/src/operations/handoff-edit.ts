import { z } from 'zod';
import { completeContent } from '../core/complete-content.ts';
import { type ContentInput, contentInputSchema } from '../core/content.ts';
import { HandoffError } from '../core/errors.ts';
import type { Handoff } from '../core/handoff.ts';
import { assertVersion } from '../core/lifecycle-guards.ts';
import { limits } from '../core/limits.ts';
import { defineOperation } from '../core/operation.ts';
import { withoutEmptySummary } from '../draft/snapshot.ts';
import { callOf, type OperationContext } from './context.ts';
import { applyChanges, type Changes, changesSchema, findWords, followItems, formerWords } from './draft-changes.ts';
import { withFileFacts } from './file-facts.ts';
import { maskSecretsIn } from './masked-values.ts';
import { handoffOutput } from './output-schemas.ts';
import { assertOwnWords, withOwnMarks } from './own-name.ts';
import { assertTextReviewed, renderForReceiver } from './receiver-text.ts';
import { referenceSchema, resolveHandoff } from './resolve-handoff.ts';

/** Changes a draft; an open handoff never changes, it is superseded. */
export const handoffEdit = defineOperation({
  name: 'handoff.edit',
  summary: 'Changes a draft: rewords, removes or adds items, or replaces the whole content.',
  mutates: true,
  doors: { http: { role: 'reviewer' } },
  input: z.strictObject({
    id: referenceSchema,
    /** Replaces the content, except its origin. */
    content: contentInputSchema.optional(),
    changes: changesSchema.optional(),
    if_version: z.int().min(1).optional().describe('The version that was seen; a different one is a conflict'),
  }),
  output: async () =>
    (await handoffOutput()).extend({
      /** Where words of removed and reworded items still are; absent where they are nowhere. */
      words_remain_in: z.array(z.string()).optional(),
    }),
  errors: ['not_found', 'invalid_input', 'too_large', 'conflict', 'unavailable'],
  run: async ({ id, content, changes, if_version }, context: OperationContext) => {
    assertSomething(content, changes);
    const store = await context.openStore();
    const call = callOf(context, 'handoff.edit');
    // Checked first, because a retry finds the draft changed by the very edit that it repeats.
    const earlier = await store.recall(call);
    if (earlier !== undefined) return earlier as Handoff;
    const draft = await resolveHandoff(id, context);
    // Before the changes: they name items of the version that was seen, which the present version may not have.
    assertVersion(draft, if_version);
    const { source_agent, origin } = draft.content;
    const by = context.actor.type === 'person' ? 'user-edited' : 'ai-extracted';
    const base = content === undefined ? draft.content : maskSecretsIn(content as ContentInput);
    const wanted = maskSecretsIn(changes ?? {});
    const followed = followItems(draft.content, applyChanges(base, wanted, by), wanted);
    assertOwnWords(followed, context, draft.content);
    const applied = withOwnMarks(followed, context, draft.content);
    const isWorded =
      changes?.summary !== undefined || (content?.summary ?? draft.content.summary) !== draft.content.summary;
    const worded = isWorded ? withoutEmptySummary(applied) : applied;
    const changed = withFileFacts(worded, context, draft.content.files);
    // An edit does not change the origin.
    const edited = completeContent({ ...changed, source_agent, origin }, { source_agent, decision_source: by });
    const step = { type: 'edit' as const, ...edited, if_version: if_version ?? draft.delivery.version };
    const handoff = await store.transition(draft.id, step, call);
    const words_remain_in = findWords(handoff.content, formerWords(draft.content, wanted));
    return words_remain_in.length === 0 ? handoff : { ...handoff, words_remain_in };
  },
});

function assertSomething(content: unknown, changes: Changes | undefined): void {
  const { add, ...others } = changes ?? {};
  const given = [content, ...Object.values(add ?? {}), ...Object.values(others)];
  if (given.some((value) => value !== undefined)) return;
  throw new HandoffError('invalid_input', 'The edit changes nothing.', {
    alternatives: [
      'Say what to change: baton edit ID --remove d3 --reword "d1=…" --next "…"',
      'See the items: baton show ID',
    ],
  });
}

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
