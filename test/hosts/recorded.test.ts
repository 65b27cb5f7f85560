import {
  appendFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, expect } from 'vitest';
import { sha256Hex } from '../../packages/batonpass/src/core/canonical-json.ts';
import { readAnswer } from '../../packages/batonpass/src/core/hook-answer.ts';
import type { HostEvent } from '../../packages/batonpass/src/core/host.ts';
import { type HostName, hostNames, hosts, momentOf } from '../../packages/batonpass/src/core/hosts.ts';
import type { Handoff } from '../../packages/batonpass/src/index.ts';
import { storedSession } from '../../packages/batonpass/src/transcripts/opencode-store.ts';
import { readTranscript } from '../../packages/batonpass/src/transcripts/read-transcript.ts';
import { hookFileForms } from '../../packages/batonpass/src/workspace/hosts/hook-file-forms.ts';
import { runAsHost } from '../../packages/batonpass/src/workspace/hosts/host-command.ts';
import { sessionFile } from '../../packages/batonpass/src/workspace/hosts/session-file.ts';
import { verifies } from '../verifies.ts';
import { HookStage } from './hook-stage.ts';
import { type StoredRow, storeRows } from './opencode-database.ts';

/** Sessions of the real programs, as `npm run hosts -- record` kept them. */
const recordings = join(import.meta.dirname, 'recorded');

/** The hosts of which there is a recording of this name. */
const recordedAs = (name: string): HostName[] => hostNames.filter((host) => existsSync(join(recordings, host, name)));

let stage: HookStage;

beforeEach(() => {
  stage = new HookStage(realpathSync(mkdtempSync(join(tmpdir(), 'baton-recorded-'))));
});

afterEach(() => stage.remove());

interface Payload {
  session_id: string;
  transcript_path?: string;
  hook_event_name: string;
}

/** A recorded session, with the paths of this stage. */
class RecordedSession {
  readonly rows: string[];
  readonly path: string;
  private readonly host: HostName;
  private readonly payloads: Payload[];

  constructor(host: HostName, name: 'sender' | 'receiver') {
    this.host = host;
    this.rows = read(host, `${name}.jsonl`);
    this.payloads = read(host, `${name}-payloads.jsonl`).map((line) => JSON.parse(line) as Payload);
    const [first] = this.payloads;
    const known = sessionFile({ host, session: first?.session_id ?? '' }, stage.environment);
    this.path = first?.transcript_path ?? known ?? '';
    if (storedSession(this.path) === undefined) {
      mkdirSync(dirname(this.path), { recursive: true });
      writeFileSync(this.path, '');
    }
  }

  get session(): string | undefined {
    return this.payloads[0]?.session_id;
  }

  append(rows: readonly string[]): void {
    const stored = storedSession(this.path);
    if (stored === undefined) appendFileSync(this.path, rows.map((row) => `${row}\n`).join(''));
    else
      storeRows(
        stored.database,
        stored.session,
        rows.map((row) => JSON.parse(row) as StoredRow),
      );
  }

  /** Runs what is registered for an event as the host does, where the host has called it. */
  async hook(event: string): Promise<string> {
    const payload = this.payloads.find(({ hook_event_name }) => hook_event_name === event);
    return payload === undefined ? '' : runHook(this.host, payload);
  }
}

/** The lines of a recording, with the paths of this stage. */
function read(host: HostName, file: string): string[] {
  return readFileSync(join(recordings, host, file), 'utf8')
    .replaceAll('/home/sam/project', stage.project)
    .replaceAll('/home/sam', join(stage.folder, 'home'))
    .trimEnd()
    .split('\n');
}

/** Runs what is registered for an event, as the host does. */
async function runHook(host: HostName, payload: Payload): Promise<string> {
  const path = join(stage.project, hosts[host].hook_files.project ?? '');
  const registered = hookFileForms[hosts[host].hook_files.form].list(readFileSync(path, 'utf8'), { path, host });
  const hook = registered.find(({ event }) => event === payload.hook_event_name);
  expect(hook).toBeDefined();
  const { command = '', args } = hook ?? {};
  const words = args === undefined ? { line: command } : { words: [command, ...args] };
  const start = {
    cwd: stage.project,
    environment: { ...stage.environment, [hosts[host].variables.own ?? 'NO_MARK']: stage.project },
    timeout_ms: 30_000,
    signal: AbortSignal.timeout(40_000),
  };
  const end = await runAsHost(words, JSON.stringify(payload), start);
  expect([end.exit_code, end.stderr]).toEqual([0, '']);
  return end.stdout;
}

