import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'vitest';
import { verifies } from '../verifies.ts';
import { brainstorm, newFolder, nextsOf, openIn, plansIn } from './planning-stage.ts';

verifies(
  ['FINISH.plan', 'FINISH.next', 'DRAFT.skeleton', 'DRAFT.labelled'],
  'a handoff becomes a plan on the disk and the next handoff, and is acknowledged, without a model or a key',
  async () => {
    const folder = newFolder();
    const baton = await openIn(folder);
    const source = await baton.run('handoff.create', { content: { ...brainstorm, task_id: 'notes', scope: 'src' } });
    const answer = await baton.run('planning.draft', { id: source.id });

    expect(answer).toMatchObject({ outcome: 'created', plan_directory: '.claude/plans/offline-notes/' });
    expect(answer.handoff.delivery.state).toBe('acknowledged');
    const { content, delivery } = answer.next ?? {};
    expect(delivery?.state).toBe('open');
    expect(content).toMatchObject({
      kind: 'plan',
      title: 'Plan skeleton: Offline notes',
      summary: expect.stringMatching(/^A skeleton of a plan, made by rules from handoff .*, without a model/),
      source_agent: 'skeleton',
      parent_id: source.id,
      task_id: 'notes',
      scope: 'src',
      decisions: source.content.decisions,
      files: source.content.files,
      risks: source.content.risks,
      references: [{ type: 'plan', identifier: answer.plan_directory, path: `${answer.plan_directory}plan.md` }],
      payload: { is_skeleton: true, planner: 'skeleton', tasks_total: 6 },
    });
    expect(content?.next_steps).toEqual([
      'task-1: Take the work over',
      'task-2: Write to the phone first',
      'task-3: Keep both versions',
      'task-4: Look after: Two phones edit one note',
      'task-5: Look after: The clock is wrong',
      'Then 1 further task: .claude/plans/offline-notes/plan.md',
    ]);

    const plan = plansIn(folder)['offline-notes/plan.md'] ?? '';
    expect(plan).toContain(`> This is a skeleton, made by rules from handoff ${source.id}`);
    expect(plan).toContain('- [ ] Confirm what was only implied: Photos come later');
    expect(plan).toContain(
      '**Acceptance Criteria**:\n- Write to the phone first\n- Keep both versions\n- Photos come later',
    );
    const { plan_directory } = answer;
    expect(await baton.run('plan.validate-plan', { plan_directory })).toMatchObject({ outcome: 'valid' });
    expect(await baton.run('plan.validate-config', { plan_directory })).toMatchObject({ outcome: 'valid' });
    expect((await baton.run('plan.get-references', { plan_directory })).references).toMatchObject({
      branch: 'feature/notes',
      implementation_files: ['src/notes/sync.ts'],
    });
  },
);

verifies(
  ['DRAFT.dry-run'],
  'a dry run returns exactly the documents that are written later, and changes nothing',
  async () => {
    const folder = newFolder();
    const baton = await openIn(folder);
    const { id } = await baton.run('handoff.create', { content: brainstorm });
    const shown = await baton.run('planning.draft', { id, dry_run: true });
    expect(shown).toMatchObject({ outcome: 'shown', plan_directory: '.claude/plans/offline-notes/' });
    expect(plansIn(folder)).toEqual({});
    expect((await baton.run('handoff.get', { id })).delivery).toMatchObject({ state: 'open', version: 1, attempts: 0 });
    await baton.run('planning.draft', { id });
    const written = Object.entries(plansIn(folder)).map(([path, text]) => [path.replace('offline-notes/', ''), text]);
    expect(Object.fromEntries(written)).toEqual(shown.documents);
  },
);

verifies(
  ['DRAFT.again', 'FINISH.one-plan'],
  'the same command after its success gives the same answer again, and creates nothing',
  async () => {
    const folder = newFolder();
    const baton = await openIn(folder);
    const { id } = await baton.run('handoff.create', { content: brainstorm });
    // Other plans of other handoffs are not taken for its own.
    await baton.run('planning.draft', { id: (await baton.run('handoff.create', { content: brainstorm })).id });
    const first = await baton.run('planning.draft', { id });
    const before = plansIn(folder);
    await baton.run('planning.draft', { id: (await baton.run('handoff.create', { content: brainstorm })).id });
    const again = await baton.run('planning.draft', { id });
    expect(again).toEqual({ ...first, outcome: 'already-planned' });
    expect(plansIn(folder)).toMatchObject(before);
    expect(await nextsOf(baton)).toHaveLength(3);
  },
);

