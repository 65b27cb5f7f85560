import type { Content } from '../core/content.ts';
import { isImplied } from '../core/implied.ts';
import { limits } from '../core/limits.ts';
import type { PlanConfiguration } from './documents/config-document.ts';
import { inlineValue } from './documents/inline-value.ts';
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
 * A simple plan that continues a handoff: first come its open questions, then its next steps as tasks, or without any its
 * decisions; before the end each risk is handled, the gravest first, and the result is checked against every decision.
 * Files and references become references.
 *
 * @param branch - the working branch, where the content has none.
 */
export function planFromContent(content: Content, branch: string): PlanDraft {
  const { title, origin } = content;
  const tasks = [takeOver(content), ...executing(content), ...verifying(content)];
  return {
    // Two steps can be worded alike: their ids distinguish them.
    plan_content: {
      title,
      phases: phaseSets.simple,
      tasks: withinBounds(tasks).map((task, index) => ({ id: `task-${index + 1}`, ...task })),
    },
    configuration: configurationOf(content, origin?.branch ?? branch),
    references: referencesOf(content),
  };
}

const [init, execute, finalize] = phaseSets.simple;

/** What was only implied is no decision yet: a person confirms it before the work relies on it. */
function takeOver({ summary, decisions, open_questions, tried }: Content): PlanContentTask {
  const checklist = [
    'Read the summary and the decisions',
    ...open_questions.map((text) => `Answer: ${text}`),
    ...decisions.filter(isImplied).map(({ content }) => `Confirm what was only implied: ${content}`),
    ...tried.map(({ what, outcome }) => `Know what was tried: ${what} → ${outcome}`),
  ];
  return { name: 'Take the work over', phase: init, goal: summary, checklist };
}

function executing({ next_steps, decisions, summary }: Content): PlanContentTask[] {
  const settled = decisions.filter((decision) => !isImplied(decision)).map(({ content }) => content);
  if (next_steps.length === 0 && settled.length > 0) {
    return settled.map((text) => ({ ...stepTask(text), acceptance_criteria: [text] }));
  }
  return (next_steps.length > 0 ? next_steps : [summary]).map(stepTask);
}

function stepTask(step: string): PlanContentTask {
  return { name: oneLine(step), phase: execute, goal: step, checklist: [oneLine(step)] };
}

const severities = ['high', 'medium', 'low'] as const;

function verifying({ risks, decisions }: Content): PlanContentTask[] {
  const gravest = risks.toSorted((a, b) => severities.indexOf(a.severity) - severities.indexOf(b.severity));
  return [
    ...gravest.map(({ description, severity }) => ({
      name: `Look after: ${oneLine(description)}`,
      phase: finalize,
      goal: `A risk of ${severity} severity: ${description}`,
      checklist: ['Find out whether it can happen', 'Deal with it, or write down why it is accepted'],
    })),
    {
      name: 'Finish',
      phase: finalize,
      goal: 'The work is complete and does what was decided',
      acceptance_criteria: decisions.map(({ content }) => content),
      checklist: ['Check the result against each decision'],
    },
  ];
}

/** The last task checks the whole result: it stays when others are dropped. */
function withinBounds(tasks: readonly PlanContentTask[]): PlanContentTask[] {
  const { entries_max } = limits;
  return tasks.length <= entries_max ? [...tasks] : [...tasks.slice(0, entries_max - 1), ...tasks.slice(-1)];
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
  // The first of two that name one thing, as the document spells it: references.md has each once.
  const seen = new Set<string>();
  const nameOf = ({ type, identifier, path = identifier }: ReferenceChange) =>
    `${type} ${inlineValue(type === 'file' ? path : identifier)}`;
  return changes.filter((change) => seen.size < seen.add(nameOf(change)).size);
}

/** The beginning of a text, short enough for a heading. */
function oneLine(text: string): string {
  const [line = ''] = text.trim().split('\n');
  const { title_characters_max } = limits;
  return line.length > title_characters_max ? `${line.slice(0, title_characters_max - 1)}…` : line;
}
