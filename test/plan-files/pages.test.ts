import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect } from 'vitest';
import { type HttpStage, openHttp } from '../doors/http/http-stage.ts';
import { verifies } from '../verifies.ts';

let folder: string;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'baton-pages-'));
});

afterEach(() => rmSync(folder, { recursive: true, force: true }));

/** A plan of two phases, with as many tasks in each. */
function writePlanOf(tasks: number, name: string): void {
  const phases = ['init', 'implement'];
  const rows = phases.map((phase) => `| ${phase} | pending | ${tasks / 2} | 0/${tasks / 2} |`);
  const sections = phases.map((phase, index) => {
    const each = Array.from({ length: tasks / 2 }, (_, place) => {
      const number = index * (tasks / 2) + place + 1;
      return `### Task ${number}: Do thing ${number}\n\n**Phase**: ${phase}\n**Goal**: Thing ${number}\n\n**Checklist**:\n- [ ] one\n`;
    });
    return `## Phase: ${phase} (pending)\n\n${each.join('\n')}`;
  });
  const head = `# The plan ${name}\n\n**Current Phase**: init\n**Current Task**: task-1\n\n---\n\n## Phase Progress\n\n| Phase | Status | Tasks | Completed |\n|---|---|---|---|\n`;
  const place = join(folder, '.claude/plans', name);
  mkdirSync(place, { recursive: true });
  writeFileSync(join(place, 'plan.md'), `${head}${rows.join('\n')}\n\n---\n\n${sections.join('\n---\n\n')}`);
}

const openHere = () => openHttp({}, { cwd: folder });

/** All pages of an answer over HTTP, as a program follows them. */
async function follow(stage: HttpStage, path: string): Promise<{ names: string[]; largest: number; pages: number }> {
  const names: string[] = [];
  let largest = 0;
  let pages = 0;
  for (let next: string | undefined = path; next !== undefined; ) {
    const answer = await stage.ask(next);
    const text = await answer.text();
    expect(answer.status).toBe(200);
    largest = Math.max(largest, text.length);
    pages += 1;
    const body = JSON.parse(text) as {
      phases: { tasks: { name: string }[] }[];
      tasks_current_phase?: { name: string }[];
    };
    const tasks = body.tasks_current_phase ?? body.phases.flatMap((phase) => phase.tasks);
    names.push(...tasks.map(({ name }) => name));
    next = /^<([^>]+)>; rel="next"$/.exec(answer.headers.get('link') ?? '')?.[1];
  }
  return { names, largest, pages };
}

verifies(
  ['PLAN.pages', 'HTTP.paging'],
  'a plan of 5,000 tasks is read in pages, each task once, over HTTP too',
  async () => {
    writePlanOf(5_000, 'large');
    const stage = await openHere();
    const outline = await follow(stage, '/api/plan.outline?plan_directory=large');
    expect([outline.names.length, new Set(outline.names).size, outline.pages]).toEqual([5_000, 5_000, 10]);
    expect(outline.names.at(-1)).toBe('Do thing 5000');
    expect(outline.largest).toBeLessThan(100_000);
    const current = await follow(stage, '/api/plan.read-plan?plan_directory=large');
    expect([current.names.length, current.pages]).toEqual([2_500, 5]);
    const { phases } = await stage.baton.run('plan.outline', { plan_directory: 'large', limit: 1 });
    expect(phases.map(({ tasks_total, tasks }) => [tasks_total, tasks.length])).toEqual([
      [2_500, 1],
      [2_500, 0],
    ]);
    await expect(stage.baton.run('plan.outline', { plan_directory: 'large', limit: 5_000 })).rejects.toThrow(/limit/);
  },
);

verifies(['PLAN.list', 'HTTP.catalogue'], 'plans are listed with title and progress, over HTTP too', async () => {
  writePlanOf(4, 'login');
  const stage = await openHere();
  const { plans } = (await (await stage.ask('/api/plan.list')).json()) as { plans: object[] };
  expect(plans).toEqual([
    {
      name: 'login',
      plan_directory: '.claude/plans/login/',
      title: 'The plan login',
      plan_status: { current_phase: 'init', current_task: 'task-1', overall_status: 'pending' },
      tasks_total: 4,
      tasks_completed: 0,
    },
  ]);
});

verifies(
  ['HTTP.catalogue', 'HTTP.access'],
  'an agent keeps a plan over HTTP alone; another project’s does not',
  async () => {
    const stage = await openHere();
    const token = await stage.token('codex');
    const call = async (operation: string, input: object, given = token) =>
      (await stage.call(operation, input, { token: given })).body;
    expect(await call('plan.create-directory', { task_name: 'login' })).toMatchObject({ outcome: 'created' });
    const plan_directory = 'login';
    await call('plan.write-config', {
      plan_directory,
      configuration: { plan_type: 'simple', branch: 'feature/login' },
    });
    const tasks = ['init', 'execute', 'finalize'].map((phase) => ({ name: `Do ${phase}`, phase, goal: 'It is done' }));
    expect(await call('plan.write-plan', { plan_directory, plan_content: { title: 'Login', tasks } })).toMatchObject({
      outcome: 'created',
    });
    const reference_data = { identifier: 'ADR-1', title: 'Sessions', path: 'docs/adr-1.md' };
    const reference = { plan_directory, action: 'add', reference_type: 'adr', reference_data };
    expect(await call('plan.write-references', reference)).toMatchObject({ outcome: 'updated' });
    expect(await call('plan.get-references', { plan_directory })).toMatchObject({ references: { adrs: ['ADR-1'] } });
    expect(await call('plan.validate-plan', { plan_directory })).toMatchObject({ outcome: 'valid' });
    const message = JSON.stringify({ operation: 'read-plan', plan_directory });
    expect(await call('plan.consult', { message, format: 'json' })).toMatchObject({ status: 'success' });
    const foreign = await stage.token('eve', { project: 'beta', role: 'admin' });
    for (const operation of ['plan.write-plan', 'plan.read-plan', 'plan.list'])
      expect(await call(operation, { plan_directory }, foreign)).toMatchObject({ code: 'unavailable' });
  },
);
