import { execFileSync } from 'node:child_process';
import { copyFileSync, mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import type { ContentInput } from '../packages/batonpass/src/core/content.ts';
import { type Baton, createBaton, openBaton } from '../packages/batonpass/src/operations/baton.ts';
import { done, failing, type HandedOver, open, planned, sources } from './sample-handoffs.ts';
import { claim, planNotes } from './sample-planning.ts';

/** A project on the disk in which people and agents have worked for some days. */
export interface SampleProject {
  folder: string;
  /** Without settings of the user's own; it contains the store of the project. */
  environment: NodeJS.ProcessEnv;
  /** The handoff that was planned. */
  planned_id: string;
  remove: () => void;
}

const sessions = join(import.meta.dirname, '../examples/sessions');
const hour_ms = 3_600_000;

/** As the transcript names itself. */
const session = '7c0b8a52-4f1e-4d0b-9a53-2f6f7a8e1c94';

/**
 * Makes a project with handoffs in each state: two drafts, one in progress, one that waits for an answer, one that failed,
 * and a plan with its outcome. `remove` deletes all of it; a killed process leaves `baton-start-…` in the
 * temporary folder.
 */
export async function createSampleProject(): Promise<SampleProject> {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'baton-start-')));
  const remove = () => rmSync(folder, { recursive: true, force: true });
  try {
    const environment = openFolder(folder);
    return { folder, environment, planned_id: await fill(folder, environment), remove };
  } catch (error) {
    remove();
    throw error;
  }
}

/** A separate repository: neither the user's settings nor stores take part. */
function openFolder(folder: string): NodeJS.ProcessEnv {
  const own = Object.entries(process.env).filter(([name]) => !/^(?:BATON|GIT)_/.test(name));
  const environment = {
    ...Object.fromEntries(own),
    XDG_STATE_HOME: join(folder, 'state'),
    CLAUDE_CONFIG_DIR: join(folder, 'claude'),
    CODEX_HOME: join(folder, 'codex'),
  };
  execFileSync('git', ['init', '--quiet', '--initial-branch=main', folder], { env: environment });
  const remote = ['remote', 'add', 'origin', 'https://github.com/tidepool/api.git'];
  execFileSync('git', remote, { cwd: folder, env: environment });
  for (const path of sources) {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), '');
  }
  writeSession(folder);
  copyFileSync(join(sessions, 'brainstorm.json'), join(folder, 'brainstorm.json'));
  return environment;
}

/** Where Claude Code keeps the sessions of a folder, so that the studio finds the messages of each quote. */
function writeSession(folder: string): void {
  const text = readFileSync(join(sessions, 'claude-code-rate-limit.jsonl'), 'utf8');
  const place = dirname(sessionPath(folder));
  mkdirSync(place, { recursive: true });
  // Its own folder becomes this one, in what its tools touched too.
  const { cwd = folder } = /"cwd":"(?<cwd>[^"]+)"/.exec(text)?.groups ?? {};
  writeFileSync(sessionPath(folder), text.replaceAll(cwd, folder));
}

const sessionPath = (folder: string) =>
  join(folder, 'claude/projects', folder.replace(/[^A-Za-z0-9]/g, '-'), `${session}.jsonl`);

async function fill(folder: string, environment: NodeJS.ProcessEnv): Promise<string> {
  const clock = { hours_ago: 0 };
  const now = () => Date.now() - clock.hours_ago * hour_ms;
  const writer = asSam(await openBaton({ cwd: folder, environment, surroundings: { now } }));
  const receiver = await openBaton({ cwd: folder, environment, agent: 'night-shift', surroundings: { now } });
  const at = (hours: number) => {
    clock.hours_ago = hours;
  };
  try {
    await fillPast({ writer, receiver, at });
    const planned_id = await planNotes({ writer, at, content: planned });
    at(2);
    for (const path of [sessionPath(folder), join(folder, 'brainstorm.json')]) await writer.handoff.import({ path });
    await fillPresent({ writer, receiver, at });
    return planned_id;
  } finally {
    await receiver.close();
    await writer.close();
  }
}

/** The person of the sample, independent of who starts it. */
function asSam(baton: Baton): Baton {
  const actor = { name: 'sam', type: 'person' } as const;
  return createBaton({ ...baton, run: (name, input, options) => baton.run(name, input, { actor, ...options }) });
}

/** The writer, the receiver, and how many hours ago it happens. */
interface Filling {
  writer: Baton;
  receiver: Baton;
  at: (hours: number) => void;
}

/** What is over: two that were received, one after the other, and one that ran out of attempts. */
async function fillPast({ writer, receiver, at }: Filling): Promise<void> {
  let parent_id: string | undefined;
  for (const { content, hours_ago } of done) {
    at(hours_ago);
    const { id } = await writer.handoff.create({ content: { ...content, parent_id }, draft: false });
    at(hours_ago - 1);
    const held = await claim(receiver, id);
    await receiver.handoff.report({ ...held, text: 'Read it, and ran the tests: they pass.' });
    await receiver.handoff.acknowledge(held);
    parent_id = id;
  }
  at(failing.hours_ago);
  const { content } = failing;
  const { id } = await writer.handoff.create({ content, draft: false, max_attempts: 1 });
  const held = await claim(receiver, id);
  await receiver.handoff.fail({ ...held, reason: 'The certificate of the mail server is not trusted here.' });
}

/** One is being worked on, one waits for an answer, the others are open. */
async function fillPresent({ writer, receiver, at }: Filling): Promise<void> {
  const ids: string[] = [];
  const create = async (content: ContentInput) => (await writer.handoff.create({ content, draft: false })).id;
  const write = async ({ content, former, hours_ago }: HandedOver) => {
    at(hours_ago + 1);
    const supersedes_id = former === undefined ? undefined : await create(former);
    at(hours_ago);
    ids.push(await create({ ...content, supersedes_id }));
  };
  for (const each of open) await write(each);
  at(0.02);
  const [worked = '', asked = ''] = ids;
  await receiver.handoff.report({ ...(await claim(receiver, worked)), text: 'The store is opened once now.' });
  const question = 'May the test create the folder by itself?';
  await receiver.handoff.ask({ ...(await claim(receiver, asked)), question });
}
