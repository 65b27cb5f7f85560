import { expect } from 'vitest';
import { advance } from '../../packages/batonpass/src/core/lifecycle.ts';
import { presentHistory } from '../../packages/batonpass/src/doors/cli/present/history.ts';
import { type Baton, limits } from '../../packages/batonpass/src/index.ts';
import { openHttp } from '../doors/http/http-stage.ts';
import { connectTo } from '../doors/mcp-client.ts';
import { sampleHandoff } from '../formats/sample-handoff.ts';
import { verifies } from '../verifies.ts';
import { openForPlanning, planAgent, snapshotSaying } from './planning-stage.ts';

const view = { width: 120, now_ms: 0, style: (_format: unknown, text: string) => text, options: {} };

/** A handoff that the planning agent holds. */
async function hold(baton: Baton): Promise<{ id: string; token: string }> {
  await baton.run('planning.hand-on', { snapshot: snapshotSaying('Use cookies') });
  const { handoff } = await baton.run('handoff.claim', {}, { actor: planAgent });
  return { id: handoff?.id ?? '', token: handoff?.delivery.lease?.token ?? '' };
}

const historyOf = async (baton: Baton, id: string) => (await baton.run('handoff.events', { id })).events;

verifies(['PLANNING.report', 'LIFE.report'], 'a report is kept with its data and shown by the log', async () => {
  const baton = await openForPlanning();
  const held = await hold(baton);
  const data = { type: 'step', number: 3, tools: [{ name: 'writePlan', input: { title: 'Sessions' }, output: null }] };
  const reported = await baton.run('handoff.report', { ...held, text: 'Wrote the plan', data });
  expect(reported.delivery).toMatchObject({ state: 'claimed', version: 4 });
  expect(JSON.stringify(reported)).not.toContain(held.token);
  await baton.run('handoff.report', { ...held, text: 'Two\nlines' });
  const events = (await historyOf(baton, held.id)).slice(3);
  expect(events).toMatchObject([
    { name: 'handoff-reported', actor: planAgent, reason: 'Wrote the plan', details: { fence: 1, data } },
    { name: 'handoff-reported', reason: 'Two\nlines', details: { fence: 1 } },
  ]);
  expect(presentHistory(events, view)).toMatch(
    /reported {2}plan-agent {2}claimed {2}Wrote the plan \(by sam\) \(data: --json\)\n.*reported {2}plan-agent {2}claimed {2}Two.{1,3}lines \(by sam\)$/,
  );
});

verifies(['PLANNING.report'], 'secrets in the words and anywhere in the data of a report are masked', async () => {
  const baton = await openForPlanning();
  const held = await hold(baton);
  const secret = `ghp_${'a1B2'.repeat(9)}`;
  const data = { tools: [{ output: [`token ${secret}`] }] };
  await baton.run('handoff.report', { ...held, text: `Read ${secret}`, data });
  const [event] = (await historyOf(baton, held.id)).slice(-1);
  expect(event).toMatchObject({
    reason: 'Read [masked:github-token]',
    details: { data: { tools: [{ output: ['token [masked:github-token]'] }] } },
  });
  const { handoffs } = await (await baton.context.openStore()).export({ limit: 10 });
  expect(JSON.stringify(handoffs)).not.toContain(secret);
});

verifies(
  ['PLANNING.report', 'LIFE.lease'],
  'a report with a stale token is lease_lost and writes nothing',
  async () => {
    const baton = await openForPlanning();
    const stale = await hold(baton);
    await baton.run('handoff.release', stale);
    const refused = { code: 'lease_lost' };
    await expect(baton.run('handoff.report', { ...stale, text: 'Late' })).rejects.toMatchObject(refused);
    await baton.run('handoff.claim', {}, { actor: planAgent });
    await expect(baton.run('handoff.report', { ...stale, text: 'Late' })).rejects.toMatchObject(refused);
    expect((await historyOf(baton, stale.id)).map(({ name }) => name)).not.toContain('handoff-reported');
  },
);