const handoffs = () => stage.run(async (baton) => (await baton.run('handoff.list', {})).handoffs as Handoff[]);

async function waitForSaves(): Promise<void> {
  const folder = join(stage.project, '.git/baton/sessions');
  await expect.poll(() => readdirSync(folder).filter((name) => /\.(?:job|work|lock)\.json$/.test(name))).toEqual([]);
}

/** The text that a host recorded as what a hook gave to the model, as it is in the row. */
function injectedIn(row: string): string | undefined {
  const { attachment, payload, type, content, data, parts } = JSON.parse(row);
  if (type === 'user.message')
    return /<system_reminder>\n([\s\S]*?)\n<\/system_reminder>/.exec(data.transformedContent)?.[1];
  if (Array.isArray(parts)) return parts.find(({ synthetic }) => synthetic === true)?.text;
  if (type === 'user' && Array.isArray(content)) {
    return content.find(({ text }) => text?.startsWith('<hook_context>'))?.text;
  }
  if (attachment?.type === 'hook_additional_context') return attachment.content[0];
  return payload?.role === 'developer'
    ? payload.content.find((part: { text: string }) => part.text.startsWith('<handoff>'))?.text
    : undefined;
}

/** A row that records what a hook gave, with another text, as the host would write it. */
function inject(host: HostName, row: string, given: string): string {
  const escaped = given.replaceAll('<', '&lt;').replaceAll('>', '&gt;');
  const text = hosts[host].answer.escapes_tags === true ? `<hook_context>${escaped}</hook_context>` : given;
  const inJson = (value: string) => JSON.stringify(value).slice(1, -1);
  return row.split(inJson(injectedIn(row) ?? '')).join(inJson(text));
}

/** Registers Baton with every host, as where a person has all of them. */
async function register(): Promise<void> {
  for (const host of hostNames) mkdirSync(join(stage.folder, 'home', hosts[host].folder.name), { recursive: true });
  await stage.register();
}

function eventAt(host: HostName, moment: HostEvent['moment']): string {
  return hosts[host].events.find((each) => each.moment === moment)?.event ?? '';
}

async function replay(from: HostName, to: HostName): Promise<void> {
  await register();
  const sender = new RecordedSession(from, 'sender');
  await sender.hook(eventAt(from, 'start'));
  sender.append(sender.rows);
  await sender.hook(eventAt(from, 'save'));
  await sender.hook(eventAt(from, 'end'));
  await waitForSaves();
  // A Codex that a person quits may run no such hook; the recorded program runs no more either way.
  const receiver = new RecordedSession(to, 'receiver');
  // The name of a file is the session's where that is plain.
  const name = /[^0-9a-z-]/.test(sender.session ?? '') ? sha256Hex(sender.session ?? '') : sender.session;
  const known = join(stage.project, '.git/baton/sessions', `${name}.session.json`);
  writeFileSync(
    known,
    JSON.stringify({ ...JSON.parse(readFileSync(known, 'utf8')), ended_at: new Date().toISOString() }),
  );
  const given = readAnswer(to, JSON.parse(await receiver.hook(eventAt(to, 'start'))), 'context') ?? '';
  const [saved] = await handoffs();
  expect(saved?.content.origin).toMatchObject({ host: from, session: sender.session });
  expect(saved?.delivery.state).toBe('claimed');
  const at = receiver.rows.findIndex((row) => injectedIn(row) !== undefined);
  const recorded = receiver.rows[at] ?? '';
  receiver.append(receiver.rows.filter((_row, index) => index !== at));
  expect((await handoffs())[0]?.delivery.state).toBe('claimed');
  receiver.append([inject(to, recorded, given)]);
  expect((await handoffs())[0]?.delivery).toMatchObject({
    state: 'acknowledged',
    injected: { session: receiver.session },
  });
}

/** The short form: each host hands over to itself and to the next one. `npm run soak -- recorded` runs every pair. */
const isEachPair = process.env.BATON_RECORDED_PAIRS === 'all';
const receivers = recordedAs('receiver.jsonl');

