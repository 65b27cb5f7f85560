import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect } from 'vitest';
import { limits } from '../../packages/batonpass/src/core/limits.ts';
import type { Baton } from '../../packages/batonpass/src/index.ts';
import { renderForSession } from '../../packages/batonpass/src/operations/sessions/render-for-session.ts';
import { answers, status } from '../extraction/model/model-server.ts';
import { serve } from '../extraction/model/stage.ts';
import { verifies } from '../verifies.ts';
import { A, B, C, SessionBench } from './session-bench.ts';

let bench: SessionBench;
let baton: Baton;

beforeEach(async () => {
  bench = new SessionBench();
  baton = await bench.open();
});

afterEach(() => bench.close());

const titlesOf = async () =>
  (await bench.listOpen(baton)).map(({ content }) => content.decisions.map((d) => d.content));

verifies(['LIFE.session', 'HOOK.save'], 'a later save of a session replaces its unclaimed one', async () => {
  bench.work(A);
  await bench.note(baton, A);
  const [first] = await bench.listOpen(baton);
  expect(first?.content.origin).toMatchObject({ host: 'claude-code', session: A, branch: 'main', trigger: 'Stop' });
  expect(first?.content.decisions.map(({ content }) => content).join()).toMatch(/Postgres/);
  expect(Date.parse(first?.content.expires_at ?? '')).toBe(bench.now_ms + limits.saved_offer_ms);

  await bench.note(baton, A);
  expect((await bench.listOpen(baton)).map(({ id }) => id)).toEqual([first?.id]);

  bench.say(A, 'user', 'Also, we must keep the old table until March.');
  await bench.note(baton, A);
  const [second, ...others] = await bench.listOpen(baton);
  expect(others).toEqual([]);
  expect(second?.content.supersedes_id).toBe(first?.id);
  const former = await baton.run('handoff.get', { id: first?.id ?? '' });
  expect(former.delivery.state).toBe('withdrawn');
});

verifies(['LIFE.session'], 'a claimed handoff is not taken from its holder by a later save', async () => {
  bench.work(A);
  await bench.note(baton, A);
  const [saved] = await bench.listOpen(baton);
  const { handoff } = await baton.run('handoff.claim', { id: saved?.id });
  bench.say(A, 'user', 'Also, we must keep the old table until March.');
  await bench.note(baton, A);
  expect((await baton.run('handoff.get', { id: handoff?.id ?? '' })).delivery.state).toBe('claimed');
  const [second] = await bench.listOpen(baton);
  expect(second?.content.supersedes_id).toBeUndefined();
});

verifies(['HOOK.save'], 'what the host says was said last is saved before the transcript has it', async () => {
  bench.say(A, 'user', 'Find out why the login fails.');
  const last_words = 'Found it. One risk remains: the token could expire during the upload and lose data.';
  await bench.note(baton, A, { last_words });
  const [saved] = await bench.listOpen(baton);
  expect(JSON.stringify(saved?.content)).toMatch(/expire during the upload/);
  bench.say(A, 'assistant', last_words);
  await bench.note(baton, A, { last_words });
  expect((await bench.listOpen(baton)).map(({ id }) => id)).toEqual([saved?.id]);
});

verifies(['HOOK.nothing'], 'a session that said nothing saves nothing, with or without a transcript', async () => {
  await bench.note(baton, A);
  bench.say(A, 'user', 'hi');
  bench.say(A, 'assistant', 'Hello!');
  await bench.end(baton, A);
  expect(await bench.listOpen(baton)).toEqual([]);
});

