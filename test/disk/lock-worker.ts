import { readFileSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { isHandoffError } from '../../packages/batonpass/src/core/errors.ts';
import { withLock } from '../../packages/batonpass/src/disk/lock.ts';

/** One process that takes the lock of a folder: `node lock-worker.ts ORDER`, the order as JSON. */

/** Its commands. */
export type LockCommand =
  /** Counts one up in a file, so many times, each under the lock. */
  | { do: 'count'; times: number }
  /** Holds the lock and writes a file for ever, until that is refused. */
  | { do: 'write' }
  /** Holds the lock for ever. */
  | { do: 'hold' };

/** What it answers. */
export interface LockAnswer {
  told: 'begun' | 'done';
  /** What refused it in the end. */
  code?: string;
}

const { folder, stale_ms } = JSON.parse(process.argv[2] ?? '{}') as { folder: string; stale_ms?: number };
const say = (answer: LockAnswer) => writeSync(1, `${JSON.stringify(answer)}\n`);
const turn = () => new Promise((resolve) => setImmediate(resolve));

async function count(times: number): Promise<void> {
  for (let time = 0; time < times; time += 1) {
    await withLock(
      folder,
      (lock) => {
        const value = Number(readFileSync(join(folder, 'count'), 'utf8'));
        lock.replaceFile('count', String(value + 1));
      },
      { wait_ms: 60_000 },
    );
  }
}

async function write(): Promise<void> {
  await withLock(
    folder,
    async (lock) => {
      lock.replaceFile('written', 'begun');
      say({ told: 'begun' });
      for (let time = 0; ; time += 1) {
        lock.replaceFile('written', `old ${time}`);
        await turn();
      }
    },
    { stale_ms },
  );
}

async function hold(): Promise<void> {
  await withLock(
    folder,
    () => {
      say({ told: 'begun' });
      return new Promise<never>(() => {});
    },
    { stale_ms },
  );
}

for await (const line of createInterface({ input: process.stdin })) {
  const command = JSON.parse(line) as LockCommand;
  let code: string | undefined;
  try {
    if (command.do === 'count') await count(command.times);
    else await (command.do === 'write' ? write() : hold());
  } catch (error) {
    if (!isHandoffError(error)) throw error;
    code = error.code;
  }
  say({ told: 'done', code });
}
