import { execFileSync, spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type HostName, hostNames, hosts } from '../packages/batonpass/src/core/hosts.ts';
import { type Baton, openBaton } from '../packages/batonpass/src/operations/baton.ts';
import { createOwnHook } from '../packages/batonpass/src/workspace/hosts/host-hooks.ts';
import { commandLauncher } from '../packages/batonpass/src/workspace/hosts/launcher.ts';
import { interleave, type Metric, over, runOnce } from './frame.ts';

const program = join(import.meta.dirname, '../packages/batonpass/bin/baton.js');
const handoffs = 1_000;
const rounds = 31;

/** How much longer the hooks of a session take than Node itself, in a repository with many open handoffs. */
export async function measureSessionHooks(): Promise<Metric[]> {
  const folder = mkdtempSync(join(tmpdir(), 'baton-bench-'));
  const { NODE_EXTRA_CA_CERTS: _slowsEveryStart, ...environment } = process.env;
  try {
    execFileSync('git', ['init', '--quiet', folder]);
    execFileSync('git', ['remote', 'add', 'origin', 'https://github.com/acme/tidepool.git'], { cwd: folder });
    const baton = await openBaton({ cwd: folder, environment });
    await fill(baton);
    await baton.close();
    const node = () => runOnce(process.execPath, ['-e', '0'], environment, folder);
    // What one hook leaves to the background must not slow the next.
    const rest = () => waitForWorkers(folder);
    const contenders = hostNames.flatMap((host) => [
      createHook(host, 'SessionStart', { folder, environment, fields: { source: 'startup' } }),
      rest,
      createHook(host, 'SessionEnd', { folder, environment, fields: { reason: 'other' } }),
      rest,
    ]);
    const [bare = [], ...samples] = interleave([node, ...contenders], rounds);
    return hostNames.flatMap((host, index) => {
      const [start = [], , end = []] = samples.slice(index * (contenders.length / hostNames.length));
      const of = (event: string) => `${hosts[host].title}’s hook ${event}`;
      return [
        over(`${of('SessionStart')} with ${handoffs} handoffs, claiming one,`, {
          sample: start,
          bare,
          floor: 120,
          aim: 90,
        }),
        over(`${of('SessionEnd')} until it returns,`, { sample: end, bare, floor: 120, aim: 60 }),
      ];
    });
  } finally {
    waitForWorkers(folder);
    rmSync(folder, { recursive: true, force: true });
  }
}

async function fill(baton: Baton): Promise<void> {
  for (let number = 1; number <= handoffs; number += 1) {
    await baton.handoff.create({ content: { summary: `Handoff number ${number}`, decisions: ['Use SQLite'] } });
  }
}

/** The sessions of one host, each of which runs what is registered for an event, as that host starts it. */
function createHook(
  host: HostName,
  event: string,
  { folder, environment, fields }: { folder: string; environment: NodeJS.ProcessEnv; fields: object },
): () => void {
  const words = [process.execPath, program];
  const { command, args } = createOwnHook({ ...commandLauncher, hook: words, server: words }, host, event);
  let session = 0;
  return () => {
    session += 1;
    const session_id = `${host}-${event}-${session}`;
    const transcript_path = join(folder, '.git', `${session_id}.jsonl`);
    writeFileSync(transcript_path, '');
    const payload = { session_id, transcript_path, cwd: folder, hook_event_name: event, ...fields };
    const { status, stdout, stderr } = spawnSync(command, args ?? [], {
      // A command without arguments of its own is a line for the shell.
      shell: args === undefined,
      cwd: folder,
      env: environment,
      input: JSON.stringify(payload),
      encoding: 'utf8',
    });
    const isOffer = event !== 'SessionStart' || stdout.includes('additionalContext');
    if (status !== 0 || stderr !== '' || !isOffer) throw new Error(`hook ${event}: ${status} ${stderr}${stdout}`);
  };
}

/** The saves that the hooks left to the background, before their folder goes. */
function waitForWorkers(cwd: string): void {
  spawnSync(process.execPath, [program, 'hook', 'work'], { cwd });
}
