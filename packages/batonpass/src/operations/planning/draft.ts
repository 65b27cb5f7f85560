import { z } from 'zod';
import type { Actor } from '../../core/actor.ts';
import { type CompletedContent, completeContent } from '../../core/complete-content.ts';
import { contentInputSchema } from '../../core/content.ts';
import { HandoffError, isHandoffError } from '../../core/errors.ts';
import type { Handoff } from '../../core/handoff.ts';
import { limits } from '../../core/limits.ts';
import { defineOperation } from '../../core/operation.ts';
import type { HandoffSnapshot } from '../../draft/handoff-draft.ts';
import { planAgentName } from '../../draft/plan-agent-name.ts';
import { freezeSnapshot, snapshotToContent } from '../../draft/snapshot.ts';
import { planFromContent } from '../../plan-files/plan-from-content.ts';
import { showPlanFolder } from '../../plan-files/plan-place.ts';
import { callOf, type OperationContext } from '../context.ts';
import { withFileFacts } from '../file-facts.ts';
import { maskSecretsIn } from '../masked-values.ts';
import { originOf } from '../origin.ts';
import { handoffOutput } from '../output-schemas.ts';
import { nameField, placeOf } from '../plan/plan-fields.ts';
import { assertTextReviewed, renderForReceiver } from '../receiver-text.ts';
import { referenceSchema, resolveHandoff, tokenSchema } from '../resolve-handoff.ts';
import { findFinished } from './find-finished.ts';
import { finishPlanning } from './finish-planning.ts';
import { type PlannedWork, skeletonPlanner } from './planned-work.ts';
import { planningRun } from './run.ts';
import { snapshotSchema } from './snapshot-schema.ts';
import { planTextsOf } from './write-plan-of.ts';

/** A plan without a model: what the rules can make of decisions, files and risks; every view labels it as such. */
export const planningDraft = defineOperation({
  name: 'planning.draft',
  summary: 'Creates a plan skeleton from a handoff by rules, without a model, and hands it over.',
  mutates: true,
  doors: { http: { role: 'agent', folder: true } },
  input: z.strictObject({
    id: referenceSchema.optional().describe('Default: the oldest that waits for the planning agent'),
    token: tokenSchema.optional().describe('If you hold it: the token from the claim'),
    plan_name: nameField.max(limits.task_name_characters_max).optional().describe('Default: from its title'),
    dry_run: z.boolean().optional().describe('Return the documents and change nothing'),
  }),
  output: async () =>
    z.strictObject({
      outcome: z.enum(['created', 'already-planned', 'shown']),
      plan_directory: z.string(),
      former_directory: z.string().optional(),
      /** The whole documents, of a dry run. */
      documents: z
        .strictObject({ 'config.md': z.string(), 'references.md': z.string(), 'plan.md': z.string() })
        .optional(),
      handoff: await handoffOutput(),
      next: (await handoffOutput()).optional(),
    }),
  errors: planningRun.errors,
  run: async ({ id, token, plan_name, dry_run }, context: OperationContext) => {
    const source = await findPlannable(id, context);
    const finished = await findFinished(source, context);
    if (finished !== undefined) return { outcome: 'already-planned' as const, ...finished };
    const work = skeletonOf(source, plan_name, context);
    if (dry_run === true) return show(source, work, context);
    const { handoff, acting, release } = await takeForPlanning(source, token, context);
    try {
      return { outcome: 'created' as const, ...(await finishPlanning(handoff, work, acting)) };
    } catch (error) {
      await release(error);
      throw error;
    }
  },
});

function skeletonOf({ id, content }: Handoff, plan_name: string | undefined, context: OperationContext): PlannedWork {
  const { plan_content } = planFromContent(content, originOf(context).branch ?? 'main');
  const tasks = plan_content.tasks?.length ?? 0;
  const summary = `A skeleton of a plan, made by rules from handoff ${id}, without a model: ${tasks} tasks from its decisions, next steps and risks. Nobody has thought it through yet; refine the tasks before you work from them.\n\nWhat it plans: ${content.summary}`;
  return { plan_content, decisions: [], summary, planner: skeletonPlanner, ...(plan_name && { plan_name }) };
}

