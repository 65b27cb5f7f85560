import type { Content } from '../core/content.ts';
import { limits } from '../core/limits.ts';
import type { PlanConfiguration } from './documents/config-document.ts';
import { renderLink } from './documents/markdown-link.ts';
import { type PlanContent, type PlanContentTask, phaseSets } from './documents/plan-content.ts';
import { type ReferenceType, referenceTypes } from './documents/reference-groups.ts';
import type { ReferenceChange } from './documents/references-changes.ts';

/** The documents of a plan, as requests to write them. */
export interface PlanDraft {
  plan_content: PlanContent & { title: string };
  configuration: Partial<PlanConfiguration>;
  references: ReferenceChange[];
}

/**
 * A simple plan that goes on from a handoff: its decisions are confirmed first, its next steps are the tasks, its open
 * questions and risks are looked after before the end. Files and references become references.
 *
 * @param branch - the branch that is worked on where the content does not say it.
 */
export function planFromContent(content: Content, branch: string): PlanDraft {
  const { title, origin } = content;
  const [init, execute, finalize] = phaseSets.simple;
  const steps = content.next_steps.length > 0 ? content.next_steps : [content.summary];
  const tasks: PlanContentTask[] = [
    {
      name: 'Take the work over',
      phase: init,
      goal: content.summary,
      acceptance_criteria: content.decisions.map((decision) => decision.content),
      checklist: ['Read the summary and the decisions', ...content.open_questions.map((text) => `Answer: ${text}`)],
    },
    ...steps.map((step) => ({ name: oneLine(step), phase: execute, goal: step, checklist: [oneLine(step)] })),
    {
      name: 'Finish',
      phase: finalize,
      goal: 'The work is complete, and its risks are looked after',
      checklist: ['Check the result', ...content.risks.map(({ description }) => `Look after: ${description}`)],
    },
  ];
  return {
    plan_content: { title, phases: phaseSets.simple, tasks: tasks.slice(0, limits.entries_max) },
    configuration: configurationOf(content, origin?.branch ?? branch),
    references: referencesOf(content),
  };
}

function configurationOf({ references }: Content, branch: string): Partial<PlanConfiguration> {
  const issue = references.find(({ type }) => type === 'issue');
  const name = issue === undefined ? 'none' : [issue.identifier, issue.title].filter(Boolean).join(' - ');
  const isShared = ['main', 'master'].includes(branch);
  return {
    plan_type: 'simple',
    finalizing: isShared ? 'commit-only' : 'pr-workflow',
    branch,
    issue: issue?.url === undefined ? name : renderLink(name, issue.url),
  };
}

function referencesOf({ files, references }: Content): ReferenceChange[] {
  const add = 'add' as const;
  const changes: ReferenceChange[] = [
    ...files.map(({ path, context }) => ({
      action: add,
      type: 'file' as const,
      identifier: path,
      ...(context !== '' && { title: oneLine(context) }),
    })),
    ...references
      .filter(({ type }) => type !== 'issue')
      .map(({ type, identifier, title, path, url }) => ({
        action: add,
        type: referenceTypes.includes(type as ReferenceType) ? (type as ReferenceType) : ('external' as const),
        identifier,
        ...(title !== undefined && { title }),
        ...((path ?? url) !== undefined && { path: path ?? url }),
      })),
  ];
  // The first of two that name one thing: references.md has each once.
  const seen = new Set<string>();
  return changes.filter(({ type, identifier }) => seen.size < seen.add(`${type} ${identifier}`).size);
}

/** The beginning of a text, short enough for a heading. */
function oneLine(text: string): string {
  const [line = ''] = text.trim().split('\n');
  const { title_characters_max } = limits;
  return line.length > title_characters_max ? `${line.slice(0, title_characters_max - 1)}…` : line;
}