for (const [at, from] of recordedAs('sender.jsonl').entries()) {
  const next = receivers[(at + 1) % receivers.length];
  for (const to of receivers.filter((each) => isEachPair || each === from || each === next)) {
    verifies(
      ['PROOF.found', 'PROOF.codex', 'HOOK.save', 'HOOK.codex'],
      `a recorded session of ${hosts[from].title} hands over to a recorded one of ${hosts[to].title}, provably`,
      () => replay(from, to),
    );
  }
}

for (const host of receivers) {
  verifies(
    ['HOOK.codex', 'PROOF.only-hooks'],
    `a recorded session of ${hosts[host].title} is read as it was spoken, without what the host and hooks added`,
    async () => {
      const [sender, receiver] = (['sender', 'receiver'] as const).map((name) => new RecordedSession(host, name));
      sender?.append(sender.rows);
      receiver?.append(receiver.rows);
      const worked = await readTranscript({ path: sender?.path ?? '' });
      const spoken = worked.messages.filter(({ text }) => text !== '').map(({ role, text }) => [role, text]);
      expect(spoken).toEqual([
        ['user', 'Requests are counted per process, so that two servers let twice as many through. Fix that.'],
        ['assistant', 'I will use Redis for the counters instead of memory, so that all servers share them.'],
      ]);
      expect(worked.messages.flatMap(({ tool_calls }) => tool_calls)).toHaveLength(2);
      const wentOn = await readTranscript({ path: receiver?.path ?? '' });
      expect(wentOn.messages.map(({ text }) => text)).toEqual([
        'Go on where the last session stopped.',
        'I go on with the counters in Redis.',
      ]);
    },
  );
}

/** What a host did in a scene, step by step: a row of a transcript, or a hook with its payload. */
type Step = { path: string; row: object } | { hook: Payload };

/** Does again what a host did, with the texts that its hooks give now. @returns these texts, in order. */
async function replaySteps(host: HostName, scene: string): Promise<string[]> {
  await register();
  const given: string[] = [];
  for (const line of read(host, `${scene}-steps.jsonl`)) {
    const step = JSON.parse(line) as Step;
    if ('hook' in step) {
      const output = await runHook(host, step.hook);
      const text = output === '' ? undefined : readAnswer(host, JSON.parse(output), 'context');
      if (text !== undefined) given.push(text);
      if (momentOf(host, step.hook.hook_event_name) !== 'start') await waitForSaves();
      continue;
    }
    const row = JSON.stringify(step.row);
    mkdirSync(dirname(step.path), { recursive: true });
    appendFileSync(step.path, `${injectedIn(row) === undefined ? row : inject(host, row, given.at(-1) ?? '')}\n`);
  }
  return given;
}

/** The sessions of a scene, in order. */
function sessionsOf(host: HostName, scene: string): string[] {
  const steps = read(host, `${scene}-steps.jsonl`).map((line) => JSON.parse(line) as Step);
  return [...new Set(steps.flatMap((step) => ('hook' in step ? [step.hook.session_id] : [])))];
}

/** Of each handoff that reached a session provably: whose it is, its state, and the session that it reached. */
async function listProven(): Promise<unknown[]> {
  const proven = (await handoffs()).filter(({ delivery }) => delivery.injected !== undefined);
  return proven.map(({ content, delivery }) => [content.origin?.session, delivery.state, delivery.injected?.session]);
}

for (const host of recordedAs('compact-steps.jsonl')) {
  const { title } = hosts[host];
  verifies(
    ['HOOK.compact', 'LIFE.injected'],
    `a recorded session of ${title} that is compacted gets its own save back`,
    async () => {
      expect(await replaySteps(host, 'compact')).toHaveLength(1);
      const [session] = sessionsOf(host, 'compact');
      expect(await listProven()).toEqual([[session, 'acknowledged', session]]);
    },
  );

  verifies(
    ['HOOK.save', 'LIFE.injected'],
    `a recorded session of ${title} that is cleared hands over to the next in its window`,
    async () => {
      expect(await replaySteps(host, 'clear')).toHaveLength(1);
      const [cleared, next] = sessionsOf(host, 'clear');
      expect(await listProven()).toEqual([[cleared, 'acknowledged', next]]);
    },
  );

  verifies(['HOOK.save'], `a recorded session of ${title} that is resumed is not given its own save`, async () => {
    expect(await replaySteps(host, 'resume')).toEqual([]);
    const open = (await handoffs()).filter(({ delivery }) => delivery.state === 'open');
    expect(open.map(({ content }) => content.origin?.session)).toEqual(sessionsOf(host, 'resume'));
  });
}
