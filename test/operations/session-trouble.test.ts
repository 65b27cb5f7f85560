import { existsSync, mkdirSync, readdirSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect } from 'vitest';
import { limits } from '../../packages/batonpass/src/core/limits.ts';
import { findOwnProcess, type MachineProcess } from '../../packages/batonpass/src/disk/machine-process.ts';
import { type Baton, openBaton } from '../../packages/batonpass/src/index.ts';
import { processOf } from '../../packages/batonpass/src/operations/sessions/session-facts.ts';
import { folderOfSession } from '../../packages/batonpass/src/operations/sessions/session-folder.ts';
import { noteFailed, takeFailures } from '../../packages/batonpass/src/operations/sessions/session-notices.ts';
import { HostSessions } from '../../packages/batonpass/src/workspace/hosts/host-sessions.ts';
import { verifies } from '../verifies.ts';
import { A, B, C, SessionBench } from './session-bench.ts';

/** Sessions in which something goes wrong, or comes together that seldom does. */

let bench: SessionBench;
let baton: Baton;

beforeEach(async () => {
  bench = new SessionBench();
  baton = await bench.open();
});

afterEach(() => bench.close());

const sessionsFolder = () => join(bench.folder, '.git/baton/sessions');

verifies(
  ['HOOK.save', 'HOOK.lost'],
  'a killed session of another work tree is saved for its own branch, by its own worker',
  async () => {
    const tree = join(bench.folder, 'tree');
    bench.git('worktree', 'add', '--quiet', '-b', 'feature', tree);
    const host = bench.startHost();
    const aside = await bench.open(host, {}, tree);
    bench.now_ms = Date.now() - 60_000;
    await bench.start(aside, A);
    bench.work(A);
    await bench.kill(host);
    bench.now_ms = Date.now();
    // Here somebody begins first: the save waits for its own tree.
    expect((await bench.start(baton, B)).handoff_id).toBeNull();
    const started = await bench.start(await bench.open(undefined, {}, tree), C);
    expect(started.text).toMatch(/Postgres/);
    const { content } = await baton.run('handoff.get', { id: started.handoff_id ?? '' });
    expect(content.origin).toMatchObject({ session: A, branch: 'feature' });
  },
);

verifies(['HOOK.save'], 'a session belongs to its project, in any folder and work tree of it', () => {
  const below = join(bench.folder, 'below');
  const other = join(bench.outside, 'other');
  for (const folder of [below, join(other, '.git/objects'), join(other, '.git/refs')]) {
    mkdirSync(folder, { recursive: true });
  }
  writeFileSync(join(other, '.git/HEAD'), 'ref: refs/heads/main\n');
  expect(folderOfSession(bench.folder, below)).toBe(below);
  expect(folderOfSession(bench.folder, other)).toBe(bench.folder);
  expect(folderOfSession(bench.folder, bench.outside)).toBe(bench.folder);
  expect(folderOfSession(bench.outside, bench.folder)).toBe(bench.outside);
  expect(folderOfSession(bench.outside, bench.outside)).toBe(bench.outside);
  expect(folderOfSession(undefined, other)).toBe(other);
  expect(folderOfSession(other, undefined)).toBe(other);
  expect(folderOfSession(undefined, undefined)).toBeUndefined();
});

verifies(['HOOK.live'], 'a process that has ended is forgotten, unless it is one of a host with a server', () => {
  const own = findOwnProcess();
  if (own.started === '') return;
  const kept = (host: string, process: MachineProcess | undefined) => {
    const given = { host, session: A, interactive: true } as Parameters<typeof processOf>[0];
    const before = { host, session: A, process } as Parameters<typeof processOf>[1];
    return processOf(given, before, baton.context as Parameters<typeof processOf>[2]);
  };
  const ended = { ...own, started: 'long ago' };
  const foreign = { ...ended, machine: 'another' };
  expect(['claude-code', 'codex'].map((host) => kept(host, own))).toEqual([own, own]);
  expect(['claude-code', 'codex'].map((host) => kept(host, ended))).toEqual([undefined, ended]);
  expect(kept('claude-code', foreign)).toEqual(foreign);
  expect(kept('claude-code', undefined)).toBeUndefined();
});

