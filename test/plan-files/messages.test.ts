import { readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect } from 'vitest';
import { errorCodes, HandoffError } from '../../packages/batonpass/src/core/errors.ts';
import { decodeToon } from '../../packages/batonpass/src/formats/toon/decode-toon.ts';
import { answerPlanMessage } from '../../packages/batonpass/src/plan-files/envelope/answer-plan-message.ts';
import { formatErrorMessage } from '../../packages/batonpass/src/plan-files/envelope/error-message.ts';
import { messageOperations } from '../../packages/batonpass/src/plan-files/envelope/message-operations.ts';
import { verifies } from '../verifies.ts';
import { everywhere, failures, type MessageCase, successes } from './message-cases.ts';
import { type MessageStage, openMessageStage } from './message-stage.ts';
import { samplePlan } from './sample-plan.ts';
import { sourceErrors } from './source-errors.ts';

/** The types of the protocol, in the order of their numbers. */
const errorTypes = [
  'file_not_found',
  'invalid_structure',
  'parse_error',
  'reference_not_found',
  'phase_transition_violation',
  'invalid_format',
  'validation_failed',
] as const;

let stage: MessageStage;

beforeEach(async () => {
  stage = await openMessageStage();
});

afterEach(() => stage.close());

const place = '.claude/plans/jwt-auth/';

function lay({ documents }: MessageCase): void {
  if (documents === undefined) return;
  stage.write(`${place}note.txt`, 'so that the folder exists');
  for (const [name, text] of Object.entries(documents)) stage.write(place + name, text);
}

for (const operation of messageOperations) {
  const given = successes[operation] as MessageCase;
  verifies(
    [
      'PF.request.pattern',
      'PF.response.pattern',
      'PF.response.swapped',
      'PF.response.status',
      'PF.envelope.operation',
      'PF.toon.strict-writing',
    ],
    `${operation} ${given.name}`,
    async () => {
      lay(given);
      expect(await stage.send(given.request)).toEqual(given.answer);
    },
  );
}

for (const given of [...everywhere, ...failures]) {
  verifies(
    ['PF.answer.error-types', 'PF.response.status', 'PF.answer.handoff-id', 'PF.toon.strict-writing'],
    `${given.name} is answered by an error, and nothing is written`,
    async () => {
      lay(given);
      const before = stage.snapshot();
      expect(await stage.send(given.request)).toEqual(given.answer);
      expect(stage.snapshot()).toEqual(before);
    },
  );
}

const exact = {
  'PF.error.file-not-found': everywhere.find(({ name }) => name === 'read-plan without the plan'),
  'PF.error.invalid-structure': failures.find(({ name }) => name === 'read-plan without the table'),
  'PF.error.parse-error': failures.find(({ name }) => name === 'read-config with a wrong technology'),
};

verifies(
  ['PF.error.file-not-found', 'PF.error.invalid-structure', 'PF.error.parse-error', 'PF.toon.error-samples'],
  'the three errors that the source writes out arise word for word, and its own texts are read',
  async () => {
    for (const [id, text] of Object.entries(sourceErrors)) {
      const written = decodeToon(text);
      expect(written.repairs).toEqual(['line 13: the entries are at the indent of their header']);
      const given = exact[id as keyof typeof exact] as MessageCase;
      lay(given);
      const answer = await stage.send(given.request);
      const { from, handoff_id, task, error, alternatives } = answer;
      expect({ from, to: 'caller', handoff_id, task, error, alternatives }).toEqual(written.value);
      rmSync(join(stage.folder, '.claude'), { recursive: true, force: true });
    }
  },
);

const second = (handoff_id: string, data = '') =>
  `from: x\nto: plan-files-skill\nhandoff_id: ${handoff_id}\n\nartifacts:\n  plan_directory: ${place}\n\n${data}`;

verifies(
  ['PF.envelope.artifacts', 'PF.answer.handoff-id'],
  'without an operation the handoff_id names it, and the answer has its number 002',
  async () => {
    const messages: [string, string][] = [
      ['mkdir', 'task_name: jwt-auth'],
      ['write-config', 'configuration:\n  plan_type: simple\n  branch: feature/x'],
      ['config', ''],
      [
        'write-plan',
        'plan_content:\n  title: X\n  tasks[2]{name,phase,goal}:\n    Begin,init,It is begun\n    Go on,init,It goes on',
      ],
      ['read-plan', ''],
      [
        'write-refs',
        'action: add\nreference_type: adr\nreference_data:\n  identifier: ADR-1\n  title: One\n  path: a.md',
      ],
      ['refs', ''],
      ['progress', 'task_update:\n  task_id: task-1\n  phase: init\n  status: completed'],
      ['validate-plan', ''],
    ];
    for (const [prefix, data] of messages) {
      const answer = await stage.send(second(`${prefix}-001`, data));
      expect(answer).toMatchObject({ to: 'x', handoff_id: `${prefix}-002`, status: 'success' });
    }
  },
);

