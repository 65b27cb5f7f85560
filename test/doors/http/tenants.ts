import { expect } from 'vitest';
import { snapshotSaying } from '../../planning/planning-stage.ts';
import type { Body, Called, HttpStage } from './http-stage.ts';

/** A random source that a seed repeats: mulberry32. */
export function createRandom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

interface Agent {
  name: string;
  project: string;
  token: string;
  /** What it received: ids and lease tokens. */
  ids: string[];
  leases: { id: string; token: string }[];
}

/** What a run of generated calls found. */
export interface TenantsReport {
  calls: number;
  /** Answers that showed another project, and calls that were answered to a bad token. */
  faults: string[];
  statuses: Record<string, number>;
}

/** Five agents of two projects, and tokens that are good no more. */
async function openAgents({ token, baton }: HttpStage): Promise<{ agents: Agent[]; bad: string[] }> {
  const names = ['ada', 'bo', 'cy', 'ada', 'eve'];
  const projects = ['alpha', 'alpha', 'beta', 'beta', 'beta'];
  const agents = await Promise.all(
    names.map(async (name, index) => {
      const project = projects[index] ?? '';
      const role = index % 2 === 0 ? ('reviewer' as const) : ('agent' as const);
      return { name, project, token: await token(name, { project, role }), ids: [], leases: [] };
    }),
  );
  const revoked = await token('gone');
  const { tokens } = await baton.run('token.list', {});
  await baton.run('token.revoke', { id: tokens.find(({ name }) => name === 'gone')?.id ?? '' });
  const [first] = agents;
  const guessed = first?.token.replace(/.$/, (last) => (last === 'A' ? 'B' : 'A')) ?? '';
  return { agents, bad: [revoked, guessed, 'baton__', 'x'] };
}

type Pick = <T>(from: readonly T[]) => T;

/** One call as an agent might make it, with ids that it knows, that others know, and that do not exist. */
function generate(agent: Agent, agents: readonly Agent[], { pick, random }: { pick: Pick; random: () => number }) {
  const known = agents.flatMap(({ ids }) => ids);
  const id = random() < 0.1 || known.length === 0 ? 'ZZZZZZZZ' : shorten(pick(known), random());
  const lease = pick([...agents.flatMap(({ leases }) => leases), { id, token: 'guessed' }]);
  const mark = `of ${agent.project}`;
  const calls: [string, object][] = [
    ['handoff.create', { content: { summary: mark, task_id: pick(['one', 'two']) } }],
    ['handoff.create', { content: { summary: mark, supersedes_id: id } }],
    ['handoff.create', { content: { summary: mark, parent_id: id }, draft: true }],
    ['handoff.claim', {}],
    ['handoff.claim', { id }],
    ['handoff.claim', { acknowledge: lease }],
    ['handoff.resume', {}],
    ['handoff.get', { id }],
    ['handoff.render', { id }],
    ['handoff.events', random() < 0.5 ? {} : { id }],
    ['handoff.list', random() < 0.2 ? { all_projects: true } : { limit: 20 }],
    ['handoff.list', { project: pick(['alpha', 'beta']) }],
    ['handoff.status', {}],
    ['handoff.check', {}],
    ['handoff.acknowledge', lease],
    ['handoff.release', lease],
    ['handoff.renew', lease],
    ['handoff.report', { ...lease, text: mark, data: { of: mark } }],
    ['handoff.fail', { ...lease, reason: mark }],
    ['handoff.ask', { ...lease, question: mark }],
    ['handoff.answer', { id, answer: mark }],
    ['handoff.edit', { id, changes: { title: mark } }],
    ['handoff.approve', { id }],
    ['planning.hand-on', { snapshot: snapshotSaying(mark), supersedes_id: random() < 0.5 ? id : undefined }],
    ['handoff.withdraw', { id }],
    ['handoff.reopen', { id }],
  ];
  return pick(calls);
}

function shorten(id: string, chance: number): string {
  return chance < 0.5 ? id.slice(-6) : id;
}

/**
 * Lets the agents make generated calls over real connections, the same few idempotency keys and JSON-RPC ids among
 * them, and checks each answer for anything of another project.
 */
export async function runTenants(
  stage: HttpStage,
  { calls, seed }: { calls: number; seed: number },
): Promise<TenantsReport> {
  const random = createRandom(seed);
  const pick: Pick = (from) => from[Math.floor(random() * from.length)] as (typeof from)[number];
  const { agents, bad } = await openAgents(stage);
  const report: TenantsReport = { calls: 0, faults: [], statuses: {} };
  const one = async () => {
    const agent = pick(agents);
    const [operation, input] = generate(agent, agents, { pick, random });
    const isBad = random() < 0.05;
    const headers: Record<string, string> = random() < 0.2 ? { 'idempotency-key': pick(['same', 'again']) } : {};
    const isMcp = !isBad && random() < 0.1;
    const answer = isMcp
      ? await callTool(stage, agent)
      : await stage.call(operation, input, { token: isBad ? pick(bad) : agent.token, headers });
    report.calls += 1;
    report.statuses[answer.status] = (report.statuses[answer.status] ?? 0) + 1;
    const told = JSON.stringify(answer.body);
    const foreign = agents.filter(({ project }) => project !== agent.project);
    const leaks =
      told.includes(`of ${foreign[0]?.project}`) ||
      foreign.some(({ ids }) => ids.some((id) => isToldOf(told, id, input)));
    if (
      isBad
        ? ![401, 429].includes(answer.status)
        : leaks || (answer.status >= 500 && (answer.body.code as unknown) !== 'unavailable')
    ) {
      report.faults.push(
        `${agent.name} of ${agent.project}: ${operation} ${JSON.stringify(input)} → ${told.slice(0, 300)}`,
      );
    }
    if (!isBad) learn(agent, answer, told);
  };
  for (let done = 0; done < calls; done += 10) await Promise.all(Array.from({ length: 10 }, one));
  return report;
}

/** An answer repeats what was asked for; anything else that names the other's is a leak. */
function isToldOf(told: string, id: string, input: object): boolean {
  return told.includes(id) && !JSON.stringify(input).includes(id);
}

function learn(agent: Agent, { status, body }: Called, told: string): void {
  if (status !== 200) return;
  for (const [, id = ''] of told.matchAll(/"id":"([0-9A-HJKMNP-TV-Z]{26})"/g))
    if (!agent.ids.includes(id)) agent.ids.push(id);
  const lease = (body.handoff as Body | null | undefined)?.delivery?.lease?.token as unknown as string | undefined;
  if (lease !== undefined) agent.leases.push({ id: String(body.handoff?.id), token: lease });
  agent.ids.splice(0, agent.ids.length - 40);
  agent.leases.splice(0, agent.leases.length - 10);
}

/** Over the protocol, always with the same id of the request. */
async function callTool({ ask }: HttpStage, { token }: Agent): Promise<Called> {
  const params = { name: 'handoff_read', arguments: { action: 'list' } };
  const answer = await ask('/mcp', {
    method: 'POST',
    headers: { authorization: `Bearer ${token}`, accept: 'application/json, text/event-stream' },
    body: JSON.stringify({ jsonrpc: '2.0', id: 7, method: 'tools/call', params }),
  });
  const text = await answer.text();
  expect(text).toContain('"id":7');
  const json = /^data: (.*)$/m.exec(text)?.[1] ?? text;
  return { status: answer.status, headers: answer.headers, body: JSON.parse(json) as Body };
}
