import { readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import { sha256Hex } from '../core/canonical-json.ts';
import { limits } from '../core/limits.ts';
import { replaceFile } from '../disk/replace-file.ts';
import { isRunning } from './host-process.ts';

const hostSessionSchema = z.strictObject({
  host: z.string(),
  session: z.string(),
  /** The session's transcript on this machine. */
  transcript: z.string().optional(),
  /** Whether a person sits before it; what no person sees never takes a handoff by itself. */
  interactive: z.boolean(),
  process: z.strictObject({ machine: z.string(), pid: z.int(), started: z.string() }).optional(),
  /** ISO 8601, of the last event that a hook told. */
  seen_at: z.iso.datetime(),
  /** Set when the host said that the session is over, until it is started again. */
  ended_at: z.iso.datetime().optional(),
  /** Handoffs that hooks put into it, oldest first. */
  received: z.array(z.string()),
});

/** What this machine knows of a host's session: only hints, which can be lost without losing a handoff. */
export type HostSession = z.infer<typeof hostSessionSchema>;

const sessionJobSchema = z.strictObject({
  /** The host's event that asked for the save. */
  event: z.string(),
  asked_at: z.iso.datetime(),
  /** What the assistant said last: the transcript is written behind time. */
  last_words: z.string().optional(),
});

/** A save that is still to be done. */
export type SessionJob = z.infer<typeof sessionJobSchema>;

/** A file of a session's own, by what it holds. */
type Part = 'session' | 'job' | 'progress' | 'lock' | 'start';

/** The files in which hooks of one project leave word for each other; all for their owner alone. */
export class HostSessions {
  readonly #folder: string;

  /** @param own - the folder in which Baton keeps what it needs for the workspace. */
  constructor(own: string) {
    this.#folder = join(own, 'sessions');
  }

  /** What is known of a session; nothing where the file is absent, torn or of another form. */
  read(session: string): HostSession | undefined {
    return parse(hostSessionSchema, this.#readText(session, 'session'));
  }

  /** The sessions that were heard of after an instant, in no order. */
  list(after_ms: number): HostSession[] {
    const files = this.#list().filter((file) => file.endsWith('.session.json'));
    return files.flatMap((file) => {
      const path = join(this.#folder, file);
      const { mtimeMs = 0 } = statSync(path, { throwIfNoEntry: false }) ?? {};
      return mtimeMs > after_ms ? (parse(hostSessionSchema, this.#readFile(path)) ?? []) : [];
    });
  }

  write(session: HostSession): void {
    this.#write(session.session, 'session', session);
  }

  /** The text of the job that waits for a session, with what it says; the text tells whether another came meanwhile. */
  readJob(session: string): { job: SessionJob; text: string } | undefined {
    const text = this.#readText(session, 'job');
    const job = parse(sessionJobSchema, text);
    return text === undefined || job === undefined ? undefined : { job, text };
  }

  writeJob(session: string, job: SessionJob): void {
    this.#write(session, 'job', job);
  }

  /** Takes a job away that is done, unless another has come in its place. */
  finishJob(session: string, text: string): void {
    if (this.#readText(session, 'job') === text) this.#remove(session, 'job');
  }

  /** The sessions that a save waits for. */
  listJobs(): string[] {
    const files = this.#list().filter((file) => file.endsWith('.job.json'));
    return files.flatMap((file) => this.#nameOf(file) ?? []);
  }

  /** How far a transcript has been read, as its reader left it. */
  readProgress(session: string): unknown {
    const text = this.#readText(session, 'progress');
    return text === undefined ? undefined : parseJson(text);
  }

  writeProgress(session: string, progress: unknown): void {
    if (progress === undefined) this.#remove(session, 'progress');
    else this.#write(session, 'progress', progress);
  }

  /** Where the lock of a session's worker lies. */
  lockPath(session: string): string {
    return this.#path(session, 'lock');
  }

  /** Where the lock of a session's start lies: a host in which hooks are registered twice runs them at once. */
  startLockPath(session: string): string {
    return this.#path(session, 'start');
  }

  /**
   * Whether a session is still at work: not ended, and its process runs. Where the process cannot be asked, a session
   * that was heard of within a lease's time is taken for live. A session that nobody knows here is not.
   */
  isLive(session: string, now_ms: number): boolean {
    const known = this.read(session);
    if (known === undefined || known.ended_at !== undefined) return false;
    const runs = known.process && isRunning(known.process);
    return runs ?? now_ms - Date.parse(known.seen_at) < limits.lease_ms_default;
  }

  /** Takes away the files of sessions that were not heard of for `limits.session_files_ms`. */
  removeOld(now_ms: number): void {
    for (const file of this.#list()) {
      const path = join(this.#folder, file);
      const { mtimeMs = now_ms } = statSync(path, { throwIfNoEntry: false }) ?? {};
      if (now_ms - mtimeMs > limits.session_files_ms) rmSync(path, { force: true });
    }
  }

  #list(): string[] {
    try {
      return readdirSync(this.#folder);
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === 'ENOENT') return [];
      throw error;
    }
  }

  /** The session that a job's file belongs to; names that are hashes are asked of the session's own file. */
  #nameOf(file: string): string | undefined {
    const name = file.slice(0, -'.job.json'.length);
    const text = this.#readFile(join(this.#folder, `${name}.session.json`));
    return parse(hostSessionSchema, text)?.session ?? (isPlain(name) ? name : undefined);
  }

  #path(session: string, part: Part): string {
    const name = isPlain(session) ? session : sha256Hex(session);
    return join(this.#folder, `${name}.${part}.json`);
  }

  #readText(session: string, part: Part): string | undefined {
    return this.#readFile(this.#path(session, part));
  }

  #readFile(path: string): string | undefined {
    try {
      return readFileSync(path, 'utf8');
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
      throw error;
    }
  }

  #write(session: string, part: Part, value: unknown): void {
    replaceFile(this.#path(session, part), JSON.stringify(value), 0o600);
  }

  #remove(session: string, part: Part): void {
    rmSync(this.#path(session, part), { force: true });
  }
}

/** A name from a host becomes a file's name only as a UUID or its like; every other one is hashed. */
function isPlain(session: string): boolean {
  return /^[0-9a-z][0-9a-z-]{7,63}$/.test(session);
}

function parse<T extends z.ZodType>(schema: T, text: string | undefined): z.output<T> | undefined {
  const answer = text === undefined ? undefined : schema.safeParse(parseJson(text));
  return answer?.success === true ? answer.data : undefined;
}

/** What a crash left torn says nothing; hooks make it anew. */
function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
