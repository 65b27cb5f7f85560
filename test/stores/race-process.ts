import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { afterEach } from 'vitest';
import { type Line, type Operation, readHistory } from './history/history.ts';
import type { Came } from './history/recorder.ts';
import type { Command, WorkerOrder } from './race-worker.ts';

/** Longer than any single thing that is waited for, on the slowest machine. */
const DEADLINE_MS = 60_000;

/** What a worker reports besides its history. */
export interface Word {
  /** The outcome of a command. */
  told: Came;
}

/** How a worker is watched. */
export interface WatchOptions {
  /** Called with the number of lines of its history, as each arrives. */
  onLine?: (count: number) => void;
}

/** One worker process, from its start to its end. */
export class WorkerProcess {
  readonly name: string;
  /** Its history so far. */
  readonly lines: Line[] = [];
  /** Rejects where it ended with an error on its own. */
  readonly ended: Promise<{ wasKilled: boolean }>;
  readonly #child: ChildProcess;
  readonly #answers: Came[] = [];
  #hasEnded = false;
  #notice = () => {};

  constructor(order: WorkerOrder, { onLine = () => {} }: WatchOptions = {}) {
    this.name = order.name;
    const worker = join(import.meta.dirname, 'race-worker.ts');
    this.#child = spawn(process.execPath, [worker, JSON.stringify(order)], { stdio: ['pipe', 'pipe', 'pipe'] });
    // A killed worker does not read its last command.
    this.#child.stdin?.on('error', () => {});
    this.ended = this.#run(onLine);
    // Its waiter is notified; a worker that takes commands is awaited at its end.
    this.ended.catch(() => {});
  }

  /** Asks a worker of the role `told` for one thing and waits for its answer. */
  async tell(command: Command): Promise<Came> {
    this.send(command);
    return this.hear();
  }

  /** Gives an order without waiting: a stopped process reads it when it continues. */
  send(command: Command): void {
    this.#child.stdin?.write(`${JSON.stringify(command)}\n`);
  }

  /** The next answer of a worker of the role `told`. */
  async hear(): Promise<Came> {
    await this.until(() => this.#answers.length > 0, 'an answer');
    return this.#answers.shift() as Came;
  }

  /** Waits for something that its output brings about; for one thing at a time. */
  async until(isSo: () => boolean, what: string): Promise<void> {
    const deadline = AbortSignal.timeout(DEADLINE_MS);
    while (!isSo()) {
      if (this.#hasEnded) await this.ended;
      if (this.#hasEnded || deadline.aborted) throw new Error(`Worker ${this.name} did not come to ${what}.`);
      await new Promise<void>((resolve) => {
        this.#notice = resolve;
        deadline.addEventListener('abort', () => resolve(), { once: true });
      });
    }
  }

  /** Stops it where it is; it does not know. */
  async pause(): Promise<void> {
    this.#child.kill('SIGSTOP');
    const deadline_ms = performance.now() + DEADLINE_MS;
    while (!isStopped(this.#child.pid ?? 0)) {
      if (performance.now() > deadline_ms) throw new Error(`Worker ${this.name} cannot be stopped.`);
      await new Promise((resolve) => setImmediate(resolve));
    }
  }

  resume(): void {
    this.#child.kill('SIGCONT');
  }

  kill(): void {
    this.#child.kill('SIGKILL');
  }

  /** Lets a worker of the role `told` end on its own. */
  async dismiss(): Promise<void> {
    this.#child.stdin?.end();
    await this.ended;
  }

  async #run(onLine: (count: number) => void): Promise<{ wasKilled: boolean }> {
    const closed = new Promise<{ code: number | null; signal: string | null }>((resolve, reject) => {
      this.#child.on('error', reject);
      this.#child.on('close', (code, signal) => resolve({ code, signal }));
    });
    let complaints = '';
    this.#child.stderr?.on('data', (text) => {
      complaints += text;
    });
    if (this.#child.stdout === null) throw new Error('A worker has an output.');
    for await (const text of createInterface({ input: this.#child.stdout })) this.#take(text, onLine);
    const { code, signal } = await closed;
    this.#hasEnded = true;
    this.#notice();
    if (code !== 0 && signal !== 'SIGKILL')
      throw new Error(`Worker ${this.name} ended with ${code ?? signal}: ${complaints}`);
    return { wasKilled: signal === 'SIGKILL' };
  }

  #take(text: string, onLine: (count: number) => void): void {
    // A killed worker can leave half a line; it had not said that yet.
    if (!text.endsWith('}')) return;
    const said = JSON.parse(text) as Line | Word;
    if ('told' in said) this.#answers.push(said.told);
    else onLine(this.lines.push(said));
    this.#notice();
  }
}

/** Whether a process was stopped by a signal: as the kernel says, or where it has no such files, `ps`. */
function isStopped(pid: number): boolean {
  const file = `/proc/${pid}/stat`;
  if (!existsSync(file))
    return spawnSync('ps', ['-o', 'state=', '-p', String(pid)], { encoding: 'utf8' }).stdout.startsWith('T');
  // The name before it is in brackets and may hold anything.
  return readFileSync(file, 'utf8').split(') ').at(-1)?.startsWith('T') === true;
}

/** Workers of one test each: what still runs at its end is killed. */
export function createWorkers(): (order: WorkerOrder, onLine?: (count: number) => void) => WorkerProcess {
  const workers: WorkerProcess[] = [];
  afterEach(async () => {
    for (const worker of workers) worker.kill();
    await Promise.allSettled(workers.splice(0).map(({ ended }) => ended));
  });
  return (order, onLine) => {
    const worker = new WorkerProcess(order, { onLine });
    workers.push(worker);
    return worker;
  };
}

/** Runs a worker to its natural end. @returns what it did. */
export async function runWorker(order: WorkerOrder): Promise<Operation[]> {
  const worker = new WorkerProcess(order);
  await worker.ended;
  return readHistory(worker.lines);
}

/** As `Promise.all`, but no process is left behind when one of them fails. */
export async function allEnded<T>(runs: readonly Promise<T>[]): Promise<T[]> {
  await Promise.allSettled(runs);
  return Promise.all(runs);
}