verifies(['HOOK.save'], 'outside git the sessions of one folder are not those of another', async () => {
  const environment = { PATH: process.env.PATH, HOME: bench.outside, XDG_STATE_HOME: join(bench.outside, '.state') };
  const [one, two] = await Promise.all(
    ['one', 'two'].map((name) => {
      const cwd = join(bench.outside, name);
      mkdirSync(cwd);
      return openBaton({ cwd, environment: { ...environment, CLAUDE_PID: String(process.pid) } });
    }),
  );
  if (one === undefined || two === undefined) throw new Error('A folder is missing.');
  bench.work(A);
  await bench.note(one, A, { ended: true });
  expect((await bench.start(two, B)).handoff_id).toBeNull();
  expect((await bench.start(one, C)).text).toMatch(/Postgres/);
  await one.close();
  await two.close();
});

verifies(
  ['HOOK.save', 'LIFE.review'],
  'what a person approved stays open when the session is saved again as a draft',
  async () => {
    const strict = await bench.open(undefined, { BATON_REVIEW: 'always' });
    bench.work(A);
    await bench.note(strict, A);
    const [draft] = (await strict.run('handoff.status', {})).drafts;
    await strict.run('handoff.approve', { id: draft?.id ?? '' });
    bench.say(A, 'user', 'Also, we must keep the old table until March.');
    await bench.note(strict, A);
    expect((await bench.listOpen(strict)).map(({ id }) => id)).toEqual([draft?.id]);
    // The new one takes its place once it is approved too.
    const [second] = (await strict.run('handoff.status', {})).drafts;
    await strict.run('handoff.approve', { id: second?.id ?? '' });
    expect((await bench.listOpen(strict)).map(({ id }) => id)).toEqual([second?.id]);
  },
);

verifies(['HOOK.carry-on'], 'what a session received is handed on although its transcript is gone', async () => {
  bench.work(A);
  await bench.end(baton, A);
  const { text } = await bench.start(baton, B);
  bench.show(B, text);
  await baton.run('handoff.list', {});
  rmSync(bench.transcript(B));
  await bench.end(baton, B);
  expect((await bench.start(baton, C)).text).toMatch(/Postgres/);
});

verifies(['HOOK.carry-on'], 'what a session received is handed on although its transcript is empty', async () => {
  bench.work(A);
  await bench.end(baton, A);
  const { text } = await bench.start(baton, B);
  bench.show(B, text);
  await bench.end(baton, B);
  expect((await bench.start(baton, C)).text).toMatch(/Postgres/);
});

verifies(['HOOK.carry-on'], 'of several handoffs that a session received, all are handed on', async () => {
  bench.work(A);
  await bench.end(baton, A);
  bench.show(B, (await bench.start(baton, B)).text);
  await bench.end(baton, B);
  bench.now_ms += 1_000;
  const content = { summary: 'News from a colleague', decisions: ['Name the table batons'] };
  await baton.run('handoff.create', { content });
  bench.show(B, (await bench.start(baton, B, { source: 'resume' })).text);
  bench.work(B, 'We will use one index for the names, not two.');
  await bench.end(baton, B);
  const [newest] = await bench.listOpen(baton);
  const decisions = newest?.content.decisions.map((decision) => decision.content).join('\n');
  expect(decisions).toMatch(/one index[\s\S]*batons[\s\S]*Postgres/);
});

