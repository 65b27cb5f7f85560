import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, expect } from 'vitest';
import { type Baton, type BatonOptions, isHandoffError, openBaton } from '../../packages/batonpass/src/index.ts';
import { verifies } from '../verifies.ts';

const folders: string[] = [];
const batons: Baton[] = [];

afterEach(async () => {
  for (const baton of batons.splice(0)) await baton.close();
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true, force: true });
});

function createFolder(): string {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'baton-operations-')));
  folders.push(folder);
  return folder;
}

async function open(cwd: string, options: BatonOptions = {}): Promise<Baton> {
  const environment: NodeJS.ProcessEnv = {
    ...process.env,
    HOME: cwd,
    XDG_STATE_HOME: join(cwd, '.state'),
    ...options.environment,
  };
  for (const name of ['BATON_STORE', 'BATON_AGENT', 'BATON_PROJECT', 'BATON_REVIEW']) delete environment[name];
  const baton = await openBaton({ ...options, cwd, environment });
  batons.push(baton);
  return baton;
}

async function codeOf(promise: Promise<unknown>): Promise<string> {
  const error = await promise.then(
    () => undefined,
    (reason: unknown) => reason,
  );
  return isHandoffError(error) ? error.code : String(error);
}

function git(folder: string, ...words: string[]): void {
  const identity = ['-c', 'user.name=Sam', '-c', 'user.email=sam@example.com'];
  execFileSync('git', [...identity, ...words], { cwd: folder, stdio: 'ignore' });
}

verifies(['OP.retry'], 'a create with the same key is one handoff, also after a commit in between', async () => {
  const folder = createFolder();
  git(folder, 'init');
  git(folder, 'commit', '--allow-empty', '--message=one');
  const baton = await open(folder);
  const create = () =>
    baton.run('handoff.create', { content: { summary: 'x' }, expires_in_ms: 60_000 }, { idempotency_key: 'k' });
  const first = await create();
  git(folder, 'commit', '--allow-empty', '--message=two');
  expect(await create()).toEqual(first);
  expect(await codeOf(baton.run('handoff.create', { content: { summary: 'y' } }, { idempotency_key: 'k' }))).toBe(
    'conflict',
  );
});

verifies(['OP.retry'], 'an edit with the same key is one edit', async () => {
  const baton = await open(createFolder(), { store: 'memory:' });
  const { id } = await baton.run('handoff.create', { content: { summary: 'x', decisions: ['a', 'b'] }, draft: true });
  const edit = () => baton.run('handoff.edit', { id, changes: { remove: ['d1'] } }, { idempotency_key: 'k' });
  const first = await edit();
  expect(await edit()).toEqual(first);
  expect(first.content.decisions.map((decision) => decision.id)).toEqual(['d2']);
});

verifies(['OP.wait'], 'a waiting claim answers at once where there is an answer', async () => {
  const baton = await open(createFolder());
  const wait_ms = 3_600_000;
  const { id } = await baton.run('handoff.create', { content: { summary: 'x' } });
  const claim = () => baton.run('handoff.claim', { wait_ms }, { idempotency_key: 'k' });
  const first = await claim();
  expect((await claim()).handoff).toEqual(first.handoff);
  await baton.run('handoff.acknowledge', { id, token: first.handoff?.delivery.lease?.token });
  expect(await codeOf(baton.run('handoff.claim', { id, wait_ms }))).toBe('conflict');
});

verifies(['OP.project'], 'in a shared store another project’s handoff is not found by any name', async () => {
  const folder = createFolder();
  const [one, two] = await Promise.all(
    ['one', 'two'].map((project) => open(folder, { store: `sqlite:${join(folder, 'shared.db')}`, project })),
  );
  const { id } = await (one as Baton).run('handoff.create', { content: { summary: 'of one' } });
  for (const name of [id, id.slice(-8)]) {
    expect(await codeOf((two as Baton).run('handoff.get', { id: name }))).toBe('not_found');
    expect(await codeOf((two as Baton).run('handoff.withdraw', { id: name }))).toBe('not_found');
  }
  expect((await (two as Baton).run('handoff.claim', {})).handoff).toBeNull();
});

verifies(['OP.approval'], 'an approval of another content than the present one is refused', async () => {
  const baton = await open(createFolder(), { store: 'memory:' });
  const draft = await baton.run('handoff.create', { content: { summary: 'x' }, draft: true });
  const edited = await baton.run('handoff.edit', { id: draft.id, changes: { title: 'other' } });
  const { content_sha256 } = draft;
  expect(await codeOf(baton.run('handoff.approve', { id: draft.id, content_sha256 }))).toBe('conflict');
  await baton.run('handoff.approve', { id: draft.id, content_sha256: edited.content_sha256, budget: 300 });
  const { context } = await baton.run('handoff.claim', {});
  const shown = await baton.run('handoff.render', { id: draft.id });
  expect(context).toMatchObject({ is_as_approved: true, budget: 300, text: shown.text });
});

