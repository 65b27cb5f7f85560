import { execFileSync } from 'node:child_process';
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { HookStage } from './hook-stage.ts';

/**
 * Started in its own mount namespace, with the folder of a stage: what hooks and a diagnosis do where the disk of the
 * store is full, and what the next session gets once there is room. Prints one JSON object.
 */
async function main(folder: string): Promise<void> {
  const stage = new HookStage(folder);
  const own = join(stage.project, '.git/baton');
  mkdirSync(own, { recursive: true });
  execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=512k,mode=700', 'tmpfs', own]);
  await stage.registerOnly('SessionStart', 'SessionEnd');
  const id = await stage.handOver();
  const filler = join(own, 'filler');
  fill(filler);

  const broken = stage.startHost();
  const context = await broken.startSession();
  await broken.endSession();
  const diagnosis = await stage.diagnose();
  rmSync(filler);
  const handoff = await stage.get(id);
  const next = await stage.startHost().startSession();
  const exit_codes = broken.ran.map(({ exit_code }) => exit_code);
  process.stdout.write(JSON.stringify({ id, context, exit_codes, diagnosis, handoff, next }));
}

/** Fills a disk to its last byte. */
function fill(path: string): void {
  for (const size of [4_096, 512, 1]) {
    try {
      for (;;) writeFileSync(path, Buffer.alloc(size), { flag: 'a' });
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'ENOSPC') throw error;
    }
  }
}

await main(process.argv[2] ?? '');