verifies(
  ['PF.envelope.artifacts', 'PF.envelope.operation'],
  'what the field writes loose, or below task, is found',
  async () => {
    stage.write(`${place}plan.md`, samplePlan);
    const loose = `operation: update-progress\nplan_directory: ${place}\ntask_id: task-3\nstatus: completed\nchecklist_items[4]: 0,1,2,3`;
    expect(await stage.send(loose)).toMatchObject({
      to: 'caller',
      status: 'success',
      plan_status: { current_task: 'task-4' },
    });
    const below = `handoff_id: progress-001\ntask:\n  plan_directory: jwt-auth\n  id: task-4\n  status: completed`;
    expect(await stage.send(below)).toMatchObject({ status: 'success', outcome: 'completed', next_phase: 'verify' });
  },
);

verifies(['PLAN.contradiction'], 'one thing said in two ways is refused', async () => {
  stage.write(`${place}plan.md`, samplePlan);
  const before = stage.snapshot();
  const answer = await stage.send(
    `${second('progress-001', 'task_id: task-3\nstatus: completed')}\nplan_directory: other`,
  );
  expect(answer).toMatchObject({
    status: 'failed',
    error: { code: 'invalid_input', details: expect.stringMatching(/differ/) },
  });
  expect(stage.snapshot()).toEqual(before);
});

verifies(['PF.answer.error-types', 'PLAN.correspondence'], 'what is no request is answered to its sender', async () => {
  const wrong: [string, string, string][] = [
    ['from: a\nhandoff_id: env-001', 'invalid_format', 'a'],
    ['from: a\noperation: create-pr', 'invalid_format', 'a'],
    ['from: plan-files-skill\nto: a\nhandoff_id: read-plan-002', 'invalid_format', 'plan-files-skill'],
    ['x', 'invalid_format', 'caller'],
    ['[2]: 1,2', 'invalid_format', 'caller'],
    ['from: a\nlist[2]: x\n- y', 'parse_error', 'a'],
    ['from: a\noperation: read-plan\nfrom: b', 'parse_error', 'a'],
    ['# Input\nfrom: a\nhandoff_id: config-001\n# Output\nconfiguration: x', 'parse_error', 'a'],
    [`from: a\nx: ${'y'.repeat(3_000_000)}`, 'validation_failed', 'a'],
  ];
  for (const [message, type, to] of wrong) {
    const answer = await stage.send(message);
    expect(answer).toMatchObject({
      from: 'plan-files-skill',
      to,
      status: 'failed',
      task: { status: 'failed' },
      error: { type },
    });
    expect((answer.alternatives as string[]).length).toBeGreaterThan(0);
    const number = String(errorTypes.indexOf(type as (typeof errorTypes)[number]) + 1).padStart(3, '0');
    expect(answer.handoff_id).toBe(`error-${number}`);
  }
  expect(Object.keys(stage.snapshot())).toEqual([]);
});

verifies(
  ['PF.answer.error-types', 'PF.answer.handoff-id'],
  'every code of Baton is reported as one of the seven types',
  () => {
    for (const code of errorCodes) {
      const message = formatErrorMessage(new HandoffError(code, 'It went wrong.'), { from: 'a' }) as {
        handoff_id: string;
        task: { status: string };
        error: { type: (typeof errorTypes)[number]; details: string };
        alternatives: string[];
      };
      expect(errorTypes).toContain(message.error.type);
      expect(message.handoff_id).toBe(`error-00${errorTypes.indexOf(message.error.type) + 1}`);
      expect(['failed', 'blocked']).toContain(message.task.status);
      expect(message.error.details).toBe('It went wrong.');
      expect(message.alternatives).toHaveLength(1);
    }
  },
);

verifies(['PF.answer.error-types'], 'nothing that an error contains replaces the message’s own members', () => {
  const details = { details: 'x', from: 'evil', status: 'success', phase_status: { phase: 'init' } };
  expect(formatErrorMessage(new HandoffError('invalid_structure', 'm', { details }), { from: 'a' })).toMatchObject({
    from: 'plan-files-skill',
    status: 'failed',
    phase_status: { phase: 'init' },
  });
});