verifies(['OP.secrets'], 'a secret is masked in every field where a writer puts it', async () => {
  const baton = await open(createFolder(), { store: 'memory:' });
  const secret = `ghp_${'a1B2'.repeat(9)}`;
  const content = { summary: `use ${secret}`, body: secret, decisions: [secret], payload: { deep: [{ key: secret }] } };
  const { id } = await baton.run('handoff.create', { content });
  await baton.run('handoff.withdraw', { id, reason: `leaked ${secret}` });
  const { events } = await baton.run('handoff.events', { id });
  const draft = await baton.run('handoff.create', { content: { summary: 'x' }, draft: true });
  const edited = await baton.run('handoff.edit', { id: draft.id, changes: { summary: secret } });
  const kept = JSON.stringify([await baton.run('handoff.get', { id }), events, edited]);
  expect(kept).not.toContain(secret);
  expect(kept.match(/\[masked:github-token\]/g)?.length).toBeGreaterThanOrEqual(5);
});

verifies(['OP.references'], 'parent and superseded handoff are named by short ids and kept by whole ones', async () => {
  const baton = await open(createFolder(), { store: 'memory:' });
  const { id } = await baton.run('handoff.create', { content: { summary: 'old' } });
  const short = id.slice(-8);
  const next = await baton.run('handoff.create', {
    content: { summary: 'new', parent_id: short, supersedes_id: short },
  });
  expect(next.content).toMatchObject({ parent_id: id, supersedes_id: id });
  expect((await baton.run('handoff.get', { id })).delivery.state).toBe('withdrawn');
  expect(await codeOf(baton.run('handoff.create', { content: { summary: 'x', parent_id: 'ZZZZZZZZ' } }))).toBe(
    'not_found',
  );
});

verifies(['OP.provenance'], 'an agent’s edit is marked as an agent’s, and keeps whose work it is', async () => {
  const folder = createFolder();
  const store = `sqlite:${join(folder, 'x.db')}`;
  const person = await open(folder, { store });
  const agent = await open(folder, { store, agent: 'mallory' });
  const content = { summary: 'x', decisions: ['a'], source_agent: 'claude' };
  const { id } = await person.run('handoff.create', { content, draft: true });
  const edited = await agent.run('handoff.edit', {
    id,
    content: { summary: 'y', decisions: ['b'], source_agent: 'mallory', origin: { session: 'forged' } },
  });
  expect(edited.content.source_agent).toBe('claude');
  expect(edited.content.origin?.session).toBeUndefined();
  expect(edited.content.decisions[0]?.source).toBe('ai-extracted');
  const reworded = await person.run('handoff.edit', { id, changes: { reword: [{ id: 'd1', text: 'c' }] } });
  expect(reworded.content.decisions[0]).toMatchObject({ content: 'c', source: 'user-edited' });
  expect(await codeOf(person.run('handoff.edit', { id }))).toBe('invalid_input');
  expect(await codeOf(person.run('handoff.edit', { id, changes: { remove: ['d9'] } }))).toBe('invalid_input');
});

verifies(['OP.own-marks'], 'an agent’s edit adds no person’s mark, and keeps those that the draft has', async () => {
  const folder = createFolder();
  const store = `sqlite:${join(folder, 'x.db')}`;
  const person = await open(folder, { store });
  const agent = await open(folder, { store, agent: 'mallory' });
  const pinned = (content: string) => ({ content, source: 'user-pinned' as const });
  const { id } = await person.handoff.create({ content: { summary: 'x', decisions: ['a'] }, draft: true });
  const sourcesOf = ({ content }: { content: { decisions: { source: string }[] } }) =>
    content.decisions.map(({ source }) => source);
  const added = await agent.handoff.edit({ id, changes: { add: { decisions: [pinned('b')] } } });
  expect(sourcesOf(added)).toEqual(['user-pinned', 'ai-extracted']);
  const replaced = await agent.handoff.edit({ id, content: { summary: 'x', decisions: [pinned('c'), pinned('a')] } });
  expect(sourcesOf(replaced)).toEqual(['ai-extracted', 'user-pinned']);
});

