import { type Baton, createBaton } from '../packages/batonpass/src/operations/baton.ts';
import type { HandedOver } from './sample-handoffs.ts';

/** The writer, how many hours ago it happens, and what is planned. */
export interface NotesPlanning {
  writer: Baton;
  at: (hours: number) => void;
  content: HandedOver;
}

const HOUR_MS = 3_600_000;

const actor = { name: 'plan-agent', type: 'agent' } as const;

/**
 * Plans a handoff as an agent without a model of ours does: an attempt that was given up, one that ends with a plan, the
 * work on its first task, and what was handed over of that. Gives the handoff that was planned.
 */
export async function planNotes({ writer, at, content: { content, hours_ago } }: NotesPlanning): Promise<string> {
  at(hours_ago);
  const { id } = await writer.handoff.create({ content, draft: false });
  const planner = createBaton({ ...writer, run: (name, input) => writer.run(name, input, { actor }) });
  const given = await begin(planner, id);
  await planner.handoff.release({ ...given, reason: 'The files were being moved.' });
  at(hours_ago - 1);
  const held = await begin(planner, id);
  let spent_ms = 400;
  for (const step of steps) {
    // Reported when it is done; the next one begins soon after.
    spent_ms += step.duration_ms;
    at(hours_ago - 1 - spent_ms / HOUR_MS);
    await planner.handoff.report({ ...held, text: step.text, data: { type: 'step', ...step } });
    spent_ms += 150;
  }
  for (const decision of decided) await planner.planning.addDecision({ ...held, content: decision });
  const summary = 'Three phases: know what writes, write to the phone first, and try it on the ferry.';
  await planner.planning.complete({ ...held, summary, plan_content, plan_name: 'offline-notes' });
  await workOn({ writer, at, hours_ago: hours_ago - 4 });
  return id;
}

/** What each further step of the holder names. */
export interface Held {
  id: string;
  token: string;
}

/** Takes a handoff, and gives what its holder names from then on. */
export async function claim(receiver: Baton, id: string): Promise<Held> {
  const { handoff } = await receiver.handoff.claim({ id });
  return { id, token: handoff?.delivery.lease?.token ?? '' };
}

async function begin(planner: Baton, id: string): Promise<Held> {
  const held = await claim(planner, id);
  const instructions_sha256 = 'a3'.repeat(32);
  const data = { type: 'run-started', planner: 'plan-agent', instructions_sha256, steps_max: 20 };
  await planner.handoff.report({ ...held, text: 'Planning begins.', data });
  return held;
}

/** The first task is done, and two handoffs continue from the plan. */
async function workOn({ writer, at, hours_ago }: Pick<NotesPlanning, 'writer' | 'at'> & { hours_ago: number }) {
  at(hours_ago);
  for (const [task_id, ...checklist_items] of ticked) {
    const update = { task_id, status: 'completed' as const, checklist_items };
    await writer.plan.updateProgress({ plan_directory: 'offline-notes', update });
  }
  const { handoffs } = await writer.handoff.list({ kind: 'plan' });
  const parent_id = handoffs[0]?.id;
  for (const [title, source_agent] of found)
    await writer.handoff.create({
      content: { title, summary: 'Found at the first task of the plan.', source_agent, parent_id, task_id: 'notes' },
      draft: false,
    });
}

/** The items of each task that are done. */
const ticked = [
  ['task-1', 0, 1, 2],
  ['task-2', 0],
] as const;

const found = [
  ['Three readers bypass the note store', 'codex'],
  ['The schema has no place for a second version', 'gemini-cli'],
] as const;

const decided = ['Keep the former version for thirty days', 'Send changes in the order in which they were typed'];

/** As the planning agent itself reports its steps. */
const steps = [
  {
    number: 1,
    tools: [{ name: 'getHandoffContext', input: {}, output: { decisions: 3, files: 2, risks: 1 } }],
    text: 'Three decisions, two files, one risk. The risk decides the order: conflicts first.',
    tokens: { input: 1840, output: 96 },
    duration_ms: 1900,
  },
  {
    number: 2,
    tools: [{ name: 'addDecision', input: { content: decided[0] ?? '' }, output: { added: true } }],
    text: 'Both versions stay, so something has to say for how long.',
    tokens: { input: 2010, output: 118 },
    duration_ms: 2600,
  },
  {
    number: 3,
    tools: [{ name: 'addDecision', input: { content: decided[1] ?? '' }, output: { added: true } }],
    text: 'Without an order of its own, a later word could arrive first.',
    tokens: { input: 2190, output: 104 },
    duration_ms: 2100,
  },
  {
    number: 4,
    tools: [{ name: 'writePlan', input: { phases: 3, tasks: 4 }, output: { written: true } }],
    text: 'Four tasks in three phases.',
    tokens: { input: 2460, output: 870 },
    duration_ms: 7400,
  },
  {
    number: 5,
    tools: [{ name: 'completePlanning', input: { summary: 'Three phases.' }, output: { complete: true } }],
    text: 'The plan is whole.',
    tokens: { input: 3390, output: 61 },
    duration_ms: 1200,
  },
];

const plan_content = {
  title: 'Notes that work without a network',
  phases: ['init', 'execute', 'finalize'],
  tasks: [
    {
      name: 'Find what reads and writes notes',
      phase: 'init',
      goal: 'Every place is known before one is changed',
      acceptance_criteria: ['Each reader and each writer is listed'],
      checklist: ['Read src/notes/note-store.ts', 'List its callers', 'Read src/notes/sync.ts'],
    },
    {
      name: 'Write to the phone first',
      phase: 'execute',
      goal: 'Nothing that was typed is lost',
      acceptance_criteria: ['A note survives a crash between two keys'],
      checklist: ['Save at every keystroke', 'Send changes in their order'],
    },
    {
      name: 'Show a conflict and keep both versions',
      phase: 'execute',
      goal: 'Nobody overwrites the words of somebody else unseen',
      checklist: ['Keep the former version', 'Show both side by side'],
    },
    { name: 'Try it on the ferry', phase: 'finalize', goal: 'It holds where it failed', checklist: ['One day at sea'] },
  ],
};