verifies(
  ['LIFE.resume', 'HOOK.live'],
  'the newest context of the branch is offered, never a live session’s',
  async () => {
    bench.work(A);
    await bench.end(baton, A);
    bench.now_ms += 1_000;
    // Newer, but at work still.
    bench.work(B, 'We will use Kafka for the events, not a table.');
    const other = await bench.open(bench.startHost());
    await bench.start(other, B, { source: 'fork' });
    await bench.note(other, B);
    // Newer, but of another branch, of a task's queue, or for somebody else.
    bench.git('checkout', '--quiet', '-b', 'other');
    await baton.run('handoff.create', { content: { summary: 'of another branch' } });
    bench.git('checkout', '--quiet', 'main');
    await baton.run('handoff.create', { content: { summary: 'queued', task_id: 't' } });
    await baton.run('handoff.create', { content: { summary: 'addressed', target_agent: 'reviewer' } });
    await baton.run('handoff.create', { content: { summary: 'a plan', kind: 'plan' } });

    const started = await bench.start(baton, C);
    expect(started.text).toMatch(/Postgres/);
    expect(started.text).not.toMatch(/Kafka/);
    const { delivery } = await baton.run('handoff.get', { id: started.handoff_id ?? '' });
    expect(delivery).toMatchObject({ state: 'claimed', lease: { holder: 'claude-code', holder_type: 'hook' } });
    expect(delivery.offered).toMatchObject({ session: C, host: 'claude-code', from_byte: 0 });
  },
);

verifies(
  ['LIFE.resume', 'HOOK.live'],
  'a session that has ended, or whose process is gone, is live no more',
  async () => {
    const host = bench.startHost();
    const hosted = await bench.open(host);
    await bench.start(hosted, A);
    bench.work(A);
    await bench.note(hosted, A);
    expect((await bench.start(baton, B)).handoff_id).toBeNull();
    await bench.kill(host);
    expect((await bench.start(baton, C)).text).toMatch(/Postgres/);
  },
);

verifies(['HOOK.lost'], 'what a killed session said after its last hook is saved by the next start', async () => {
  const host = bench.startHost();
  const hosted = await bench.open(host);
  bench.now_ms = Date.now() - 60_000;
  await bench.start(hosted, A);
  bench.work(A);
  await bench.kill(host);
  bench.now_ms = Date.now();
  const started = await bench.start(baton, B);
  expect(started.text).toMatch(/Postgres/);
  const { content } = await baton.run('handoff.get', { id: started.handoff_id ?? '' });
  expect(content.origin).toMatchObject({ session: A, trigger: 'lost' });
});

verifies(
  ['LIFE.injected', 'HOOK.log'],
  'the next question finds the proof in the transcript, and the log records it',
  async () => {
    bench.work(A);
    await bench.end(baton, A);
    const { text, handoff_id } = await bench.start(baton, B);
    const id = handoff_id ?? '';
    expect((await baton.run('handoff.get', { id })).delivery.state).toBe('claimed');
    bench.show(B, text);
    const { delivery } = await baton.run('handoff.get', { id });
    expect(delivery).toMatchObject({ state: 'acknowledged', acknowledged_by: 'claude-code', injected: { session: B } });
    const { events } = await baton.run('handoff.events', { id });
    expect(events.map(({ name }) => name)).toEqual(['handoff-created', 'handoff-claimed', 'handoff-injected']);
    expect(events.at(-1)?.details).toMatchObject({ session: B, row: 'hook_additional_context' });
  },
);

verifies(
  ['LIFE.injected'],
  'only what a transcript shows after the offer is its proof, also where the facts of the session are lost',
  async () => {
    bench.work(A);
    await bench.end(baton, A);
    const host = bench.startHost();
    const { text, handoff_id } = await bench.start(await bench.open(host), B);
    await bench.kill(host);
    // What another session showed of it is in this one's transcript, as in a fork's.
    bench.show(C, text);
    const again = await bench.start(baton, C);
    expect(again.handoff_id).toBe(handoff_id);
    const id = handoff_id ?? '';
    const state = async () => (await baton.run('handoff.get', { id })).delivery.state;
    expect(await state()).toBe('claimed');
    rmSync(join(bench.folder, '.git/baton/sessions'), { recursive: true });
    expect(await state()).toBe('claimed');
    bench.show(C, again.text);
    expect(await state()).toBe('acknowledged');
  },
);

