import { expect } from 'vitest';
import { readPlan } from '../../packages/batonpass/src/plan-files/documents/plan-document.ts';
import { findPlanFaults } from '../../packages/batonpass/src/plan-files/documents/plan-findings.ts';
import { updatePlanProgress } from '../../packages/batonpass/src/plan-files/documents/plan-progress.ts';
import { writeExistingPlan } from '../../packages/batonpass/src/plan-files/documents/plan-writing.ts';
import { describePlan } from '../../packages/batonpass/src/plan-files/plan-answers.ts';
import { outlinePlan } from '../../packages/batonpass/src/plan-files/plan-outline.ts';
import { verifies } from '../verifies.ts';
import { attempt, findHarm, splitText } from './followed-lines.ts';
import { type Chance, type MadeLine, type MadePlan, type MadeTask, makePlan, pick } from './hand-edited-plan.ts';
import { createChance } from './mutate.ts';

/** `npm run soak -- plan` sets more. */
const DOCUMENTS = Number(process.env.BATON_PLAN_DOCUMENTS ?? 300);
/** A run that failed is repeated by its seed. */
const SEED = Number(process.env.BATON_PLAN_SEED ?? 1);

/** Lines that say how far the plan is: they follow from what is done. */
const isDerived = ({ role }: MadeLine) => role === 'current' || role === 'row' || role === 'phase';
const mayFollow = (line: string) =>
  /^(?:\| (?:init|execute|finalize|review) \||## Phase: |\*\*Current (?:Phase|Task)\*\*: )/.test(line);

function checkProgress(plan: MadePlan, chance: Chance): string | undefined {
  const task = pick(chance, plan.tasks);
  const status = pick(chance, ['completed', 'in_progress', 'pending'] as const);
  const places = task.items.map((_, place) => place).filter(() => chance(3) === 0);
  const checklist_items = chance(2) === 0 && places.length > 0 ? places : undefined;
  const update = { task_id: `task-${task.number}`, status, checklist_items };
  const after = attempt(() => updatePlanProgress(plan.text, { update }).text);
  if (after === undefined || after === plan.text) return undefined;
  const named = plan.lines.filter((line) => line.role === 'item' && line.task === task.number);
  const touched = named.filter((_, place) => checklist_items?.includes(place) ?? status !== 'in_progress');
  const mark = status === 'pending' ? ' ' : 'x';
  const expected = touched.map(({ text }) => text.replace(/\[[ xX]\]/, `[${mark}]`));
  const isStatus = ({ role, task: number }: MadeLine) => role === 'status' && number === task.number;
  const harm = findHarm(plan, after, {
    mayGo: (line) => isDerived(line) || isStatus(line) || touched.includes(line),
    mayCome: (line) =>
      mayFollow(line) ||
      line.startsWith('**Status**: ') ||
      expected.some((text) => text.toLowerCase() === line.toLowerCase()),
  });
  const again = attempt(() => updatePlanProgress(after, { update }).text) ?? after;
  return harm ?? (again === after ? undefined : 'a repeated update changes something');
}

/** Some of a list, some of it reworded, in its order or in another. */
function changed(chance: Chance, texts: readonly string[], fresh: () => string): { texts: string[]; isMoved: boolean } {
  const kept = texts.filter(() => chance(4) > 0);
  const isMoved = chance(4) === 0;
  const rest = isMoved ? kept.toReversed() : kept;
  for (let count = chance(3); count > 0; count -= 1) rest.splice(chance(rest.length + 1), 0, fresh());
  return { texts: rest, isMoved };
}

interface Wanted {
  task: MadeTask;
  criteria?: { texts: string[]; isMoved: boolean };
  items?: { texts: string[]; isMoved: boolean };
  name?: string;
  goal?: string;
}

/** Whether a line of a list is named: it is not wanted any more, or the list is to have another order. */
function isNamed(
  line: MadeLine,
  list: { texts: string[]; isMoved: boolean } | undefined,
  all: readonly string[],
): boolean {
  if (list === undefined) return false;
  const isTwice = all.filter((text) => text === line.says).length > 1;
  return list.isMoved || isTwice || !list.texts.includes(line.says ?? '');
}

function checkWriting(plan: MadePlan, chance: Chance, seed: number): string | undefined {
  let count = 0;
  const fresh = () => {
    count += 1;
    return `new ${seed} ${count}, ${pick(chance, ['größer', 'a: b', '(c)'])}`;
  };
  const wanted = plan.tasks
    .filter(() => chance(2) === 0)
    .map(
      (task): Wanted => ({
        task,
        ...(chance(3) > 0 && { criteria: changed(chance, task.criteria, fresh) }),
        ...(chance(3) > 0 && { items: changed(chance, task.items, fresh) }),
        ...(chance(4) === 0 && { name: fresh() }),
        ...(chance(4) === 0 && { goal: fresh() }),
      }),
    );
  const title = chance(4) === 0 ? fresh() : undefined;
  const added = chance(3) === 0 ? [{ name: fresh(), phase: 'finalize', goal: fresh(), checklist: [fresh()] }] : [];
  const phases = chance(5) === 0 ? ['init', 'execute', 'review', 'finalize'] : undefined;
  const tasks = wanted.map(({ task, criteria, items, name, goal }) => ({
    id: `task-${task.number}`,
    name,
    goal,
    acceptance_criteria: criteria?.texts,
    checklist: items?.texts,
  }));
  const content = { title, phases, tasks: [...tasks, ...added] };
  const after = attempt(() => writeExistingPlan(plan.text, content));
  if (after === undefined) return undefined;
  const byNumber = new Map(wanted.map((each) => [each.task.number, each]));
  const mayGo = (line: MadeLine) => {
    const each = byNumber.get(line.task ?? -1);
    if (isDerived(line)) return true;
    if (line.role === 'title') return title !== undefined;
    if (line.role === 'name') return each?.name !== undefined;
    if (line.role === 'goal') return each?.goal !== undefined;
    if (line.role === 'criterion') return isNamed(line, each?.criteria, each?.task.criteria ?? []);
    if (line.role === 'item') return isNamed(line, each?.items, each?.task.items ?? []);
    return false;
  };
  const texts = [
    ...wanted.flatMap(({ criteria, items }) => [...(criteria?.texts ?? []), ...(items?.texts ?? [])]),
    ...added.flatMap(({ checklist }) => checklist),
  ];
  const bare = (line: string) => line.replace(/^\s*(?:[-*+]|\d+[.)])\s+(?:\[[ xX]\]\s+)?/, '').trim();
  const heads = [
    '',
    '---',
    '**Acceptance Criteria**:',
    '**Checklist**:',
    '**Phase**: finalize',
    '## Phase: review (pending)',
  ];
  const harm = findHarm(plan, after, {
    mayGo,
    mayCome: (line) =>
      heads.includes(line) ||
      mayFollow(line) ||
      texts.includes(bare(line)) ||
      (/^(?:# |### Task \d+: |\*\*Goal\*\*: )/.test(line) && line.includes(`new ${seed} `)),
  });
  if (harm !== undefined) return harm;
  const now = new Set(splitText(after).lines.map(bare));
  const missing = texts.find((text) => !now.has(text));
  if (missing !== undefined) return `not written: ${missing}`;
  return attempt(() => writeExistingPlan(after, content)) === after ? undefined : 'the same request changes something';
}

verifies(
  ['PLAN.person', 'PLAN.repeat'],
  'no line of a document edited by hand is lost or moved that a request does not name',
  () => {
    const harms: string[] = [];
    let progress = 0;
    let writing = 0;
    for (let seed = SEED; seed < SEED + DOCUMENTS && harms.length < 5; seed += 1) {
      const chance = createChance(seed);
      const plan = makePlan(chance);
      describePlan(plan.text);
      outlinePlan(plan.text);
      findPlanFaults(readPlan(plan.text));
      for (let round = 0; round < 2; round += 1) {
        const harm = [checkProgress(plan, chance), checkWriting(plan, chance, seed)].filter(
          (each) => each !== undefined,
        );
        harms.push(...harm.map((each) => `seed ${seed}: ${each}`));
      }
      progress += 2;
      writing += 2;
    }
    expect(harms).toEqual([]);
    expect([progress, writing]).toEqual([DOCUMENTS * 2, DOCUMENTS * 2]);
  },
  7_200_000,
);
