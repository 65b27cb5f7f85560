import { expect } from 'vitest';
import { verifies } from '../../verifies.ts';
import { openHttp } from './http-stage.ts';
import { runTenants } from './tenants.ts';

const calls = Number(process.env.BATON_TENANT_CALLS ?? 600);
const seed = Number(process.env.BATON_TENANT_SEED ?? 20_261_122);

verifies(
  ['HTTP.tenants', 'HTTP.tokens', 'HTTP.mcp'],
  `${calls} calls of two projects show nothing of each other (seed ${seed})`,
  async () => {
    let now_ms = 0;
    // Time that runs faster than the calls come: what is looked for is not the rate.
    const timing = { now: () => (now_ms += 1_000), after: () => () => {} };
    const stage = await openHttp({ auth: true, timing });
    const { faults, calls: made, statuses } = await runTenants(stage, { calls, seed });
    expect(faults).toEqual([]);
    expect(made).toBe(calls);
    // Good calls, refused ones and bad tokens were all among them.
    expect(Math.min(statuses[200] ?? 0, statuses[404] ?? 0, statuses[401] ?? 0)).toBeGreaterThan(calls / 100);
  },
);

verifies(
  ['HTTP.tenants'],
  'what another project has is not found, by any name, and its folder is not shown',
  async () => {
    const { baton, token, call, ask } = await openHttp();
    const { id } = await baton.run('handoff.create', { content: { summary: 'of alpha', files: ['src/login.ts'] } });
    const foreign = await token('eve', { project: 'beta', role: 'admin' });
    for (const reference of [id, id.toLowerCase(), id.slice(-8)]) {
      for (const operation of [
        'handoff.get',
        'handoff.claim',
        'handoff.withdraw',
        'handoff.render',
        'handoff.events',
      ]) {
        const answer = await call(operation, { id: reference }, { token: foreign });
        expect([operation, answer.status, answer.body.code]).toEqual([operation, 404, 'not_found']);
      }
    }
    const status = await call('handoff.status', {}, { token: foreign });
    expect(JSON.stringify(status.body)).not.toContain(baton.context.workspace.root);
    expect(JSON.stringify((await call('handoff.get', { id }, { token: foreign })).body)).not.toContain('baton.db');
    for (const operation of ['handoff.check', 'conversation.list', 'conversation.extract', 'conversation.read']) {
      const answer = await call(operation, /extract|read/.test(operation) ? { path: '/etc/passwd' } : {}, {
        token: foreign,
      });
      expect([operation, answer.status, answer.body.code]).toEqual([operation, 503, 'unavailable']);
    }
    const authorization = { authorization: `Bearer ${foreign}` };
    expect((await ask('/api/events?project=alpha', { headers: authorization })).status).toBe(404);
    expect((await call('handoff.list', { all_projects: true }, { token: foreign })).body.code).toBe('invalid_input');
  },
);

verifies(['HTTP.tenants'], 'one key of two projects is two requests', async () => {
  const { token, call } = await openHttp();
  const [first, second] = [await token('ada', { project: 'alpha' }), await token('ada', { project: 'beta' })];
  const headers = { 'idempotency-key': 'same' };
  const content = { content: { summary: 'x' } };
  const one = await call('handoff.create', content, { token: first, headers });
  const two = await call('handoff.create', content, { token: second, headers });
  expect([one.body.project, two.body.project]).toEqual(['alpha', 'beta']);
  expect(one.body.id).not.toBe(two.body.id);
});
