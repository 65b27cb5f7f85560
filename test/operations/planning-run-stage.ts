import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Baton, openBaton } from '../../packages/batonpass/src/operations/baton.ts';
import type { OperationInput } from '../../packages/batonpass/src/operations/catalogue.ts';
import { afterEachTest } from '../after-each-test.ts';
import { openStage, type Stage } from '../doors/stage.ts';
import type { ModelServer } from '../extraction/model/model-server.ts';
import { says, type Turn } from '../extraction/model/model-stream.ts';
import { key } from '../extraction/model/stage.ts';
import { writeTrusted } from '../trust/trusted-settings.ts';

const stages: Stage[] = [];
const batons: Baton[] = [];

afterEachTest(async () => {
  for (const baton of batons.splice(0)) await baton.close();
  for (const stage of stages.splice(0)) stage.close();
});

const example = join(import.meta.dirname, '../../examples/planning/snapshot.json');

/** What a brainstorm decided. */
export const snapshot = JSON.parse(readFileSync(example, 'utf8')) as OperationInput<'planning.hand-on'>['snapshot'];

/** A project whose models are on this server, and a clock that is fixed until it is moved. */
export interface PlanningStage extends Stage {
  clock: { now_ms: number };
  /** Opens the project again, as another process would. */
  open: () => Promise<Baton>;
  library: Baton;
  /** The names of the plans on the disk. */
  plans: () => string[];
  plan: (name: string) => string;
}

type Protocol = 'anthropic' | 'openai-compatible';

/** Opens a project with its own store. */
export async function openProject(
  server: ModelServer,
  { protocol = 'openai-compatible', price }: { protocol?: Protocol; price?: { input: number; output: number } } = {},
): Promise<PlanningStage> {
  const stage = openStage({ git: true });
  stages.push(stage);
  Object.assign(stage.environment, {
    BATON_MODEL_PROVIDER: protocol,
    BATON_MODEL_BASE_URL: server.url,
    BATON_MODEL: 'planner-1',
    BATON_MODEL_API_KEY_ENV: 'TEST_API_KEY',
    TEST_API_KEY: key,
  });
  if (price !== undefined) await writeTrusted(stage, { model: { price } });
  const clock = { now_ms: Date.now() };
  const open = async () => {
    const { folder: cwd, environment } = stage;
    const baton = await openBaton({ cwd, environment, surroundings: { now: () => clock.now_ms } });
    batons.push(baton);
    return baton;
  };
  const folder = join(stage.folder, '.claude/plans');
  return {
    ...stage,
    clock,
    open,
    library: await open(),
    plans: () => list(folder).filter((name) => !name.startsWith('.')),
    plan: (name) => readFileSync(join(folder, name, 'plan.md'), 'utf8'),
  };
}

function list(folder: string): string[] {
  try {
    return readdirSync(folder);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return [];
    throw error;
  }
}

/** A plan as a model gives it. */
export const modelPlan = {
  title: 'Signed cookies',
  tasks: [
    {
      name: 'Read the session code',
      phase: 'init',
      goal: 'Know what reads and writes sessions',
      acceptance_criteria: ['Every reader is known'],
      checklist: ['Read src/session.ts'],
    },
    { name: 'Rotate the key', phase: 'execute', goal: 'A new key every month', checklist: ['Write the rotation'] },
    { name: 'Check it', phase: 'finalize', goal: 'Old cookies are handled', checklist: ['Try an old cookie'] },
  ],
};

/** The turns of a model that does all that it should. */
export const goodTurns: Turn[] = [
  { text: 'I look at what was decided.', calls: [{ name: 'getHandoffContext', input: {} }] },
  {
    text: 'Signed cookies it is; the key is rotated first.',
    calls: [{ name: 'addDecision', input: { content: 'Keep the former key for a week' } }],
  },
  { calls: [{ name: 'writePlan', input: modelPlan }] },
  { calls: [{ name: 'completePlanning', input: { summary: 'Three tasks: read, rotate, check.' } }] },
];

/** Replies for these turns, one a request. */
export const replies = (turns: readonly Turn[]) => turns.map(says);