verifies(['LIFE.injected'], 'a proof is found where a later hook of the session says its transcript is', async () => {
  bench.work(A);
  await bench.end(baton, A);
  const { text, handoff_id } = await bench.start(baton, B);
  await bench.note(baton, B, { transcript: bench.transcript(C) });
  bench.show(C, text);
  const { delivery } = await baton.run('handoff.get', { id: handoff_id ?? '' });
  expect(delivery).toMatchObject({ state: 'acknowledged', injected: { session: B } });
});

verifies(
  ['LIFE.injected'],
  'a handoff that a session shows is not given to another, though its lease has lapsed',
  async () => {
    bench.work(A);
    await bench.end(baton, A);
    const { text } = await bench.start(await bench.open(bench.startHost()), B);
    bench.show(B, text);
    bench.now_ms += limits.lease_ms_default + 1;
    expect((await baton.run('handoff.claim', {})).handoff).toBeNull();
    expect((await bench.start(baton, C)).handoff_id).toBeNull();
  },
);

verifies(
  ['HOOK.release'],
  'a session that ends without proof releases what it was offered, and it is offered again',
  async () => {
    bench.work(A);
    await bench.end(baton, A);
    const { handoff_id } = await bench.start(baton, B);
    await bench.end(baton, B);
    const { delivery } = await baton.run('handoff.get', { id: handoff_id ?? '' });
    expect(delivery).toMatchObject({ state: 'open', attempts: 0 });
    expect((await bench.start(baton, C)).handoff_id).toBe(handoff_id);
  },
);

verifies(
  ['HOOK.release', 'HOOK.killed'],
  'what was put into a session that was killed is offered at the next start',
  async () => {
    bench.work(A);
    await bench.end(baton, A);
    const host = bench.startHost();
    const { handoff_id } = await bench.start(await bench.open(host), B);
    await bench.kill(host);
    expect((await bench.start(baton, C)).handoff_id).toBe(handoff_id);
  },
);

verifies(['HOOK.carry-on'], 'a session that only read hands on what it was given', async () => {
  bench.work(A);
  await bench.end(baton, A);
  const { text, handoff_id } = await bench.start(baton, B);
  bench.show(B, text);
  bench.say(B, 'user', 'hi');
  await bench.end(baton, B);
  const [handed] = await bench.listOpen(baton);
  expect(handed?.content.parent_id).toBe(handoff_id);
  expect(handed?.content.origin?.session).toBe(B);
  expect(handed?.content.decisions[0]).toMatchObject({
    content: expect.stringMatching(/Postgres/),
    evidence: { transcript: A },
  });
  expect((await bench.start(baton, C)).text).toMatch(/Postgres/);
});

verifies(['HOOK.carry-on'], 'a session that went on hands on both, without what it revoked', async () => {
  bench.work(A, 'We will use Postgres for the queue. Never log the tokens.');
  await bench.end(baton, A);
  const { text } = await bench.start(baton, B);
  bench.show(B, text);
  bench.work(B, 'We will use one table for the handoffs, not two.');
  await bench.end(baton, B);
  const [decisions] = await titlesOf();
  expect(decisions?.join('\n')).toMatch(/one table[\s\S]*Postgres/);
  expect(new Set(decisions).size).toBe(decisions?.length);
});

verifies(['HOOK.interactive'], 'a session without a person before it never claims; its save is a result', async () => {
  bench.work(A);
  await bench.end(baton, A);
  expect(await bench.start(baton, B, { interactive: false })).toMatchObject({ text: '', handoff_id: null });
  bench.work(B, 'We will use Kafka for the events, not a table.');
  await bench.note(baton, B, { interactive: false, event: 'SessionEnd', ended: true });
  expect((await bench.listOpen(baton)).map(({ content }) => content.kind)).toEqual(['result', 'context']);
  expect((await bench.start(baton, C)).text).toMatch(/Postgres/);
});

