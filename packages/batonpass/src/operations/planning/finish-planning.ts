import { completeContent } from '../../core/complete-content.ts';
import type { Content, ContentInput } from '../../core/content.ts';
import { HandoffError } from '../../core/errors.ts';
import type { Handoff } from '../../core/handoff.ts';
import { limits } from '../../core/limits.ts';
import type { HeldHandoff, NewHandoff } from '../../core/store.ts';
import { callOf, type OperationContext } from '../context.ts';
import { maskSecretsIn } from '../masked-values.ts';
import { originOf } from '../origin.ts';
import { isSkeleton, type PlannedWork } from './planned-work.ts';
import { type WrittenPlan, writePlanOf } from './write-plan-of.ts';

/** A completed planning: its plan on the disk, and the handoff that continues it. */
export interface FinishedPlanning {
  plan_directory: string;
  /** Where the plan of an earlier attempt is now, if it differed. */
  former_directory?: string;
  /** Of the kind plan; open, or a draft where the project reviews everything. */
  next: Handoff;
  /** The planned one, acknowledged. */
  handoff: Handoff;
}

/**
 * Ends a planning: the plan is written to the disk, and then, in one transaction, the next handoff is added and the
 * planned one acknowledged. Without the lease nothing is written. A crash before the transaction leaves the handoff claimed,
 * and at most a plan that names it: the next attempt writes its own words into that very plan, and never makes a second.
 *
 * @param handoff - as its claim gave it, with the lease's token.
 * @throws HandoffError `lease_lost`; `validation_failed` or `phase_transition_violation` for a plan that contradicts
 * itself, and then nothing was written; `unavailable`, `path_outside_root`.
 */
export async function finishPlanning(
  handoff: Handoff,
  work: PlannedWork,
  context: OperationContext,
): Promise<FinishedPlanning> {
  const held = heldOf(handoff);
  const { tasks, ...placement } = await writePlanOf(handoff, work, {
    context,
    assertLease: () => proveLease(held, context),
  });
  const store = await context.openStore();
  const added = nextHandoff(handoff, { ...work, plan_directory: placement.plan_directory, tasks }, context);
  const [next] = await store.create([added], callOf(context, 'planning.finish'), { acknowledges: held });
  const acknowledged = await store.get(handoff.id);
  if (next === undefined || acknowledged === null) throw new Error('The store answered a create with nothing.');
  return { ...placement, next, handoff: acknowledged };
}

function heldOf({ id, delivery }: Handoff): HeldHandoff {
  const token = delivery.lease?.token;
  if (token !== undefined) return { id, token };
  throw new HandoffError('lease_lost', `Handoff ${id} was given without the token of its lease.`, {
    details: { id },
    alternatives: [`Claim it first: baton claim ${id}`],
  });
}

/** Checking the lease renews it where little of it is left: it is held while the documents are written, too. */
async function proveLease({ id, token }: HeldHandoff, context: OperationContext): Promise<void> {
  const store = await context.openStore();
  const expires_at = (await store.get(id))?.delivery.lease?.expires_at;
  const left_ms = expires_at === undefined ? 0 : Date.parse(expires_at) - context.now();
  const lease_ms = Math.min(Math.max(left_ms, limits.plan_finish_ms), limits.lease_ms_max);
  await store.transition(id, { type: 'renew', token, lease_ms }, callOf(unkeyed(context), 'planning.renew'));
}

/** The caller's key is that of the step which ends the planning: a retry that finds it begins nothing. */
function unkeyed(context: OperationContext): OperationContext {
  return { ...context, idempotency_key: undefined };
}

type HandedPlan = PlannedWork & Pick<WrittenPlan, 'plan_directory' | 'tasks'>;

/** How many tasks the next handoff names; the plan has them all. */
const NEXT_STEPS_MAX = 5;

/**
 * What continues a plan: everything that was handed over to the planner, what was decided while planning, and where
 * the plan is stored. Open at once, or a draft where the project reviews everything.
 */
function nextHandoff({ id, content }: Handoff, given: HandedPlan, context: OperationContext): NewHandoff {
  const work = maskSecretsIn(given);
  const input: ContentInput = {
    kind: 'plan',
    ...wordsOf(work),
    task_id: content.task_id,
    scope: content.scope,
    phase: content.phase,
    origin: originOf(context),
    decisions: [...content.decisions, ...newDecisions(content, work)].slice(0, limits.entries_max),
    files: content.files,
    risks: content.risks,
    tried: content.tried,
    next_steps: nextSteps(work),
    open_questions: content.open_questions,
    references: [...content.references.slice(0, limits.entries_max - 1), planReference(work)],
    payload: {
      plan_directory: work.plan_directory,
      planner: work.planner,
      is_skeleton: isSkeleton(work),
      tasks_total: work.tasks.length,
    },
    parent_id: id,
  };
  const state = context.configuration.review === 'always' ? 'draft' : 'open';
  return { ...completeContent(input, { source_agent: work.planner }), project: context.project, state };
}

function wordsOf(work: PlannedWork): Pick<ContentInput, 'title' | 'summary'> {
  const kind = isSkeleton(work) ? 'Plan skeleton' : 'Plan';
  return {
    title: `${kind}: ${work.plan_content.title}`.slice(0, limits.title_characters_max).toWellFormed(),
    summary: work.summary.trim().slice(0, limits.summary_characters_max).toWellFormed() || work.plan_content.title,
  };
}

function newDecisions({ decisions }: Content, work: PlannedWork): NonNullable<ContentInput['decisions']> {
  const seen = new Set(decisions.map((decision) => comparable(decision.content)));
  return work.decisions
    .filter(({ content }) => seen.size < seen.add(comparable(content)).size)
    .map(({ content }) => ({ content, source: 'ai-extracted' as const }));
}

const comparable = (text: string): string => text.trim().replace(/\s+/g, ' ').toLowerCase();

function nextSteps({ tasks, plan_directory }: HandedPlan): string[] {
  const named = tasks.slice(0, NEXT_STEPS_MAX);
  const left = tasks.length - named.length;
  return left > 0
    ? [...named, `Then ${left} further ${left === 1 ? 'task' : 'tasks'}: ${plan_directory}plan.md`]
    : named;
}

function planReference({ plan_content, plan_directory }: HandedPlan) {
  return { type: 'plan', identifier: plan_directory, title: plan_content.title, path: `${plan_directory}plan.md` };
}