verifies(
  ['FINISH.foreign-plan'],
  'a plan of that name from elsewhere stays as it is, and so does an empty folder',
  async () => {
    const folder = newFolder();
    const baton = await openIn(folder);
    mkdirSync(join(folder, '.claude/plans/offline-notes'), { recursive: true });
    writeFileSync(join(folder, '.claude/plans/offline-notes/plan.md'), '# Mine\n');
    mkdirSync(join(folder, '.claude/plans/offline-notes-2'));
    const { id } = await baton.run('handoff.create', { content: brainstorm });
    expect(await baton.run('planning.draft', { id })).toMatchObject({
      plan_directory: '.claude/plans/offline-notes-3/',
    });
    expect(plansIn(folder)['offline-notes/plan.md']).toBe('# Mine\n');
    expect(Object.keys(plansIn(folder)).filter((path) => path.startsWith('offline-notes-2'))).toEqual([]);
  },
);

verifies(['FINISH.plan'], 'the folder is named by the caller, or by the title in plain letters', async () => {
  const baton = await openIn(newFolder());
  const nameOf = async (title: string, plan_name?: string) => {
    const { id } = await baton.run('handoff.create', { content: { ...brainstorm, title } });
    return (await baton.run('planning.draft', { id, plan_name })).plan_directory.split('/').at(-2);
  };
  expect(await nameOf('Any title', 'my-plan')).toBe('my-plan');
  expect(await nameOf('Größere Ûbersicht: Tokens & Co.')).toBe('grossere-ubersicht-tokens-co');
  expect(await nameOf(`${'word '.repeat(9)}another`)).toBe(`${'word-'.repeat(9)}`.slice(0, -1));
  expect(await nameOf('日本語')).toMatch(/^handoff-[0-9a-z]{8}$/);
  await expect(nameOf('x', 'Not A Name')).rejects.toMatchObject({ code: 'validation_failed' });
});

verifies(['FINISH.review'], 'where everything is reviewed the next handoff is a draft', async () => {
  const baton = await openIn(newFolder(), { review: 'always' });
  const { id, content_sha256 } = await baton.run('handoff.create', { content: brainstorm });
  await baton.run('handoff.approve', { id, content_sha256 });
  expect((await baton.run('planning.draft', { id })).next?.delivery.state).toBe('draft');
});

verifies(
  ['DRAFT.held', 'FINISH.lease'],
  'a holder drafts with its token; a wrong one writes nothing, and what fails is released uncounted',
  async () => {
    const folder = newFolder();
    const baton = await openIn(folder);
    const { id } = await baton.run('handoff.create', { content: brainstorm });
    const draft = await baton.run('handoff.create', { content: brainstorm, draft: true });
    await expect(baton.run('planning.draft', { id: draft.id })).rejects.toMatchObject({ code: 'conflict' });
    await expect(baton.run('planning.draft', { id, plan_name: 'No Name' })).rejects.toMatchObject({
      code: 'validation_failed',
    });
    expect((await baton.run('handoff.get', { id })).delivery).toMatchObject({ state: 'open', attempts: 0 });
    const { handoff } = await baton.run('handoff.claim', { id });
    await expect(baton.run('planning.draft', { id })).rejects.toMatchObject({ code: 'already_claimed' });
    await expect(baton.run('planning.draft', { id, token: 'stale' })).rejects.toMatchObject({ code: 'lease_lost' });
    expect(plansIn(folder)).toEqual({});
    expect(await nextsOf(baton)).toEqual([]);
    const token = handoff?.delivery.lease?.token;
    expect(await baton.run('planning.draft', { id, token })).toMatchObject({ outcome: 'created' });
  },
);

verifies(['DRAFT.oldest'], 'without an id the oldest for the planning agent is planned, in its name', async () => {
  const baton = await openIn(newFolder());
  await expect(baton.run('planning.draft', {})).rejects.toMatchObject({ code: 'not_found' });
  await baton.run('handoff.create', { content: brainstorm });
  const first = await baton.run('handoff.create', { content: { ...brainstorm, target_agent: 'plan-agent' } });
  await baton.run('handoff.create', { content: { ...brainstorm, target_agent: 'plan-agent' } });
  const { handoff } = await baton.run('planning.draft', {});
  expect([handoff.id, handoff.delivery.acknowledged_by]).toEqual([first.id, 'plan-agent']);
});
