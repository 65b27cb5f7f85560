import { spawn } from 'node:child_process';
import { renameSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { expect } from 'vitest';
import type { Baton } from '../../packages/batonpass/src/index.ts';
import { finishPlanning } from '../../packages/batonpass/src/operations/planning/finish-planning.ts';
import type { PlannedWork } from '../../packages/batonpass/src/operations/planning/planned-work.ts';
import { planTextsOf } from '../../packages/batonpass/src/operations/planning/write-plan-of.ts';
import { phaseSets } from '../../packages/batonpass/src/plan-files/documents/plan-content.ts';
import { placePlan } from '../../packages/batonpass/src/plan-files/place-plan.ts';
import { isStopped } from '../disk/told-process.ts';
import { verifies } from '../verifies.ts';
import { brainstorm, newFolder, nextsOf, openIn, plansIn } from './planning-stage.ts';

const work: PlannedWork = {
  plan_content: {
    title: 'Notes that survive',
    phases: ['init', 'execute'],
    tasks: [
      { name: 'Look', phase: 'init', goal: 'It is known' },
      { name: 'Build', phase: 'execute', goal: 'It works', checklist: ['Write it', 'Test it'] },
    ],
  },
  decisions: [{ content: 'Use one table' }, { content: 'keep  both versions' }, { content: 'Use one table' }],
  summary: 'First the table, then the view.',
  planner: 'anthropic/planner',
};

async function claim(baton: Baton) {
  const { id } = await baton.run('handoff.create', { content: brainstorm });
  const { handoff } = await baton.run('handoff.claim', { id });
  if (handoff === null) throw new Error('The handoff was not claimed.');
  return handoff;
}

/** Ends a planning as an operation does. */
const finish = (baton: Baton, handoff: Awaited<ReturnType<typeof claim>>, changed: Partial<PlannedWork> = {}) =>
  finishPlanning(handoff, { ...work, ...changed }, { ...baton.context, signal: new AbortController().signal });

verifies(
  ['FINISH.plan', 'FINISH.next'],
  "a model's plan is written with its phases, and its decisions are handed on as extracted, each thing once",
  async () => {
    const folder = newFolder();
    const baton = await openIn(folder);
    const { plan_directory, next, handoff } = await finish(baton, await claim(baton));
    expect(plan_directory).toBe('.claude/plans/notes-that-survive/');
    expect(handoff.delivery.state).toBe('acknowledged');
    expect(plansIn(folder)['notes-that-survive/plan.md']).toContain(
      `> Planned by anthropic/planner from handoff ${handoff.id}.`,
    );
    expect(next.content).toMatchObject({ title: 'Plan: Notes that survive', summary: work.summary });
    expect(next.content.source_agent).toBe('anthropic/planner');
    const sources = next.content.decisions.map(({ content, source }) => [content, source]);
    expect(sources.slice(-1)).toEqual([['Use one table', 'ai-extracted']]);
    expect(sources).toHaveLength(4);
    expect(next.content.payload).toMatchObject({ is_skeleton: false, tasks_total: 2 });
  },
);

verifies(['FINISH.plan'], 'a plan has the type of its phases, and an implementation a branch of its own', async () => {
  const baton = await openIn(newFolder());
  const handoff = await claim(baton);
  const context = { ...baton.context, signal: new AbortController().signal };
  const typeOf = (phases: readonly string[], branch = 'feature/notes') => {
    const tasks = phases.map((phase) => ({ name: `Do ${phase}`, phase, goal: 'x' }));
    const planned = { ...work, plan_content: { title: 'Notes', phases: [...phases], tasks } };
    const { texts } = planTextsOf(
      { ...handoff, content: { ...handoff.content, origin: { branch } } },
      planned,
      context,
    );
    return /Plan Type\*\*: (\S+)/.exec(texts['config.md'])?.[1];
  };
  const { implementation, 'plugin-development': plugin } = phaseSets;
  expect([typeOf(implementation), typeOf(implementation, 'main')]).toEqual(['implementation', 'simple']);
  expect([typeOf(plugin), typeOf(plugin, 'main')]).toEqual(['plugin-development', 'plugin-development']);
  expect(typeOf(['think', 'do'])).toBe('simple');
});

verifies(
  ['FINISH.next'],
  'the next handoff names the tasks as the plan numbers and orders them, whatever the planner gave of ids and order',
  async () => {
    const folder = newFolder();
    const baton = await openIn(folder);
    const tasks = [
      { name: 'Build', phase: 'execute', goal: 'x' },
      { id: 'init-task-5', name: 'Look', phase: 'init', goal: 'x' },
      { name: 'Test', phase: 'execute', goal: 'x' },
    ];
    const { next } = await finish(baton, await claim(baton), { plan_content: { ...work.plan_content, tasks } });
    expect(next.content.next_steps).toEqual(['task-5: Look', 'task-1: Build', 'task-6: Test']);
    expect(next.content.payload).toMatchObject({ tasks_total: 3 });
    const plan = plansIn(folder)['notes-that-survive/plan.md'] ?? '';
    expect(plan.match(/(?<=### Task )\d+: .*/g)).toEqual(['5: Look', '1: Build', '6: Test']);
  },
);

verifies(['FINISH.plan'], 'a plan that contradicts itself is refused before anything is written', async () => {
  const folder = newFolder();
  const baton = await openIn(folder);
  const handoff = await claim(baton);
  const tasks = [{ name: 'Nowhere', phase: 'none', goal: 'x' }];
  const plan_content = { ...work.plan_content, tasks };
  await expect(finish(baton, handoff, { plan_content })).rejects.toMatchObject({ code: 'validation_failed' });
  expect(plansIn(folder)).toEqual({});
  expect((await finish(baton, handoff)).handoff.delivery.state).toBe('acknowledged');
});

verifies(
  ['FINISH.one-plan', 'FINISH.nothing-lost'],
  'an attempt after one that was cut off writes its plan again, under any new name, and keeps the former aside',
  async () => {
    const folder = newFolder();
    const baton = await openIn(folder);
    const handoff = await claim(baton);
    const store = await baton.context.openStore();
    const cut = { ...store, transition: store.transition.bind(store), get: store.get.bind(store) };
    const openStore = async () => ({ ...cut, create: () => Promise.reject(new Error('cut off')) }) as never;
    const context = { ...baton.context, openStore, signal: new AbortController().signal };
    await expect(finishPlanning(handoff, work, context)).rejects.toThrow('cut off');
    const [plan_directory, reference_data] = ['.claude/plans/renamed/', { identifier: 'src/added.ts' }];
    renameSync(join(folder, '.claude/plans/notes-that-survive'), join(folder, plan_directory));
    // What people and agents change of its references leaves the line that says where it comes from.
    for (const action of ['add', 'update', 'remove', 'add'] as const) {
      const title = action === 'add' ? undefined : 'changed';
      const change = { action, reference_type: 'file' as const, reference_data: { ...reference_data, title } };
      await baton.run('plan.write-references', { plan_directory, ...change });
    }
    await baton.run('plan.update-progress', { plan_directory, update: { task_id: 'task-1', status: 'completed' } });
    const worked = plansIn(folder)['renamed/plan.md'];

    const answer = await finish(baton, handoff, { plan_content: { ...work.plan_content, title: 'Another title' } });
    expect(answer).toMatchObject({ plan_directory, former_directory: '.claude/plans/.replaced/renamed-1/' });
    const plans = plansIn(folder);
    expect(plans['renamed/plan.md']).toMatch(/^# Another title\n/);
    expect(plans['.replaced/renamed-1/plan.md']).toBe(worked);
    expect(Object.keys(plans)).toHaveLength(6);
  },
);

verifies(
  ['FINISH.lease'],
  'a caller that lost the lease to another, or was overtaken between its plan and its end, changes nothing of the other',
  async () => {
    const folder = newFolder();
    const baton = await openIn(folder);
    const late = await openIn(folder, { surroundings: { now: () => Date.now() + 3_600_000 } });
    const handoff = await claim(baton);
    const { handoff: taken } = await late.run('handoff.claim', { id: handoff.id });
    if (taken === null) throw new Error('The lease has not lapsed.');
    await expect(finish(baton, handoff)).rejects.toMatchObject({ code: 'lease_lost' });
    expect(plansIn(folder)).toEqual({});
    await finish(late, taken);
    const plans = plansIn(folder);
    const mine = { plan_content: { ...work.plan_content, title: 'Mine' } };
    await expect(finish(baton, handoff, mine)).rejects.toMatchObject({ code: 'lease_lost' });
    await expect(finish(late, taken, mine)).rejects.toMatchObject({ code: 'lease_lost' });
    expect(plansIn(folder)).toEqual(plans);
    expect(await nextsOf(late)).toHaveLength(1);
  },
);

verifies(
  ['FINISH.lease'],
  'a lease that was lost before the write of a plan that exists already leaves that plan as it is',
  async () => {
    const folder = newFolder();
    const baton = await openIn(folder);
    const { handoff } = await finish(baton, await claim(baton));
    const plans = plansIn(folder);
    const { texts } = planTextsOf(
      handoff,
      { ...work, summary: 'x', planner: 'another' },
      {
        ...baton.context,
        signal: new AbortController().signal,
      },
    );
    let asked = 0;
    const assertRight = async () => {
      asked += 1;
      if (asked === 2) throw new Error('lost');
    };
    const placed = placePlan(
      { root: folder, plans: '.claude/plans' },
      {
        handoff_id: handoff.id,
        name: 'notes',
        texts,
        assertRight,
      },
    );
    await expect(placed).rejects.toThrow('lost');
    expect(plansIn(folder)).toEqual(plans);
  },
);

verifies(
  ['FINISH.lease'],
  'a process that was stopped past its lease and continues leaves the plan of the run that took over as it is',
  async () => {
    const folder = newFolder();
    const baton = await openIn(folder);
    const { id } = await baton.run('handoff.create', { content: brainstorm });
    const worker = join(import.meta.dirname, 'planning-stop-worker.ts');
    const child = spawn(process.execPath, [worker, folder, id], { stdio: ['ignore', 'pipe', 'inherit'] });
    const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
    expect((await lines.next()).value).toBe('stopping');
    const late = await openIn(folder, { surroundings: { now: () => Date.now() + 3_600_000 } });
    const { handoff } = await late.run('handoff.claim', { id });
    if (handoff === null) throw new Error('The lease has not lapsed.');
    await finish(late, handoff);
    const plans = plansIn(folder);
    // It reports that before it does it: an earlier command to continue would be lost.
    await expect.poll(() => isStopped(child.pid ?? 0)).toBe(true);
    child.kill('SIGCONT');
    expect((await lines.next()).value).toBe('lease_lost');
    await new Promise((resolve) => child.once('close', resolve));
    expect(plansIn(folder)).toEqual(plans);
    expect(await nextsOf(late)).toHaveLength(1);
  },
);