function show(handoff: Handoff, work: PlannedWork, context: OperationContext) {
  const { name, texts } = planTextsOf(handoff, work, context);
  const plan_directory = showPlanFolder(placeOf(context), name);
  return { outcome: 'shown' as const, plan_directory, documents: texts, handoff };
}

/** A handoff that is held for its planning. */
interface TakenHandoff {
  /** With the token of its lease. */
  handoff: Handoff;
  /** The context in which its lease is used: a claim in the planning agent's name is ended in that name. */
  acting: OperationContext;
  /** Gives it back, where it was claimed here and the planning failed. */
  release: (error: unknown) => Promise<void>;
}

/**
 * The handoff to plan: the named one, or the oldest that waits for the planning agent.
 *
 * @throws HandoffError `not_found` where none is named and none waits.
 */
async function findPlannable(id: string | undefined, context: OperationContext): Promise<Handoff> {
  if (id !== undefined) return resolveHandoff(id, context);
  const { project } = context;
  const filter = { project, state: ['open' as const], target_agent: planAgentName };
  const { handoffs } = await (await context.openStore()).list({ filter, first: 'oldest', limit: 1 });
  const [oldest] = handoffs;
  if (oldest !== undefined) return oldest;
  throw new HandoffError('not_found', `No handoff waits for the planning agent in ${project}.`, {
    details: { project, target_agent: planAgentName },
    alternatives: [
      'Name the one to plan: baton plan draft ID',
      `Address one to it: baton create --for ${planAgentName} --summary "…" --decision "…"`,
    ],
  });
}

/**
 * Claims the handoff under a short lease, or continues with the caller's own. A handoff that is addressed to the planning
 * agent is claimed in its name.
 *
 * @throws HandoffError `conflict`, `already_claimed`.
 */
async function takeForPlanning(
  source: Handoff,
  token: string | undefined,
  context: OperationContext,
): Promise<TakenHandoff> {
  if (token !== undefined) {
    return { handoff: withToken(source, token, context), acting: context, release: async () => {} };
  }
  const store = await context.openStore();
  const isForAgent = source.content.target_agent === planAgentName;
  const actor: Actor = isForAgent ? { name: planAgentName, type: 'agent' } : context.actor;
  const request = { project: context.project, id: source.id, lease_ms: limits.plan_finish_ms, max: 1 };
  const acting = { ...context, actor };
  const call = callOf(acting, 'planning.claim');
  const [handoff] = (await store.claim(request, call)).handoffs;
  if (handoff === undefined) throw new Error('The store answered a claim of a named handoff with nothing.');
  const release = async (error: unknown) => {
    const reason = `The planning failed: ${error instanceof Error ? error.message : String(error)}`;
    const step = { type: 'release' as const, token: handoff.delivery.lease?.token, reason };
    try {
      await store.transition(handoff.id, step, { ...call, operation: 'planning.release', idempotency_key: undefined });
    } catch (failure) {
      // Another caller holds it by now, or it lapses by itself within the minute: the first error is the one to report.
      if (!isHandoffError(failure)) throw failure;
    }
  };
  return { handoff, acting, release };
}

function withToken(source: Handoff, token: string, { actor }: OperationContext): Handoff {
  const { delivery } = source;
  // Where nobody holds it any more, the store refuses this token with the reason.
  const lease = delivery.lease ?? { holder: actor.name, holder_type: actor.type, fence: delivery.fence };
  return { ...source, delivery: { ...delivery, lease: { ...lease, token } } };
}

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
      advice: 'Remove from the draft the secrets that are masked here, freeze it again, and review that text.',
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
