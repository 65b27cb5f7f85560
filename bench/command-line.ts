import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openBaton } from '../packages/batonpass/src/operations/baton.ts';
import { type Benchmark, interleave, over, runOnce } from './frame.ts';

const program = join(import.meta.dirname, '../packages/batonpass/bin/baton.js');
const handoffs = 1_000;
const rounds = 31;

/** How much longer the command takes to start than Node itself, in a repository with many handoffs. */
export const commandLine: Benchmark = {
  name: 'cli',
  what: 'start-up of the command over `node -e 0`',
  run: async () => {
    const folder = mkdtempSync(join(tmpdir(), 'baton-bench-'));
    try {
      execFileSync('git', ['init', '--quiet', folder]);
      execFileSync('git', ['remote', 'add', 'origin', 'https://github.com/acme/tidepool.git'], { cwd: folder });
      const { NODE_EXTRA_CA_CERTS: _slowsEveryStart, ...environment } = process.env;
      await fill(folder, environment);
      const node = (...words: string[]) => runOnce(process.execPath, words, environment, folder);
      const [bare = [], list = [], status = [], version = []] = interleave(
        [
          () => node('-e', '0'),
          () => node(program, 'list'),
          () => node(program, 'status'),
          () => node(program, '--version'),
        ],
        rounds,
      );
      return [
        over('baton list with 1,000 handoffs', { sample: list, bare, floor: 60, aim: 35 }),
        over('baton status with 1,000 handoffs', { sample: status, bare, floor: 90, aim: 50 }),
        over('baton --version', { sample: version, bare, floor: 40, aim: 20 }),
      ];
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  },
};

async function fill(cwd: string, environment: NodeJS.ProcessEnv): Promise<void> {
  const baton = await openBaton({ cwd, environment });
  for (let number = 1; number <= handoffs; number += 1) {
    await baton.handoff.create({
      content: { summary: `Handoff number ${number}`, task_id: `task-${number % 7}` },
    });
  }
  await baton.close();
}
