import type { Baton, ContentInput } from '../../packages/batonpass/src/index.ts';

/** What a run in a test does. */
export interface PlannedRun {
  /** The tool of each step. */
  tools?: readonly string[];
  decisions?: readonly string[];
  /** How it ends. Default: with a plan. */
  ends?: 'completed' | 'failed' | 'stopped' | 'running';
}

/** Writes a handoff for the planning agent that is open at once. */
export async function writeForPlanner(baton: Baton, content: ContentInput = {}): Promise<string> {
  const { id } = await baton.run('handoff.create', {
    content: {
      title: 'Offline notes',
      summary: 'Notes are written on the phone first.',
      decisions: ['Write to the phone first', 'Keep both versions'],
      files: [{ path: 'src/notes/sync.ts', context: 'sends changes' }],
      risks: [{ description: 'Two phones edit one note', severity: 'high' }],
      target_agent: 'plan-agent',
      ...content,
    },
  });
  return id;
}

/** Plans a handoff as an agent over the operations does: each step is reported as the planning agent itself reports it. */
export async function planByAgent(baton: Baton, id: string, run: PlannedRun = {}): Promise<void> {
  const {
    tools = ['getHandoffContext', 'addDecision', 'writePlan', 'completePlanning'],
    decisions = ['Keep the former key for a week', 'Photos come later'],
    ends = 'completed',
  } = run;
  const actor = { name: 'plan-agent', type: 'agent' } as const;
  const { handoff } = await baton.run('handoff.claim', { id }, { actor });
  const token = handoff?.delivery.lease?.token ?? '';
  const report = (text: string, data: object) =>
    baton.run('handoff.report', { id, token, text, data: data as never }, { actor });
  await report('Planning begins.', {
    type: 'run-started',
    planner: 'test/planner-1',
    instructions_sha256: '0'.repeat(64),
    steps_max: 20,
  });
  // Begun in their order, and written together.
  await Promise.all(tools.map((name, at) => report(`Step ${at + 1}`, { type: 'step', ...stepOf(at + 1, name) })));
  for (const content of decisions) await baton.run('planning.add-decision', { id, token, content }, { actor });
  if (ends === 'completed') {
    await baton.run(
      'planning.complete',
      { id, token, summary: 'Two phases, three tasks.', plan_content, plan_name: 'offline-notes' },
      { actor },
    );
  }
  if (ends === 'stopped') await baton.run('handoff.release', { id, token }, { actor });
  if (ends === 'failed') await baton.run('handoff.fail', { id, token, reason: 'The model gave up.' }, { actor });
}

function stepOf(number: number, name: string) {
  return {
    number,
    tools: [{ name, input: { about: `step ${number}` }, output: { said: `answer ${number}`, nested: { deep: true } } }],
    text: `I am at step ${number}.`,
    tokens: { input: 100 * number, output: 10 },
    duration_ms: 400 + ((number * 137) % 900),
  };
}

const plan_content = {
  title: 'Offline notes',
  phases: ['init', 'execute', 'finalize'],
  tasks: [
    {
      name: 'Read the sync code',
      phase: 'init',
      goal: 'Know what reads and writes notes',
      acceptance_criteria: ['Every reader is known'],
      checklist: ['Read src/notes/sync.ts', 'List its callers'],
    },
    { name: 'Write first to the phone', phase: 'execute', goal: 'Nothing is lost', checklist: ['Write the queue'] },
    { name: 'Try it', phase: 'finalize', goal: 'It holds', checklist: ['Two phones, one note'] },
  ],
};