verifies(['OP.provenance'], 'the writer of a handoff is its creator, for any content', async () => {
  const folder = createFolder();
  const store = `sqlite:${join(folder, 'x.db')}`;
  const person = await open(folder, { store });
  const agent = await open(folder, { store, agent: 'mallory' });
  const byOf = async ({ handoff }: Baton, by: 'person' | 'agent') =>
    (await handoff.create({ content: { summary: 'x', origin: { by } } })).content.origin?.by;
  expect(await byOf(agent, 'person')).toBe('agent');
  expect(await byOf(person, 'agent')).toBe('person');
  const { id } = await person.handoff.create({ content: { summary: 'x' } });
  expect((await agent.handoff.render({ id })).situation).toContain('Review: written by a person.');
});

verifies(['OP.provenance'], 'an id that was removed from a draft is not given to another item', async () => {
  const baton = await open(createFolder(), { store: 'memory:' });
  const { id } = await baton.run('handoff.create', { content: { summary: 'x', decisions: ['a', 'b'] }, draft: true });
  const edited = await baton.run('handoff.edit', { id, changes: { remove: ['d1'], add: { decisions: ['c'] } } });
  expect(edited.content.decisions.map((decision) => decision.id)).toEqual(['d2', 'd3']);
});

verifies(
  ['OP.import'],
  'a conversation that was imported is known again, from another commit and when it is done',
  async () => {
    const folder = createFolder();
    git(folder, 'init');
    git(folder, 'commit', '--allow-empty', '--message=one');
    const baton = await open(folder, { review: 'never' });
    const text = JSON.stringify([{ role: 'user', content: 'Use sessions for the login.' }]);
    const { handoff } = await baton.run('handoff.import', { text });
    git(folder, 'commit', '--allow-empty', '--message=two');
    await baton.run('handoff.acknowledge', { id: handoff.id });
    expect(await baton.run('handoff.import', { text })).toMatchObject({
      existing: true,
      handoff: { id: handoff.id },
    });
  },
);

verifies(['OP.situation'], 'the next receiver gets the reason why the last one failed', async () => {
  let now_ms = Date.parse('2026-03-01T12:00:00Z');
  const baton = await open(createFolder(), { store: 'memory:', agent: 'a1', surroundings: { now: () => now_ms } });
  const { id } = await baton.run('handoff.create', { content: { summary: 'x' } });
  const { handoff } = await baton.run('handoff.claim', {});
  const token = handoff?.delivery.lease?.token ?? '';
  await baton.run('handoff.fail', { id, token, reason: 'tests need a database' });
  now_ms += 3_600_000;
  const { context } = await baton.run('handoff.claim', {});
  expect(context?.situation).toContain(
    'Attempt 2 of 5. Failed before, by "a1" at 2026-03-01T12:00:00.000Z: "tests need a database"',
  );
});

verifies(['OP.reopen-store'], 'a store that could not be opened is tried again', async () => {
  const folder = createFolder();
  writeFileSync(join(folder, 'place'), 'in the way');
  const baton = await open(folder, { store: `sqlite:${join(folder, 'place/x.db')}` });
  expect(await codeOf(baton.run('handoff.list', {}))).toBe('unavailable');
  rmSync(join(folder, 'place'));
  mkdirSync(join(folder, 'place'));
  expect((await baton.run('handoff.list', {})).handoffs).toEqual([]);
});

verifies(['OP.wait'], 'a waiter whose subscription fails looks again in its own time, not all the time', async () => {
  const folder = createFolder();
  const baton = await open(folder, { store: `sqlite:${join(folder, 'x.db')}` });
  const store = await baton.context.openStore();
  const { DatabaseSync } = await import('node:sqlite');
  const foreign = new DatabaseSync(join(folder, 'x.db'));
  foreign.exec('DROP TABLE events');
  foreign.close();
  let looks = 0;
  const claim = store.claim.bind(store);
  store.claim = (...request) => {
    looks += 1;
    return claim(...request);
  };
  expect((await baton.run('handoff.claim', { wait_ms: 300 })).handoff).toBeNull();
  expect(looks).toBeLessThanOrEqual(3);
});

verifies(['OP.secrets', 'RECORD.limits'], 'a payload too deep to walk is refused, not walked', async () => {
  const baton = await open(createFolder(), { store: 'memory:' });
  let payload: unknown = 1;
  for (let level = 0; level < 100_000; level += 1) payload = [payload];
  expect(await codeOf(baton.run('handoff.create', { content: { summary: 'x', payload } }))).toBe('too_large');
});

verifies(['OP.something'], 'a handoff that says nothing is refused; a payload alone is something', async () => {
  const baton = await open(createFolder(), { store: 'memory:' });
  const create = (content: object) => baton.run('handoff.create', { content });
  for (const content of [{}, { kind: 'plan', task_id: 't' }, { decisions: [], files: [] }]) {
    expect(await codeOf(create(content))).toBe('invalid_input');
  }
  for (const content of [{ payload: null }, { body: 'x' }, { next_steps: ['x'] }]) await create(content);
});