verifies(
  ['HOOK.killed'],
  'a lock from before the restart of the machine is held for some minutes, not for ever',
  async () => {
    bench.work(A);
    mkdirSync(sessionsFolder(), { recursive: true });
    const path = new HostSessions(sessionsFolder()).lockPath(A);
    writeFileSync(path, JSON.stringify({ machine: 'before', pid: 1, started: '1', name: 'x' }));
    await bench.end(baton, A);
    expect(await bench.listOpen(baton)).toEqual([]);
    const old_s = Date.now() / 1_000 - 3_600;
    utimesSync(path, old_s, old_s);
    expect((await bench.start(baton, B)).text).toMatch(/Postgres/);
  },
);

verifies(['HOOK.killed'], 'the line about a failed save is of whole sentences, whatever the reason ends with', () => {
  const context = { ...baton.context, signal: new AbortController().signal };
  for (const reason of ['The disk is full.', 'EIO: i/o error, read']) noteFailed(reason, new Error(reason), context);
  expect(
    takeFailures(context)
      .match(/not saved: .*?doctor/g)
      ?.toSorted(),
  ).toEqual(['not saved: EIO: i/o error, read. See: baton doctor', 'not saved: The disk is full. See: baton doctor']);
});

verifies(['HOOK.killed'], 'a save that killed its worker is started some times, then given up', async () => {
  bench.work(A);
  const sessions = new HostSessions(sessionsFolder());
  const facts = { ...bench.session(A), root: bench.folder, branch: 'main', event: 'Stop', ended: true };
  const job = { ...facts, asked_at: new Date().toISOString() };
  sessions.keepTaken({ ...job, tries: limits.save_tries_max });
  await expect(baton.run('session.work', {})).rejects.toThrow(/given up/);
  expect(sessions.listJobs()).toEqual([]);
  expect(await bench.listOpen(baton)).toEqual([]);
});

verifies(
  ['LIFE.session'],
  'a session that is resumed and says nothing neither hides newer work nor duplicates its own',
  async () => {
    bench.work(A);
    await bench.end(baton, A);
    const { text } = await bench.start(baton, B);
    bench.show(B, text);
    bench.work(B, 'We will use one table for the handoffs, not two.');
    await bench.end(baton, B);
    await bench.start(baton, A, { source: 'resume' });
    await bench.end(baton, A);
    const open = await bench.listOpen(baton);
    expect(open.map(({ content }) => content.origin?.session)).toEqual([B]);
  },
);

verifies(['HOOK.lost'], 'a session without an end event is over once its host is in another session', async () => {
  const hosted = await bench.open(bench.startHost());
  await bench.start(hosted, A);
  bench.work(A);
  await bench.note(hosted, A);
  // The hook of its end did not run; the same process continues with another session.
  expect((await bench.start(hosted, B, { source: 'clear' })).text).toMatch(/Postgres/);
});

verifies(['HOOK.killed'], 'a job says all that a save needs, though the session’s own file is torn', async () => {
  bench.work(A);
  const broken = await bench.open(undefined, { BATON_STORE: `sqlite:${bench.folder}/.git/HEAD/baton.db` });
  await expect(bench.end(broken, A)).rejects.toMatchObject({ code: 'unavailable' });
  writeFileSync(join(sessionsFolder(), `${A}.session.json`), '');
  expect((await bench.start(baton, B)).text).toMatch(/Postgres/);
  expect(existsSync(join(sessionsFolder(), `${A}.job.json`))).toBe(false);
});

verifies(['HOOK.killed'], 'a job that arrives while another is done is neither overwritten nor removed with it', () => {
  const sessions = new HostSessions(sessionsFolder());
  const facts = { ...bench.session(A), root: bench.folder, branch: 'main' };
  const stop = { ...facts, event: 'Stop', asked_at: new Date().toISOString(), ended: false };
  const end = { ...stop, event: 'SessionEnd', ended: true };
  sessions.writeJob(stop);
  expect(sessions.takeJob(A)).toEqual({ ...stop, tries: 0 });
  sessions.writeJob(end);
  sessions.keepTaken({ ...stop, tries: 1 });
  expect(sessions.listJobs()).toEqual([{ ...end, tries: 0 }]);
  sessions.finishTaken(A);
  expect(sessions.takeJob(A)).toEqual({ ...end, tries: 0 });
  // A worker that is killed now leaves it to the next one.
  expect(sessions.takeJob(A)).toEqual({ ...end, tries: 0 });
  sessions.finishTaken(A);
  expect([sessions.takeJob(A), sessions.listJobs()]).toEqual([undefined, []]);
});

