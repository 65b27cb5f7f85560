import { afterEach, beforeEach, expect } from 'vitest';
import { decodeToon } from '../../packages/batonpass/src/formats/toon/decode-toon.ts';
import { verifies } from '../verifies.ts';
import { type MessageStage, openMessageStage } from './message-stage.ts';
import { samplePlan } from './sample-plan.ts';

let stage: MessageStage;

beforeEach(async () => {
  stage = await openMessageStage();
  stage.write(`${place}note.txt`, 'so that the folder exists');
});

afterEach(() => stage.close());

const place = '.claude/plans/jwt-auth/';
const head = `from: x\noperation: write-plan\nplan_directory: ${place}\n\n`;
const phases = 'plan_content:\n  title: JWT\n  phases[3]: init, execute, finalize\n';
const rows = ['Begin,init,It is begun', 'Go on,execute,It goes on', 'Test,execute,It works', 'Ship,finalize,It is out'];
const table = `${head}${phases}  tasks[4]{name,phase,goal}:\n${rows.map((row) => `    ${row}\n`).join('')}`;
const entries = `${head}${phases}  tasks[2]:
  - name: Begin
    phase: init
    goal: It is begun
    checklist[2]:
    - Ask
    - Write it down
  - name: Ship
    phase: finalize
    goal: It is out
    checklist[2]:
    - Tag
    - Publish
`;

const tasksIn = (text = '') => text.match(/^### Task \d+/gm)?.length ?? 0;

verifies(
  ['PLAN.cut'],
  'a message cut at every byte writes every task that it declares, or nothing',
  async () => {
    const faults: string[] = [];
    for (const [message, count] of [
      [table, 4],
      [entries, 2],
    ] as const) {
      for (let length = 0; length <= message.length; length += 1) {
        const before = stage.snapshot();
        const answer = await stage.send(message.slice(0, length));
        const after = stage.snapshot();
        const written = tasksIn(after[`${place}plan.md`]);
        if (answer.status === 'failed' && JSON.stringify(after) !== JSON.stringify(before))
          faults.push(`${length}: written`);
        // A title and phases alone are a whole request, and say nothing of tasks.
        const saysTasks = message.slice(0, length).includes('tasks[');
        if (answer.status === 'success' && saysTasks && written !== count)
          faults.push(`${length}: ${written} of ${count}`);
        // A refusal left everything as it was.
        if (answer.status === 'success')
          await stage.baton.run('plan.create-directory', { task_name: 'jwt-auth', collision: 'replace' });
      }
    }
    expect(faults).toEqual([]);
  },
  7_200_000,
);

verifies(['PLAN.cut'], 'a message in a code fence, or in JSON, that is cut at any byte writes nothing', async () => {
  stage.write(`${place}plan.md`, samplePlan);
  const to = `plan_directory: ${place}\n`;
  const messages = [
    entries,
    `operation: update-progress\n${to}update:\n  task_id: task-3\n  status: completed\n  checklist_items: [0]\nfiles_created[2]: a.ts,b.ts\n`,
    `operation: write-config\n${to}configuration:\n  plan_type: simple\n  branch: feature/longer\n`,
    `operation: write-references\n${to}action: add\nreference_type: file\nreference_data:\n  identifier: src/a.tsx\n`,
    'operation: create-directory\ntask_name: longer-name\n',
  ];
  const before = stage.snapshot();
  for (const message of messages) {
    const fenced = `Here it is:\n\`\`\`toon\n${message}\`\`\``;
    for (let length = fenced.indexOf('toon'); length < fenced.length; length += 1)
      expect(await stage.send(fenced.slice(0, length)), fenced.slice(0, length)).toMatchObject({ status: 'failed' });
    const json = JSON.stringify(decodeToon(message).value);
    for (let length = 0; length < json.length; length += 1) {
      const { status } = await stage.baton.run('plan.answer', { message: json.slice(0, length), format: 'json' });
      expect(status, json.slice(0, length)).toBe('failed');
    }
    expect(stage.snapshot()).toEqual(before);
  }
});

verifies(['PLAN.cut'], 'fewer entries than declared, and commented ones, are refused with their line', async () => {
  const commented = (text: string) => text.replace('    Test', '    # Test');
  for (const [message, details] of [
    [table.replace('    Ship,finalize,It is out\n', ''), 'Line 8: tasks declares 4 entries, and 3 are there'],
    [entries.replace('    - Ask\n', ''), 'Line 12: checklist declares 2 entries, and 1 are there'],
    [
      entries.replace('    - Ask\n', '    # - Ask\n').replace('checklist[2]', 'checklist[1]'),
      'is a comment inside of a list',
    ],
    [
      entries.replace('    - Publish\n', '    # - Publish\n').replace(/checklist\[2\](?=:\n {4}- Tag)/, 'checklist[1]'),
      'is a comment inside of a list',
    ],
    [commented(entries).replace('- Write it', '- Test it'), ''],
    [`${head}plan_content:\n  title: X\n  phases[2]: a, b, c\n`, 'phases declares 2 entries, and 3 are there'],
  ] as const) {
    const before = stage.snapshot();
    const answer = await stage.send(message);
    if (details === '') continue;
    expect(answer).toMatchObject({
      status: 'failed',
      error: { type: 'parse_error', details: expect.stringContaining(details) },
    });
    expect(stage.snapshot()).toEqual(before);
  }
});

verifies(['PLAN.bracketed'], 'a bracketed text in the field of a list is that list', async () => {
  stage.write(`${place}plan.md`, samplePlan);
  const update = `operation: update-progress\nplan_directory: ${place}\nupdate:\n  task_id: task-3\n  status: completed\n`;
  const { repairs, message } = await stage.baton.run('plan.answer', {
    message: `${update}  checklist_items: [0, 1, 2, 3]\n`,
  });
  expect(message).toMatchObject({ status: 'success', phase_status: { tasks_completed: 1 } });
  expect(repairs).toContain('read checklist_items "[0, 1, 2, 3]" as a list of 4');
  const named = { message: `${update}  checklist_items: [Add, "Parse a, b (c) and x"]\n` };
  expect((await stage.baton.run('plan.answer', named)).message).toMatchObject({
    error: { details: 'task-3 has no checklist item "Parse a, b (c) and x"' },
  });
  const cut = await stage.send(`${update}  checklist_items: [0, 1`);
  expect(cut).toMatchObject({ status: 'failed' });
  await stage.baton.run('plan.create-directory', { task_name: 'other' });
  const plan = await stage.send(
    'operation: write-plan\nplan_directory: other\nplan_content:\n  title: X\n  phases: [init, refine]\n',
  );
  expect(plan).toMatchObject({ status: 'success', outcome: 'created' });
});
