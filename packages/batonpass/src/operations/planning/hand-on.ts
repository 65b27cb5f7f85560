import { z } from 'zod';
import { type CompletedContent, completeContent } from '../../core/complete-content.ts';
import { contentInputSchema } from '../../core/content.ts';
import { HandoffError } from '../../core/errors.ts';
import { limits } from '../../core/limits.ts';
import { defineOperation } from '../../core/operation.ts';
import type { HandoffSnapshot } from '../../draft/handoff-draft.ts';
import { freezeSnapshot, snapshotToContent } from '../../draft/snapshot.ts';
import { callOf, type OperationContext } from '../context.ts';
import { withFileFacts } from '../file-facts.ts';
import { maskSecretsIn } from '../masked-values.ts';
import { originOf } from '../origin.ts';
import { handoffOutput } from '../output-schemas.ts';
import { assertTextReviewed, renderForReceiver } from '../receiver-text.ts';
import { referenceSchema, resolveHandoff } from '../resolve-handoff.ts';
import { snapshotSchema } from './snapshot-schema.ts';

const { title, task_id } = contentInputSchema.shape;
const sha256 = z.string().length(64);

/**
 * Hands a frozen snapshot to the planning agent. Draft and approval are one transaction: after a crash there is an open,
 * approved handoff or none, and the same idempotency key completes the one or answers with the other.
 */
export const planningHandOn = defineOperation({
  name: 'planning.hand-on',
  summary: 'Hands the frozen snapshot of a brainstorm to the planning agent, approved by the caller.',
  mutates: true,
  doors: { http: { role: 'reviewer' } },
  input: z.strictObject({
    snapshot: snapshotSchema.describe('Decisions, files, risks and summary, as they were frozen'),
    snapshot_sha256: sha256.optional().describe('What was frozen; default: what is given'),
    rendered_sha256: sha256.optional().describe('The text that was reviewed; default: what the planning agent gets'),
    title,
    task_id,
    budget: z.int().min(limits.render_tokens_min).optional().describe('Tokens that the planning model reads'),
    supersedes_id: referenceSchema.optional().describe('The handoff of an earlier snapshot, which this one replaces'),
  }),
  output: handoffOutput,
  errors: ['not_found', 'invalid_input', 'conflict', 'already_claimed', 'too_large', 'unavailable'],
  run: async (
    { snapshot, snapshot_sha256, rendered_sha256, budget, supersedes_id, ...given },
    context: OperationContext,
  ) => {
    assertFrozen(snapshot, snapshot_sha256);
    const earlier = supersedes_id === undefined ? undefined : await resolveHandoff(supersedes_id, context);
    const completed = toContent(snapshot, { ...given, supersedes_id: earlier?.id }, context);
    const rendered = renderForReceiver(completed.content, { budget, budget_default: context.configuration.budget });
    assertTextReviewed(rendered, rendered_sha256, {
      what: 'The snapshot',
      advice: 'Take secrets out of the draft, which are masked here, freeze it again, and review that text.',
    });
    const approval = { rendered_sha256: rendered.sha256, budget: rendered.budget };
    const [handoff] = await (await context.openStore()).create(
      [{ ...completed, project: context.project, state: 'draft', approval }],
      callOf(context, 'planning.hand-on'),
    );
    if (handoff === undefined) throw new Error('The store answered a create with nothing.');
    return handoff;
  },
});

/** @throws HandoffError `invalid_input` where nothing was decided, `conflict` where it is not what was frozen. */
function assertFrozen(snapshot: HandoffSnapshot, snapshot_sha256: string | undefined): void {
  if (snapshot.decisions.length === 0) {
    throw new HandoffError('invalid_input', 'The snapshot holds no decision: there is nothing to plan yet.', {
      alternatives: ['Pin a decision in the brainstorm, or add one to the draft, and freeze it again.'],
    });
  }
  const { sha256: present_sha256 } = freezeSnapshot(snapshot);
  if (snapshot_sha256 === undefined || snapshot_sha256 === present_sha256) return;
  throw new HandoffError('conflict', 'The snapshot is not the one that was frozen.', {
    details: { snapshot_sha256: present_sha256, frozen_sha256: snapshot_sha256 },
    alternatives: ['Freeze the draft again, and hand on what that gives.'],
  });
}

interface Addition {
  title?: string | undefined;
  task_id?: string | undefined;
  supersedes_id: string | undefined;
}

function toContent(snapshot: HandoffSnapshot, addition: Addition, context: OperationContext): CompletedContent {
  const content = snapshotToContent(maskSecretsIn(snapshot), { ...maskSecretsIn(addition), origin: originOf(context) });
  return completeContent(withFileFacts(content, context), { source_agent: context.actor.name });
}