verifies(['PLAN.json'], 'the same messages are read and answered as JSON', async () => {
  for (const given of [...Object.values(successes), ...failures]) {
    rmSync(join(stage.folder, '.claude'), { recursive: true, force: true });
    lay(given);
    const message = JSON.stringify(decodeToon(given.request).value);
    const { text } = await stage.baton.run('plan.answer', { message, format: 'json' });
    expect(JSON.parse(text)).toEqual(given.answer);
  }
  for (const message of ['{', '[]', '"x"', `${'[{"a":'.repeat(5_000)}1${'}]'.repeat(5_000)}`, ' '.repeat(3_000_000)]) {
    const { text, status } = await stage.baton.run('plan.answer', { message, format: 'json' });
    expect({ status, answered: JSON.parse(text).status }).toEqual({ status: 'failed', answered: 'failed' });
  }
});

verifies(
  ['TOON.names', 'PF.held.unknown-nothing-written'],
  'names of the language in a message change nothing',
  async () => {
    const message = `__proto__:\n  operation: create-directory\n  task_name: evil\nconstructor:\n  name: x\nhandoff_id: toString-001\n`;
    expect(await stage.send(message)).toMatchObject({ status: 'failed', error: { type: 'invalid_format' } });
    expect(({} as Record<string, unknown>).operation).toBeUndefined();
    expect(Object.keys(stage.snapshot())).toEqual([]);
  },
);

verifies(
  ['PF.toon.lenient-reading', 'PF.held.checklist-characters'],
  'items of a checklist may look like members',
  async () => {
    const given = successes['write-plan'] as MessageCase;
    lay(given);
    const { repairs } = await stage.baton.run('plan.answer', { message: given.request });
    expect(repairs).toContain('read "Add: tests, docs" as a text, not as a member');
    expect(readFileSync(join(stage.folder, place, 'plan.md'), 'utf8')).toContain('- [ ] Add: tests, docs\n');
  },
);

verifies(
  ['PF.operation.read-plan', 'PF.request.pattern'],
  'questions alone are answered where nothing may be written',
  async () => {
    stage.write(`${place}plan.md`, samplePlan);
    const before = stage.snapshot();
    const ask = async (message: string) => (await stage.baton.run('plan.consult', { message })).message;
    expect(await ask(`operation: read-plan\nplan_directory: ${place}`)).toMatchObject({ status: 'success' });
    for (const { request } of Object.values(successes).filter(({ request }) => /create|write|update/.test(request))) {
      expect(await ask(request)).toMatchObject({ status: 'failed', error: { code: 'invalid_input' } });
    }
    expect(stage.snapshot()).toEqual(before);
  },
);

verifies(
  ['PF.response.status'],
  'an expected failure of an operation is answered, and a defect is thrown',
  async () => {
    const { request } = successes['read-plan'] as MessageCase;
    const answer = (error: Error) => answerPlanMessage(request, { run: () => Promise.reject(error) });
    const failed = await answer(new HandoffError('file_not_found', 'Gone.'));
    expect(failed).toMatchObject({ status: 'failed', message: { error: { type: 'file_not_found' } } });
    const defect = new TypeError('x is undefined');
    await expect(answer(defect)).rejects.toBe(defect);
  },
);

verifies(
  ['PF.toon.lenient-reading', 'PF.held.checklist-characters'],
  'an operation is given numbers, texts and lists as they are meant, and nothing of a cut message to write',
  async () => {
    const given = async (operation: string, members: string) => {
      const inputs: unknown[] = [];
      const run = async (_: string, input: object) => ({ place: inputs.push(input) });
      const { text } = await answerPlanMessage(`operation: ${operation}\nplan_directory: a\n${members}`, { run });
      return inputs[0] ?? text;
    };
    const files = 'files_created: "[1, b.ts]"\n';
    const numbers = `update:\n  task_id: 3\n  attempt: 2\n  phases: "[]"\n  note: "[x]"\n  checklist_items: "[0, Add tests, \\"a, b\\"]"\n${files}`;
    expect(await given('update-progress', numbers)).toMatchObject({
      update: { task_id: 'task-3', attempt: 2, phases: [], note: '[x]', checklist_items: [0, 'Add tests', 'a, b'] },
      files_created: ['1', 'b.ts'],
    });
    const entries = '- Add: tests\n- text: Write\n- text: Do\n  done: true\n- Count: 3\n- a: b\n  c: d\n';
    expect(
      await given('update-progress', `update:\n  checklist[5]:\n${entries.replace(/^/gm, '  ').trimEnd()}`),
    ).toMatchObject({
      update: {
        checklist: ['Add: tests', { text: 'Write' }, { text: 'Do', done: true }, { Count: 3 }, { a: 'b', c: 'd' }],
      },
    });
    const cut = 'phases[3]: init, execute\nmore[2]: x\n';
    expect(await given('read-plan', cut)).toEqual({ plan_directory: 'a' });
    expect(await given('write-plan', cut)).toMatch(/phases declares 3 entries, and 2 are there \(and 1 more\)/);
    expect(await given('write-plan', 'phases[3]: init, execute\n')).toMatch(/and 2 are there\. Nothing/);
  },
);
