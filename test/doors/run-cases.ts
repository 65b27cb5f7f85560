import { machineName } from '../../packages/batonpass/src/disk/machine-process.ts';
import type { Baton } from '../../packages/batonpass/src/index.ts';
import type { Case, Prepared } from './catalogue-cases.ts';

const planAgent = { name: 'plan-agent', type: 'agent' } as const;
/** A planning run of one step, which was in progress in a program that is gone. */
async function interrupted(baton: Baton): Promise<Partial<Prepared>> {
  const { id } = await baton.run('handoff.create', {
    content: { summary: 'Finish the login form', target_agent: planAgent.name },
  });
  const { handoff } = await baton.run('handoff.claim', { id }, { actor: planAgent });
  const token = handoff?.delivery.lease?.token ?? '';
  const tools = [{ name: 'addDecision', input: {}, output: {} }];
  const messages = [{ role: 'assistant', content: [{ type: 'text', text: 'Sessions it is.' }] }];
  for (const data of [
    {
      type: 'run-started',
      planner: 'test/planner-1',
      instructions_sha256: '0'.repeat(64),
      steps_max: 20,
      owner: { machine: machineName(), pid: 2 ** 30, started: '1' },
    },
    // Longer than its attempt, so that no clock is in the answer.
    {
      ...{ type: 'step', number: 1, tools, text: '', tokens: { input: 9, output: 1 }, duration_ms: 60_000 },
      kept: JSON.stringify(messages),
    },
  ]) {
    await baton.run('handoff.report', { id, token, text: data.type, data }, { actor: planAgent });
  }
  return { id };
}

const nowhere = 'ZZZZZZZZ';

type RunOperation = 'planning.list' | 'planning.step' | 'planning.stop';

/** The operations on planning runs that ask no model. */
export const runCases: { [Name in RunOperation]: Case<Name> } = {
  'planning.list': {
    prepare: interrupted,
    input: () => ({}),
    words: () => ['plan', 'runs'],
    wrong: {
      input: { limit: 0 },
      words: ['plan', 'runs', '--limit', '0'],
      code: 'invalid_input',
    },
  },
  'planning.step': {
    prepare: interrupted,
    input: ({ id }) => ({ id, attempt: 1, step: 1 }),
    words: ({ id }) => ['plan', 'step', id, '1', '1'],
    wrong: {
      input: { id: nowhere, attempt: 1, step: 1 },
      words: ['plan', 'step', nowhere, '1', '1'],
      code: 'not_found',
    },
  },
  'planning.stop': {
    prepare: interrupted,
    input: ({ id }) => ({ id }),
    words: ({ id }) => ['plan', 'stop', id],
    wrong: { input: { id: nowhere }, words: ['plan', 'stop', nowhere], code: 'not_found' },
  },
};
