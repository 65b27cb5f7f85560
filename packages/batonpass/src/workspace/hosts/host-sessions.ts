import { readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import { sha256Hex } from '../../core/canonical-json.ts';
import { limits } from '../../core/limits.ts';
import { replaceFile } from '../../disk/replace-file.ts';
import { isRunning } from './host-process.ts';

/** What a hook tells of its session. Forms of a newer Baton are read too, as far as they are known. */
const sessionFactsSchema = z.object({
  host: z.string(),
  session: z.string(),
  /** The session's transcript on this machine. */
  transcript: z.string().optional(),
  /** Whether a person sits before it; what no person sees never takes a handoff by itself. */
  interactive: z.boolean(),
  /** The work tree's top folder in which it works, or the folder itself outside git. */
  root: z.string(),
  /** Absent where none is checked out. */
  branch: z.string().optional(),
});

const hostSessionSchema = sessionFactsSchema.extend({
  process: z.object({ machine: z.string(), pid: z.int(), started: z.string() }).optional(),
  /** ISO 8601, of the last event that a hook told. */
  seen_at: z.iso.datetime(),
  /** Set when the session is over, until it is started again. */
  ended_at: z.iso.datetime().optional(),
  /** Handoffs that hooks put into it, oldest first. */
  received: z.array(z.string()),
});

/** What this machine knows of a host's session: only hints, which can be lost without losing a handoff. */
export type HostSession = z.infer<typeof hostSessionSchema>;

const sessionJobSchema = sessionFactsSchema.extend({
  /** The host's event that asked for the save. */
  event: z.string(),
  asked_at: z.iso.datetime(),
  /** What the assistant said last: the transcript is written behind time. */
  last_words: z.string().optional(),
  /** Whether the session is over. */
  ended: z.boolean(),
  /** How often it was begun. */
  tries: z.int(),
});

/** A save that is still to be done: it says all that the save needs, whatever becomes of the session's other files. */
export type SessionJob = z.infer<typeof sessionJobSchema>;

/** A job with its text, which tells whether another has come in its place. */
export interface WrittenJob {
  job: SessionJob;
  text: string;
}

/** A file of a session's own, by what it holds. */
type Part = 'session' | 'job' | 'progress' | 'lock' | 'start';

/** The files in which hooks of one project leave word for each other; all for their owner alone. */
export class HostSessions {
  readonly #folder: string;

  /** @param folder - where they lie; made when the first is written. */
  constructor(folder: string) {
    this.#folder = folder;
  }

  /** What is known of a session; nothing where the file is absent, torn or of another form. */
  read(session: string): HostSession | undefined {
    return parse(hostSessionSchema, this.#readText(session, 'session'));
  }

  /** All sessions that are known, in no order. */
  list(): HostSession[] {
    return this.#list('session').flatMap((file) => parse(hostSessionSchema, this.#readFile(file)) ?? []);
  }

  write(session: HostSession): void {
    this.#write(session.session, 'session', session);
  }

  /** The job that waits for a session. */
  readJob(session: string): WrittenJob | undefined {
    return toWritten(this.#readText(session, 'job'));
  }

  /** @returns the job with its text. */
  writeJob(job: SessionJob): WrittenJob {
    return { job, text: this.#write(job.session, 'job', job) };
  }

  /** Takes a job away that is done, unless another has come in its place. */
  finishJob({ job, text }: WrittenJob): void {
    if (this.#readText(job.session, 'job') === text) this.#remove(job.session, 'job');
  }

  /** The jobs that wait; one that a power cut left torn says nothing any more. */
  listJobs(): SessionJob[] {
    return this.#list('job').flatMap((file) => toWritten(this.#readFile(file))?.job ?? []);
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

  /** Takes away the files of sessions that were not heard of for `limits.session_files_ms`, and torn jobs. */
  removeOld(now_ms: number): void {
    const torn = this.#list('job').filter((path) => toWritten(this.#readFile(path)) === undefined);
    const old = this.#list().filter((path) => {
      const { mtimeMs = now_ms } = statSync(path, { throwIfNoEntry: false }) ?? {};
      return now_ms - mtimeMs > limits.session_files_ms;
    });
    for (const path of [...torn, ...old]) rmSync(path, { force: true });
  }

  /** Files by their paths; of one kind, or all. */
  #list(part?: Part): string[] {
    try {
      const names = readdirSync(this.#folder, { withFileTypes: true }).filter((entry) => entry.isFile());
      return names
        .filter(({ name }) => part === undefined || name.endsWith(`.${part}.json`))
        .map(({ name }) => join(this.#folder, name));
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === 'ENOENT') return [];
      throw error;
    }
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

  #write(session: string, part: Part, value: unknown): string {
    const text = JSON.stringify(value);
    replaceFile(this.#path(session, part), text, 0o600);
    return text;
  }

  #remove(session: string, part: Part): void {
    rmSync(this.#path(session, part), { force: true });
  }
}

/** A name from a host becomes a file's name only as a UUID or its like; every other one is hashed. */
function isPlain(session: string): boolean {
  return /^[0-9a-z][0-9a-z-]{7,63}$/.test(session);
}

function toWritten(text: string | undefined): WrittenJob | undefined {
  const job = parse(sessionJobSchema, text);
  return text === undefined || job === undefined ? undefined : { job, text };
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
