import { type ChildProcess, execFile, type StdioOptions, spawn } from 'node:child_process';
import { copyFile, mkdtemp, readFile, realpath, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { styleText } from 'node:util';
import { throwIfAborted } from '../../core/aborted.ts';
import type { Handoff } from '../../core/handoff.ts';
import { write } from './write.ts';

/** Both are stored next to the built command. */
const program = fileURLToPath(new URL('../../bin/baton.js', import.meta.url));
const example = fileURLToPath(new URL('../examples/claude-code-rate-limit.jsonl', import.meta.url));

/** An agent that claims, then works without end: the demo kills it. */
const worker = `
const claim = require('node:child_process').spawn(process.execPath, process.argv.slice(1), { stdio: ['ignore', 'ignore', 'inherit'] });
claim.once('exit', () => process.send('claimed'));
process.once('SIGTERM', () => process.exit(claim.kill('SIGKILL') ? 1 : 0));
setInterval(() => {}, 1000);
`;

/**
 * The whole path of one handoff, with the real commands on a real transcript, in a folder that is removed afterwards.
 *
 * @param signal - stops the running command and ends the demo. @throws AbortError then.
 */
export async function runDemo(signal: AbortSignal): Promise<void> {
  const folder = await realpath(await mkdtemp(join(tmpdir(), 'baton-demo-')));
  try {
    const stage = await openStage(folder, signal);
    await passOn(stage);
    await passOnByItself(stage);
    await say('Done. In your own project, start with: baton init, or baton sessions');
  } catch (error) {
    // A command that was stopped failed for no other reason.
    throwIfAborted(signal, 'The demo');
    throw error;
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

interface Stage {
  folder: string;
  environment: NodeJS.ProcessEnv;
  signal: AbortSignal;
}

async function openStage(folder: string, signal: AbortSignal): Promise<Stage> {
  await copyFile(example, join(folder, 'session.jsonl'));
  // The user's own settings and stores are not used.
  const own = Object.entries(process.env).filter(([name]) => !name.startsWith('BATON_') && !name.startsWith('GIT_'));
  const environment = { ...Object.fromEntries(own), XDG_STATE_HOME: join(folder, 'state') };
  // Without git Baton works too, with its store in the state folder.
  await new Promise<void>((resolve) => {
    execFile('git', ['init', '--quiet', '--initial-branch=main'], { cwd: folder, env: environment }, () => {
      const remote = ['remote', 'add', 'origin', 'https://github.com/tidepool/api.git'];
      execFile('git', remote, { cwd: folder, env: environment }, () => resolve());
    });
  });
  return { folder, environment, signal };
}

async function passOn(stage: Stage): Promise<void> {
  await say('A Claude Code session ended. You create a handoff from its transcript; it starts as a draft.');
  await baton(stage, ['import', 'session.jsonl', '--task', 'rate-limit']);
  const id = (await listOne(stage)).id.slice(-8);

  await say('Every item quotes its source. You review it …');
  await baton(stage, ['show', id]);
  await say('… and open it. The approval binds to exactly this content.');
  await baton(stage, ['approve', id]);

  await say('Another process, the agent "night-shift", claims it for two seconds, and is killed while it works.');
  await claimAndDie(stage, ['claim', '--as', 'night-shift', '--lease', '2s']);
  await baton(stage, ['list']);

  await say('Nothing is lost: when the lease lapses, the next agent gets it, with the text for its context.');
  const claim = ['claim', '--as', 'day-shift', '--key', 'morning', '--wait'];
  await baton(stage, claim);
  await say('A receiver with a smaller budget gets a shorter text, which lists what was cut.');
  await baton(stage, ['render', id, '--budget', '400']);

  await say('It confirms that it took over. That ends the delivery.');
  // The same key gives the same lease again, to a caller that lost the first answer.
  const token = tokenOf(await quietly(stage, [...claim, '--json']));
  await baton(stage, ['ack', id, '--as', 'day-shift', '--token', token]);
  await baton(stage, ['log', id]);

  const { delivery } = await listOne(stage);
  if (delivery.state !== 'acknowledged') throw new Error(`The demo ended in the state ${delivery.state}.`);
}

/** The same without typing: the hooks that a host calls. The demo plays the host's part, its transcript. */
async function passOnByItself(stage: Stage): Promise<void> {
  const [first, second] = [join(stage.folder, 'session.jsonl'), join(stage.folder, 'next-session.jsonl')];
  await say('In Claude Code nobody types any of this. Hooks do it: a session ends …');
  await hook(stage, 'SessionEnd', { session_id: 'demo-session-1', transcript_path: first, reason: 'other' });
  try {
    await receiveByItself(stage, second);
  } finally {
    await workerEnded(stage);
  }
}

async function receiveByItself(stage: Stage, transcript: string): Promise<void> {
  await say('… and the next one starts with it. This is what goes into its context:');
  const session = { session_id: 'demo-session-2', transcript_path: transcript };
  const printed = await hook(stage, 'SessionStart', { ...session, source: 'startup' });
  const text = (JSON.parse(printed) as HookOutput).hookSpecificOutput.additionalContext;
  await write(process.stdout, `${text.split('\n').slice(0, 8).join('\n')}\n…\n`);
  await say(
    'Printed does not mean received. Claude Code records it in the session’s transcript, where Baton finds it.',
  );
  const attachment = { type: 'hook_additional_context', hookName: 'SessionStart', content: [text] };
  const row = { type: 'attachment', sessionId: session.session_id, isSidechain: false, attachment };
  await writeFile(transcript, `${JSON.stringify(row)}\n`);
  const { handoffs } = JSON.parse(await quietly(stage, ['list', '--json'])) as { handoffs: Handoff[] };
  const [newest] = handoffs;
  if (newest?.delivery.injected === undefined) throw new Error('The demo did not find the proof of its injection.');
  await baton(stage, ['log', newest.id.slice(-8)]);
}

/** The save continues in the background; its folder must stay until the save's last record is written. */
async function workerEnded({ folder }: Stage): Promise<void> {
  const logs = ['.git/baton', 'state/baton'].map((place) => join(folder, place, 'hooks.jsonl'));
  const isWritten = async (path: string) => (await readFile(path, 'utf8').catch(() => '')).includes('"event":"work"');
  for (let look = 0; look < 500; look += 1) {
    if ((await Promise.all(logs.map(isWritten))).includes(true)) return;
    await pause(20);
  }
}

interface HookOutput {
  hookSpecificOutput: { additionalContext: string };
}

/** Calls a hook as the host does, with its payload on standard input. It ends by itself: its save must not be cut off. */
async function hook(stage: Stage, event: string, payload: object): Promise<string> {
  throwIfAborted(stage.signal, 'The demo');
  await show(['hook', event]);
  const child = spawn(process.execPath, [program, 'hook', event], {
    cwd: stage.folder,
    env: stage.environment,
    stdio: ['pipe', 'pipe', 'inherit'],
    // A terminal's Ctrl-C does not reach it.
    detached: true,
    windowsHide: true,
  });
  let printed = '';
  child.stdout.setEncoding('utf8').on('data', (chunk: string) => {
    printed += chunk;
  });
  const closed = new Promise((resolve) => child.once('close', resolve));
  child.stdin.end(JSON.stringify({ ...payload, cwd: stage.folder, hook_event_name: event }));
  await closed;
  return printed;
}

async function say(sentence: string): Promise<void> {
  await write(process.stdout, `\n${styleText('italic', sentence, { stream: process.stdout })}\n`);
}

async function show(words: readonly string[]): Promise<void> {
  const line = ['baton', ...words].map((word) => (/^[\w./:=-]+$/.test(word) ? word : JSON.stringify(word))).join(' ');
  await write(process.stdout, `${styleText(['bold', 'cyan'], `$ ${line}`, { stream: process.stdout })}\n`);
}

/** Runs a command as a person would and shows what it prints. */
async function baton(stage: Stage, words: readonly string[]): Promise<void> {
  await show(words);
  const child = start(stage, [program, ...words], ['ignore', 'inherit', 'inherit']);
  const code = await ended(child);
  if (code !== 0) throw new Error(`"baton ${words.join(' ')}" ended with code ${code}.`);
}

async function claimAndDie(stage: Stage, words: readonly string[]): Promise<void> {
  await show(words);
  const child = start(stage, ['-e', worker, program, ...words], ['ignore', 'ignore', 'inherit', 'ipc']);
  const claimed = new Promise((resolve) => child.once('message', resolve));
  const ending = ended(child);
  if ((await Promise.race([claimed, ending])) !== 'claimed') throw new Error('The agent of the demo could not claim.');
  await write(process.stdout, `${styleText(['bold', 'cyan'], `$ kill -9 ${child.pid}`, { stream: process.stdout })}\n`);
  child.kill('SIGKILL');
  await ending;
}

/** Starts a process that is stopped with the demo. */
function start({ folder, environment, signal }: Stage, words: readonly string[], stdio: StdioOptions): ChildProcess {
  throwIfAborted(signal, 'The demo');
  const child = spawn(process.execPath, words, { cwd: folder, env: environment, stdio });
  const stop = () => child.kill();
  signal.addEventListener('abort', stop);
  child.once('exit', () => signal.removeEventListener('abort', stop));
  return child;
}

function ended(child: ChildProcess): Promise<number | NodeJS.Signals | null> {
  return new Promise((resolve, reject) => {
    child.once('error', reject);
    child.once('exit', (code, signal) => resolve(signal ?? code));
  });
}

async function listOne(stage: Stage): Promise<Handoff> {
  const { handoffs } = JSON.parse(await quietly(stage, ['list', '--json'])) as { handoffs: Handoff[] };
  const [only] = handoffs;
  if (only === undefined) throw new Error('The demo lost its handoff.');
  return only;
}

function tokenOf(answer: string): string {
  const { handoff } = JSON.parse(answer) as { handoff: Handoff };
  return handoff.delivery.lease?.token ?? '';
}

function quietly(stage: Stage, words: readonly string[]): Promise<string> {
  throwIfAborted(stage.signal, 'The demo');
  return new Promise((resolve, reject) => {
    execFile(process.execPath, [program, ...words], { cwd: stage.folder, env: stage.environment }, (error, stdout) =>
      error === null ? resolve(stdout) : reject(error),
    );
  });
}
