import { readFileSync } from 'node:fs';
import { ForksPoolWorker, type PoolOptions } from 'vitest/node';

/** One test file with a browser takes about 350 MB. A new process costs up to 1.4 s of processor time for its imports. */
const RESIDENT_BYTES_MAX = 500 * 1024 * 1024;

/**
 * A worker process that takes no further test file once it holds too much memory: a new process takes it. To start a
 * program, Linux copies the page tables of the process that starts it, and tests start thousands. A start costs a small
 * process 1 ms of processor time, one of 300 MB 9 ms and one of 800 MB 22 ms, where all files in one process end. Where
 * there is no `/proc`, a worker takes all files.
 */
export class SlimWorker extends ForksPoolWorker {
  override readonly name = 'slim-forks';

  /** Asked between two test files. */
  canReuse(): boolean {
    // biome-ignore lint/complexity/useLiteralKeys: the field is not for subclasses, and nothing else names the process.
    return residentBytes(this['_fork']?.pid) < RESIDENT_BYTES_MAX;
  }
}

/** The pool of the test runner, for its configuration. */
export const slimForks = {
  name: 'slim-forks',
  createPoolWorker: (options: PoolOptions) => new SlimWorker(options),
};

function residentBytes(pid: number | undefined): number {
  try {
    const kilobytes = /^VmRSS:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1];
    return Number(kilobytes ?? 0) * 1024;
  } catch {
    return 0;
  }
}