verifies(
  ['PLANNING.report'],
  'words, data and number of reports are bounded; other steps are still taken',
  async () => {
    const baton = await openForPlanning();
    const held = await hold(baton);
    const report = (text: string, data?: unknown) => baton.run('handoff.report', { ...held, text, data });
    await expect(report(' ')).rejects.toMatchObject({ code: 'invalid_input' });
    await expect(report('x'.repeat(limits.entry_characters_max + 1))).rejects.toMatchObject({ code: 'invalid_input' });
    await expect(report('x', 'ä'.repeat(limits.report_data_bytes_max / 2))).rejects.toMatchObject({
      code: 'too_large',
      details: { bytes_max: limits.report_data_bytes_max },
    });
    const nested = JSON.parse('['.repeat(limits.json_depth_max + 5) + ']'.repeat(limits.json_depth_max + 5)) as unknown;
    await expect(report('x', nested)).rejects.toMatchObject({ code: 'too_large' });
    expect(await historyOf(baton, held.id)).toHaveLength(3);
  },
);

verifies(
  ['PLANNING.report', 'LIFE.table'],
  'a history that is full takes no more reports, and every other step',
  () => {
    const context = { actor: planAgent, now_ms: 0, random: () => 0.5 };
    const at = (version: number) => {
      const lease = { holder: 'plan-agent', holder_type: 'agent', token: 't', fence: 1 } as const;
      return sampleHandoff({ delivery: { state: 'claimed', version, lease, fence: 1 } });
    };
    const report = { type: 'report', token: 't', text: 'x' } as const;
    expect(advance(at(limits.reported_version_max - 1), report, context)?.handoff.delivery.version).toBe(
      limits.reported_version_max,
    );
    const full = at(limits.reported_version_max);
    expect(() => advance(full, report, context)).toThrowError(/no reports are accepted beyond/);
    expect(() => advance(full, { ...report, token: 'stale' }, context)).toThrowError(
      expect.objectContaining({ code: 'lease_lost' }),
    );
    expect(advance(full, { type: 'acknowledge', token: 't' }, context)?.handoff.delivery.state).toBe('acknowledged');
  },
);

verifies(['PLANNING.report'], 'over HTTP a report is made and sent to every listener', async () => {
  const { baton, call, ask } = await openHttp();
  const { id } = await baton.run('handoff.create', { content: { summary: 'Finish it' } });
  const { handoff } = await baton.run('handoff.claim', {});
  const held = { id, token: handoff?.delivery.lease?.token ?? '' };
  const stream = await ask('/api/events?after_seq=2');
  expect((await call('handoff.report', { ...held, text: 'Half of it', data: [1] })).status).toBe(200);
  expect((await call('handoff.report', { ...held, token: 'wrong', text: 'x' })).body.code).toBe('lease_lost');
  let told = '';
  for await (const chunk of stream.body as ReadableStream<Uint8Array>) {
    told += new TextDecoder().decode(chunk);
    if (told.includes('event: handoff-reported') && told.endsWith('\n\n')) break;
  }
  expect(told).toContain('"reason":"Half of it","details":{"fence":1,"data":[1]}');
});

verifies(['PLANNING.report'], 'an agent reports over MCP, and the same key reports once', async () => {
  const baton = await openForPlanning();
  const held = await hold(baton);
  const { ask, call, close } = await connectTo(baton);
  const input = { action: 'report', ...held, text: 'Half of it', data: { files: 4 }, idempotency_key: 'k' };
  const answer = await ask<{ handoff: { id: string; state: string } }>('handoff_update', input);
  expect(answer.handoff).toMatchObject({ id: held.id, state: 'claimed' });
  await ask('handoff_update', input);
  const refused = await call('handoff_update', { ...input, text: 'Another', idempotency_key: 'l', token: 'wrong' });
  expect(refused).toMatchObject({ isError: true, structuredContent: { error: { code: 'lease_lost' } } });
  const { events } = await ask<{ events: { name: string; details: object }[] }>('handoff_read', {
    action: 'log',
    id: held.id,
  });
  expect(events.filter(({ name }) => name === 'handoff-reported')).toMatchObject([
    { reason: 'Half of it', details: { fence: 1, data: { files: 4 } } },
  ]);
  await close();
});