verifies(
  ['HOOK.compact'],
  'a compacted session gets its own save back; a resumed one only what is news to it',
  async () => {
    bench.work(A);
    await bench.end(baton, A);
    await bench.start(baton, B, { source: 'fork' });
    bench.work(B, 'We will use Kafka for the events, not a table.');
    await bench.note(baton, B, { event: 'PreCompact' });
    const compacted = await bench.start(baton, B, { source: 'compact' });
    expect(compacted.text).toMatch(/Kafka/);
    bench.show(B, compacted.text);
    // Taken up again: what was open before it ended is no news.
    bench.now_ms += 1_000;
    await bench.end(baton, B);
    bench.now_ms += 1_000;
    expect((await bench.start(baton, B, { source: 'resume' })).handoff_id).toBeNull();
    await bench.end(baton, B);
    bench.now_ms += 1_000;
    await baton.run('handoff.create', { content: { summary: 'News from a colleague' } });
    expect((await bench.start(baton, B, { source: 'resume' })).text).toMatch(/News/);
  },
);

verifies(
  ['HOOK.limit'],
  'a text is cut to the host’s limit, but approved bytes are given whole or not at all',
  async () => {
    const decisions = Array.from(
      { length: 60 },
      (_, index) => `Decision ${index}: ${'words that take room '.repeat(8)}`,
    );
    await baton.run('handoff.create', { content: { summary: 'Long', decisions } });
    const cut = await bench.start(baton, A, { characters_max: 4_000 });
    expect(cut.text.length).toBeLessThanOrEqual(4_000);
    expect(cut.text).toMatch(/Cut to fit: \d+ (?:decisions|more)/);

    const { id } = await baton.run('handoff.create', { content: { summary: 'Approved', decisions }, draft: true });
    await baton.run('handoff.approve', { id, budget: 4_000 });
    const whole = await bench.start(baton, B, { characters_max: 4_000 });
    expect(whole).toMatchObject({ handoff_id: null, text: expect.stringContaining(`baton claim ${id}`) });
    expect((await baton.run('handoff.get', { id })).delivery.state).toBe('open');
    const roomy = await bench.start(baton, C, { characters_max: 100_000 });
    const { sha256 } = await baton.run('handoff.render', { id });
    expect(roomy.text).toContain(sha256);
    expect((await baton.run('handoff.get', { id })).delivery.approval?.rendered_sha256).toBe(sha256);
  },
);

verifies(['HOOK.limit'], 'a text of the smallest budget, and of exactly the host’s limit, is given', async () => {
  const content = {
    summary: 'Approved',
    next_steps: ['Write down what was decided, so that it takes some room'.repeat(20)],
  };
  const { id } = await baton.run('handoff.create', { content, draft: true });
  await baton.run('handoff.approve', { id, budget: limits.render_tokens_min });
  const handoff = await baton.run('handoff.get', { id });
  const render = (characters_max: number) =>
    renderForSession(
      handoff,
      { characters_max, others: [] },
      { ...baton.context, signal: new AbortController().signal },
    );
  const { text, sha256 } = await render(10_000);
  expect(sha256).toBe(handoff.delivery.approval?.rendered_sha256);
  expect(await render(text.length)).toEqual({ text, sha256 });
  expect(await render(text.length - 1)).toEqual({ text: expect.stringContaining('too large for a hook') });
});

verifies(['HOOK.killed'], 'a save that cannot be done now stays to be done, and the next start does it', async () => {
  const broken = await bench.open(undefined, { BATON_STORE: `sqlite:${bench.folder}/.git/HEAD/baton.db` });
  bench.work(A);
  await expect(bench.end(broken, A)).rejects.toMatchObject({ code: 'unavailable' });
  expect((await bench.start(baton, B)).text).toMatch(/Postgres/);
});

verifies(['HOOK.live'], 'hooks that are registered twice put one handoff into a session, not two', async () => {
  bench.work(A);
  await bench.end(baton, A);
  await baton.run('handoff.create', { content: { summary: 'A second one' } });
  const twice = await Promise.all([bench.start(baton, B), bench.start(await bench.open(), B)]);
  twice.push(await bench.start(baton, B));
  expect(twice.map(({ handoff_id }) => handoff_id !== null).sort()).toEqual([false, false, true]);
  expect((await bench.listOpen(baton)).length).toBe(1);
});

