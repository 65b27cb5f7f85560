import { type ChildProcessByStdio, spawn } from 'node:child_process';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import type { Readable, Writable } from 'node:stream';
import { onTestFinished } from 'vitest';
import type { Bell } from '../../packages/batonpass/src/stores/subscription.ts';
import { until } from './consume-stage.ts';

/** A second process of the test: its commands, and its reports. */
export interface WakeProcess {
  tell: (line: string) => void;
  hear: () => Promise<Record<string, unknown>>;
}

/**
 * Starts `wake-worker.ts`; it does not outlive the test.
 *
 * @param files_max - how many files it may have open. Default: what the system allows.
 */
export function startWakeProcess(file: string, role: 'create' | 'hear', files_max?: number): WakeProcess {
  const script = join(import.meta.dirname, 'wake-worker.ts');
  const words = [process.execPath, script, file, role];
  const child: ChildProcessByStdio<Writable, Readable, null> =
    files_max === undefined
      ? spawn(process.execPath, words.slice(1), { stdio: ['pipe', 'pipe', 'inherit'] })
      : spawn('sh', ['-c', `ulimit -n ${files_max}; exec "$@"`, 'sh', ...words], {
          stdio: ['pipe', 'pipe', 'inherit'],
        });
  onTestFinished(() => void child.kill('SIGKILL'));
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  return {
    tell: (line) => void child.stdin.write(line),
    hear: async () => {
      const { value, done } = await lines.next();
      if (done === true) throw new Error(`The process that should ${role} has ended.`);
      return JSON.parse(value) as Record<string, unknown>;
    },
  };
}

/** Resolves at the next ring of a bell; fails after a long time. */
export function nextRing(bell: Bell): Promise<void> {
  let isRung = false;
  const silence = bell.listen(() => {
    isRung = true;
  });
  return until(() => isRung, 'the bell rings').finally(silence);
}
