import { execFileSync, spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { HostEvent } from '../packages/batonpass/src/core/host.ts';
import { type HostName, hosts, transcribedHosts } from '../packages/batonpass/src/core/hosts.ts';
import { type Baton, openBaton } from '../packages/batonpass/src/operations/baton.ts';
import { createOwnHook } from '../packages/batonpass/src/workspace/hosts/host-hooks.ts';
import { commandLauncher } from '../packages/batonpass/src/workspace/hosts/launcher.ts';
import { recordedPayload } from '../packages/batonpass/src/workspace/hosts/recorded-payloads.ts';
import { interleave, type Metric, over, runOnce } from './frame.ts';

const program = join(import.meta.dirname, '../packages/batonpass/bin/baton.js');

/** What a person waits for in each host that was tried: the event that gives a handoff, and the session's end where it has one. */
const rows = transcribedHosts
  .flatMap((host) => hosts[host].events.map((event) => ({ host, event })))
  .filter(({ event: { moment } }) => moment === 'start' || moment === 'end');

/** How much longer the hooks of a session take than Node itself, in a repository with many open handoffs. */
export async function measureSessionHooks({ handoffs = 1_000, rounds = 31 } = {}): Promise<Metric[]> {
  const folder = mkdtempSync(join(tmpdir(), 'baton-bench-'));
  const { NODE_EXTRA_CA_CERTS: _slowsEveryStart, ...environment } = process.env;
  try {
    execFileSync('git', ['init', '--quiet', folder]);
    execFileSync('git', ['remote', 'add', 'origin', 'https://github.com/acme/tidepool.git'], { cwd: folder });
    const baton = await openBaton({ cwd: folder, environment });
    await fill(baton, handoffs);
    await baton.close();
    const node = () => runOnce(process.execPath, ['-e', '0'], environment, folder);
    // What one hook leaves to the background must not slow the next.
    const rest = () => waitForWorkers(folder);
    const contenders = rows.flatMap((row) => [createHook(row, { folder, environment }), rest]);
    const [bare = [], ...samples] = interleave([node, ...contenders], rounds);
    return rows.map(({ host, event: { event, moment } }, index) => {
      const what = moment === 'start' ? `with ${handoffs} handoffs, claiming one,` : 'until it returns,';
      const sample = samples[index * 2] ?? [];
      const aim = moment === 'start' ? 90 : 60;
      return over(`${hosts[host].title}’s hook ${event} ${what}`, { sample, bare, floor: 120, aim });
    });
  } finally {
    waitForWorkers(folder);
    rmSync(folder, { recursive: true, force: true });
  }
}

async function fill(baton: Baton, handoffs: number): Promise<void> {
  for (let number = 1; number <= handoffs; number += 1) {
    await baton.handoff.create({ content: { summary: `Handoff number ${number}`, decisions: ['Use SQLite'] } });
  }
}

/** The sessions of one host, each of which runs what is registered for an event, as that host starts it. */
function createHook(
  { host, event: { event, moment } }: { host: HostName; event: HostEvent },
  { folder, environment }: { folder: string; environment: NodeJS.ProcessEnv },
): () => void {
  const words = [process.execPath, program];
  // Where two hosts read one file of hooks, a hook finds by this variable which host runs it.
  const { own } = hosts[host].variables;
  const env = own === undefined ? environment : { ...environment, [own]: folder };
  const { command, args } = createOwnHook({ ...commandLauncher, hook: words, server: words }, host, event);
  let session = 0;
  return () => {
    session += 1;
    const session_id = `${host}-${event}-${session}`;
    const transcript_path = join(folder, '.git', `${session_id}.jsonl`);
    writeFileSync(transcript_path, '');
    const payload = recordedPayload(event, { host, session_id, transcript_path, cwd: folder });
    const { status, stdout, stderr } = spawnSync(command, args ?? [], {
      // A command without arguments of its own is a line for the shell.
      shell: args === undefined,
      cwd: folder,
      env,
      input: JSON.stringify(payload),
      encoding: 'utf8',
    });
    const isOffer = moment !== 'start' || stdout.includes('additionalContext');
    if (status !== 0 || stderr !== '' || !isOffer) throw new Error(`hook ${event}: ${status} ${stderr}${stdout}`);
  };
}

/** Waits for the background saves of the hooks before their folder is removed. */
function waitForWorkers(cwd: string): void {
  spawnSync(process.execPath, [program, 'hook', 'work'], { cwd });
}