verifies(['HOOK.killed'], 'a job that a power cut left torn is removed, and no process waits for it', async () => {
  mkdirSync(sessionsFolder(), { recursive: true });
  writeFileSync(join(sessionsFolder(), `${A}.job.json`), '{"host":');
  await bench.start(baton, B);
  expect(readdirSync(sessionsFolder()).filter((file) => file.includes('.job.'))).toEqual([]);
});

verifies(
  ['HOOK.live', 'LIFE.injected'],
  'what is in a live session’s context is not offered though its lease has lapsed',
  async () => {
    bench.work(A);
    await bench.end(baton, A);
    const host = bench.startHost();
    const { handoff_id } = await bench.start(await bench.open(host), B);
    bench.now_ms += limits.lease_ms_default + 1;
    expect((await bench.start(baton, C)).handoff_id).toBeNull();
    await bench.kill(host);
    expect((await bench.start(baton, C)).handoff_id).toBe(handoff_id);
  },
);

verifies(['HOOK.interactive'], 'a host that was started to print one answer has no person before it', async () => {
  bench.work(A);
  await bench.end(baton, A);
  const printing = await bench.open(bench.startHost(['-p']));
  expect((await bench.start(printing, B)).handoff_id).toBeNull();
});

verifies(['HOOK.live'], 'what a hook saved of a running session is given only to a caller that names it', async () => {
  const hosted = await bench.open(bench.startHost());
  await bench.start(hosted, A);
  bench.work(A);
  await bench.note(hosted, A);
  const [saved] = await bench.listOpen(baton);
  const status = await baton.run('handoff.status', {});
  expect([status.open.length, status.open_for_others]).toEqual([0, 1]);
  expect((await baton.run('handoff.claim', {})).handoff).toBeNull();
  expect((await baton.run('handoff.claim', { id: saved?.id })).handoff?.id).toBe(saved?.id);
});

verifies(
  ['HOOK.live', 'OP.wait'],
  'a caller that waits for a handoff checks at each poll which sessions are running',
  async () => {
    const hosted = await bench.open(bench.startHost());
    await bench.start(hosted, A);
    const first = baton.run('handoff.claim', { wait_ms: 60_000 });
    bench.work(A);
    await bench.note(hosted, A);
    const { id } = await baton.run('handoff.create', { content: { summary: 'Free for all' } });
    expect((await first).handoff?.id).toBe(id);
    // What was theirs when the wait began is everybody's once they have ended.
    const second = baton.run('handoff.claim', { wait_ms: 60_000 });
    await bench.end(hosted, A);
    expect((await second).handoff?.content.origin?.session).toBe(A);
  },
);

verifies(['HOOK.live'], 'what an agent wrote is named next to what a hook saved later', async () => {
  const { id } = await baton.run('handoff.create', { content: { summary: 'Written with care' } });
  bench.now_ms += 1_000;
  bench.work(A);
  await bench.end(baton, A);
  const started = await bench.start(baton, B);
  expect(started.text).toMatch(/Postgres/);
  expect(started.text).toContain(`Also open for this branch, to be claimed by id: ${id} from`);
});

verifies(['HOOK.interactive', 'HOOK.nothing'], 'a run without a person that left nothing saves nothing', async () => {
  bench.say(A, 'user', 'Write a commit message for the staged changes, in one line, and nothing else but that line.');
  bench.say(A, 'assistant', 'Add retries to the upload.');
  await bench.note(baton, A, { interactive: false, ended: true });
  expect(await bench.listOpen(baton)).toEqual([]);
});