verifies(['HOOK.release', 'HOOK.killed'], 'a session that is resumed by a new process is offered again', async () => {
  bench.work(A);
  await bench.end(baton, A);
  const host = bench.startHost();
  const { handoff_id } = await bench.start(await bench.open(host), B);
  await bench.kill(host);
  bench.now_ms += 1;
  expect((await bench.start(baton, B)).handoff_id).toBe(handoff_id);
});

verifies(['HOOK.live'], 'two sessions that start at once get two handoffs, or one of them none', async () => {
  bench.work(A);
  await bench.end(baton, A);
  const started = await Promise.all([bench.start(baton, B), bench.start(await bench.open(), C)]);
  expect(started.filter(({ handoff_id }) => handoff_id !== null).length).toBe(1);
});

verifies(['HOOK.save'], 'a project that reviews everything gets a draft, which follows the session too', async () => {
  const strict = await bench.open(undefined, { BATON_REVIEW: 'always' });
  bench.work(A);
  await bench.note(strict, A);
  bench.say(A, 'user', 'Also, we must keep the old table until March.');
  await bench.note(strict, A);
  const { drafts } = await strict.run('handoff.status', {});
  expect(drafts.length).toBe(1);
});

const byModel = (url: string, settings: Record<string, string> = {}) => ({
  BATON_EXTRACTOR: 'model',
  BATON_MODEL_BASE_URL: url,
  BATON_MODEL: 'qwen3:14b',
  ...settings,
});
const modelsAnswer = {
  decisions: [
    { content: 'The queue is a table in Postgres.', confidence: 1, message: 0, quote: 'We will use Postgres' },
  ],
  summary: 'The queue is settled.',
};

verifies(['MODEL.hooks'], 'the results of a session are read by the model that its person configured', async () => {
  const server = await serve(answers(modelsAnswer));
  const own = await bench.open(undefined, byModel(server.url));
  bench.work(A);
  // An answer is one of many: the model is asked where another session continues.
  await bench.note(own, A);
  expect(server.requests).toEqual([]);
  await bench.end(own, A);
  expect(server.requests).toHaveLength(1);
  expect(await titlesOf()).toEqual([['The queue is a table in Postgres.']]);
  const [saved] = await bench.listOpen(own);
  expect(saved?.content.origin).toMatchObject({ session: A, extractor: 'openai-compatible/qwen3:14b' });
});

verifies(['MODEL.hooks'], 'what the rules found is saved where the model fails, or was read too late', async () => {
  const failing = await serve(status(400));
  bench.work(A);
  await bench.end(await bench.open(undefined, byModel(failing.url)), A);
  expect((await titlesOf()).join()).toMatch(/Postgres for the queue, not Redis/);
  bench.work(B, 'We will use Kafka for the events, not a table.');
  await bench.end(await bench.open(undefined, { BATON_EXTRACTOR: 'model' }), B);
  expect((await titlesOf()).join()).toMatch(/Kafka/);

  // While the model reads, the next session takes what is there: it keeps that, and nothing occurs twice.
  const slow = await serve((response, request) => {
    void bench.start(baton, A, { source: 'startup' }).then(() => answers(modelsAnswer)(response, request));
  });
  bench.work(C);
  await bench.end(await bench.open(undefined, byModel(slow.url)), C);
  expect(slow.requests).toHaveLength(1);
  const states = (await baton.run('handoff.list', {})).handoffs.filter(({ content }) => content.origin?.session === C);
  expect(states.map(({ delivery }) => delivery.state)).toEqual(['claimed']);
});

verifies(['MODEL.hooks', 'MODEL.foreign-file'], 'a repository’s file sends no session to a model', async () => {
  const server = await serve(answers(modelsAnswer));
  const file = { extractor: 'model', model: { base_url: server.url, model: 'theirs' } };
  writeFileSync(join(bench.folder, 'baton.config.json'), JSON.stringify(file));
  const own = await bench.open();
  bench.work(A);
  await bench.end(own, A);
  expect(server.requests).toEqual([]);
  expect((await titlesOf()).join()).toMatch(/Postgres for the queue, not Redis/);
});
