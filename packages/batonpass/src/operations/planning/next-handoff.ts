import { completeContent } from '../../core/complete-content.ts';
import type { Content, ContentInput } from '../../core/content.ts';
import type { Handoff } from '../../core/handoff.ts';
import { limits } from '../../core/limits.ts';
import type { NewHandoff } from '../../core/store.ts';
import type { OperationContext } from '../context.ts';
import { maskSecretsIn } from '../masked-values.ts';
import { originOf } from '../origin.ts';
import { isSkeleton, type PlannedWork } from './planned-work.ts';
import { tasksOf } from './write-plan-of.ts';

/** How many tasks the next handoff names; the plan has them all. */
const NEXT_STEPS_MAX = 5;

/**
 * What continues a plan: everything that was handed over to the planner, what was decided while planning, and where
 * the plan is stored. Open at once, or a draft where the project reviews everything.
 */
export function nextHandoff(
  { id, content }: Handoff,
  given: PlannedWork & { plan_directory: string },
  context: OperationContext,
): NewHandoff {
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
      tasks_total: tasksOf(work.plan_content).length,
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

function nextSteps({ plan_content, plan_directory }: PlannedWork & { plan_directory: string }): string[] {
  const tasks = tasksOf(plan_content);
  const named = tasks.slice(0, NEXT_STEPS_MAX).map(({ id, name }) => `${id}: ${name}`);
  const left = tasks.length - named.length;
  return left > 0
    ? [...named, `Then ${left} further ${left === 1 ? 'task' : 'tasks'}: ${plan_directory}plan.md`]
    : named;
}

function planReference({ plan_content, plan_directory }: PlannedWork & { plan_directory: string }) {
  return { type: 'plan', identifier: plan_directory, title: plan_content.title, path: `${plan_directory}plan.md` };
}
