import { type ChildProcessWithoutNullStreams, spawn, spawnSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { createInterface } from 'node:readline';
import { afterEach } from 'vitest';

/** Longer than any single thing that is waited for, on the slowest machine, in the longest form. */
const DEADLINE_MS = 600_000;

/** A process that executes commands, one line of JSON after the other, and answers in such lines. */
export class ToldProcess {
  /** Everything that it said. */
  readonly said: unknown[] = [];
  /** Rejects where it ended with an error on its own. */
  readonly ended: Promise<{ wasKilled: boolean }>;
  readonly #child: ChildProcessWithoutNullStreams;
  #heard = 0;
  #hasEnded = false;
  #notice = () => {};

  /** @param order - what it finds, as JSON, in its first argument. */
  constructor(file: string, order: object) {
    this.#child = spawn(process.execPath, [file, JSON.stringify(order)]);
    // A killed process does not read its last command.
    this.#child.stdin.on('error', () => {});
    this.ended = this.#run(file);
    this.ended.catch(() => {});
  }

  tell(command: unknown): void {
    this.#child.stdin.write(`${JSON.stringify(command)}\n`);
  }

  /** The next thing that it says. */
  async hear<T>(): Promise<T> {
    const deadline = AbortSignal.timeout(DEADLINE_MS);
    while (this.said.length <= this.#heard) {
      if (this.#hasEnded) await this.ended;
      if (this.#hasEnded || deadline.aborted) throw new Error('A process said nothing more.');
      await new Promise<void>((resolve) => {
        this.#notice = resolve;
        deadline.addEventListener('abort', () => resolve(), { once: true });
      });
    }
    this.#heard += 1;
    return this.said[this.#heard - 1] as T;
  }

  /** Stops it where it is; it does not know. */
  async pause(): Promise<void> {
    this.#child.kill('SIGSTOP');
    const deadline_ms = performance.now() + DEADLINE_MS;
    while (!isStopped(this.#child.pid ?? 0)) {
      if (performance.now() > deadline_ms) throw new Error('A process cannot be stopped.');
      await new Promise((resolve) => setImmediate(resolve));
    }
  }

  resume(): void {
    this.#child.kill('SIGCONT');
  }

  kill(): void {
    this.#child.kill('SIGKILL');
  }

  /** Says that there is nothing more to do, and waits for its end. */
  async dismiss(): Promise<void> {
    this.#child.stdin.end();
    await this.ended;
  }

  async #run(file: string): Promise<{ wasKilled: boolean }> {
    const closed = new Promise<{ code: number | null; signal: string | null }>((resolve, reject) => {
      this.#child.on('error', reject);
      this.#child.on('close', (code, signal) => resolve({ code, signal }));
    });
    let complaints = '';
    this.#child.stderr.on('data', (text) => {
      complaints += text;
    });
    for await (const text of createInterface({ input: this.#child.stdout })) {
      // A killed process can leave half a line; it had not said that yet.
      if (text.endsWith('}')) this.said.push(JSON.parse(text));
      this.#notice();
    }
    const { code, signal } = await closed;
    this.#hasEnded = true;
    this.#notice();
    if (code !== 0 && signal !== 'SIGKILL') throw new Error(`${file} ended with ${code ?? signal}: ${complaints}`);
    return { wasKilled: signal === 'SIGKILL' };
  }
}

/** Processes of one test each: what still runs at its end is killed. */
export function createToldProcesses(): (file: string, order: object) => ToldProcess {
  const processes: ToldProcess[] = [];
  afterEach(async () => {
    for (const each of processes) each.kill();
    await Promise.allSettled(processes.splice(0).map(({ ended }) => ended));
  });
  return (file, order) => {
    const started = new ToldProcess(file, order);
    processes.push(started);
    return started;
  };
}

/** Whether a process was stopped by a signal: as the kernel says, or where it has no such files, `ps`. */
export function isStopped(pid: number): boolean {
  const file = `/proc/${pid}/stat`;
  if (!existsSync(file))
    return spawnSync('ps', ['-o', 'state=', '-p', String(pid)], { encoding: 'utf8' }).stdout.startsWith('T');
  // The name before it is in brackets and may hold anything.
  return readFileSync(file, 'utf8').split(') ').at(-1)?.startsWith('T') === true;
}
