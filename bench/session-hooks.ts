import { execFileSync, spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Baton, openBaton } from '../packages/batonpass/src/operations/baton.ts';
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
    let session = 0;
    const hook = (event: string, fields: object = {}) => {
      session += 1;
      const transcript_path = join(folder, '.git', `${session}.jsonl`);
      writeFileSync(transcript_path, '');
      const payload = { session_id: `session-number-${session}`, transcript_path, cwd: folder, ...fields };
      runHook(event, payload, environment);
    };
    const node = () => runOnce(process.execPath, ['-e', '0'], environment, folder);
    const [bare = [], start = [], end = []] = interleave(
      [node, () => hook('SessionStart', { source: 'startup' }), () => hook('SessionEnd', { reason: 'other' })],
      rounds,
    );
    return [
      over(`hook SessionStart with ${handoffs} handoffs, claiming one,`, { sample: start, bare, floor: 120, aim: 90 }),
      over('hook SessionEnd until it returns,', { sample: end, bare, floor: 120, aim: 60 }),
    ];
  } finally {
    waitForWorkers(folder);
    rmSync(folder, { recursive: true, force: true });
  }
}

async function fill(baton: Baton): Promise<void> {
  for (let number = 1; number <= handoffs; number += 1) {
    await baton.run('handoff.create', { content: { summary: `Handoff number ${number}`, decisions: ['Use SQLite'] } });
  }
}

function runHook(event: string, payload: { cwd: string }, environment: NodeJS.ProcessEnv): void {
  const { status, stdout, stderr } = spawnSync(process.execPath, [program, 'hook', event], {
    cwd: payload.cwd,
    env: environment,
    input: JSON.stringify(payload),
    encoding: 'utf8',
  });
  const isOffer = event !== 'SessionStart' || stdout.includes('additionalContext');
  if (status !== 0 || stderr !== '' || !isOffer) throw new Error(`hook ${event}: ${status} ${stderr}${stdout}`);
}

/** The saves that the hooks left to the background, before their folder goes. */
function waitForWorkers(cwd: string): void {
  spawnSync(process.execPath, [program, 'hook', 'work'], { cwd });
}
