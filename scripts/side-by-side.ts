import { spawn } from 'node:child_process';
import { text } from 'node:stream/consumers';

/**
 * Runs commands at once: `node side-by-side.ts COMMAND…`. Shows the output of each as a whole when it has ended, and
 * fails where one of them failed.
 */
const codes = await Promise.all(process.argv.slice(2).map(run));
process.exitCode = codes.every((code) => code === 0) ? 0 : 1;

/** @returns the exit code; null where a signal ended it. */
async function run(command: string): Promise<number | null> {
  const child = spawn(command, { shell: true, stdio: ['ignore', 'pipe', 'pipe'] });
  const [results, complaints, code] = await Promise.all([
    text(child.stdout),
    text(child.stderr),
    new Promise<number | null>((resolve) => child.once('close', resolve)),
  ]);
  process.stdout.write(results);
  process.stderr.write(complaints);
  if (code !== 0) process.stderr.write(`This ended with ${code}: ${command}\n`);
  return code;
}
