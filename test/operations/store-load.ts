import { type ChildProcess, spawn } from 'node:child_process';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { afterEachTest } from '../after-each-test.ts';

/** Longer than anything that is waited for here, on the slowest machine. */
const DEADLINE_MS = 60_000;

const running = new Set<ChildProcess>();

afterEachTest(() => {
  for (const child of running) child.kill('SIGKILL');
  running.clear();
});

/** What a worker says: a handoff that it knows to be at a version, or a refusal that it met. */
export type Word = { id: string; version: number } | { refused: string };

/** A process that works with a store all the time. */
export class Load {
  /** What it said so far. */
  readonly words: Word[] = [];
  readonly #child: ChildProcess;
  readonly #ended: Promise<void>;
  #notice = () => {};

  /** @param place - the file of a store, or its URL. @param given - a project, and a pause before each handoff. */
  constructor(place: string, name: string, { project = 'load', pause_ms = 0 } = {}) {
    const worker = join(import.meta.dirname, 'store-load-worker.ts');
    this.#child = spawn(process.execPath, [worker, place, name, project, String(pause_ms)], {
      stdio: ['pipe', 'pipe', 'pipe'],
    });
    running.add(this.#child);
    let complaints = '';
    this.#child.stderr?.on('data', (text) => {
      complaints += text;
    });
    this.#ended = new Promise((resolve, reject) => {
      this.#child.once('close', (code) => {
        running.delete(this.#child);
        if (code === 0 || code === null) resolve();
        else reject(new Error(`The worker ${name} ended with ${code}: ${complaints}`));
        this.#notice();
      });
    });
    this.#ended.catch(() => {});
    if (this.#child.stdout !== null) this.#read(this.#child.stdout);
  }

  /** The latest version of each handoff that it knows to be kept. */
  get known(): Map<string, number> {
    return new Map(this.words.flatMap((word) => ('id' in word ? [[word.id, word.version] as const] : [])));
  }

  /** Waits until it has said so many words more. */
  async work(words: number): Promise<void> {
    const wanted = this.words.length + words;
    const deadline = AbortSignal.timeout(DEADLINE_MS);
    while (this.words.length < wanted) {
      if (deadline.aborted || this.#child.exitCode !== null) throw new Error('The worker has stopped working.');
      await new Promise<void>((resolve) => {
        this.#notice = resolve;
        deadline.addEventListener('abort', () => resolve());
      });
    }
  }

  /** Lets it finish what it is at, and waits for its end. */
  async stop(): Promise<void> {
    this.#child.stdin?.end();
    await this.#ended;
  }

  async #read(stdout: NonNullable<ChildProcess['stdout']>): Promise<void> {
    for await (const line of createInterface({ input: stdout })) {
      // A killed worker can leave half a line; it had not said that yet.
      if (line.endsWith('}')) this.words.push(JSON.parse(line));
      this.#notice();
    }
  }
}
