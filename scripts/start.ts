import { type ChildProcess, spawn } from 'node:child_process';
import { join } from 'node:path';
import { createSampleProject, type SampleProject } from './sample-project.ts';

/**
 * `npm start`: the studio with the demo's transcript and some handoffs around it, in its own folder that is removed
 * when it stops. Words after `--` are those of `baton studio`.
 */

const program = join(import.meta.dirname, '../packages/batonpass/bin/baton.js');

const sample = await createSampleProject();
try {
  process.stdout.write(
    'The studio with sample handoffs; nothing of yours takes part, and all of it goes with Ctrl-C.\n\n',
  );
  process.exitCode = await serve(sample);
} finally {
  sample.remove();
}

/** Runs the command until it is stopped; Ctrl-C reaches it directly, other signals are passed on. */
function serve({ folder, environment }: SampleProject): Promise<number> {
  const words = [program, 'studio', ...process.argv.slice(2)];
  const child: ChildProcess = spawn(process.execPath, words, { cwd: folder, env: environment, stdio: 'inherit' });
  // A terminal signals the child too; a process that was started by something else forwards the signal here.
  process.on('SIGINT', () => {});
  process.on('SIGTERM', () => child.kill('SIGTERM'));
  return new Promise((resolve, reject) => {
    child.once('error', reject);
    // To be stopped is how it ends well.
    child.once('exit', (code) => resolve(code === 130 || code === 143 ? 0 : (code ?? 1)));
  });
}
