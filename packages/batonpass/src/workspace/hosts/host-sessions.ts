import { existsSync, readdirSync, readFileSync, renameSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import { sha256Hex } from '../../core/canonical-json.ts';
import { limits } from '../../core/limits.ts';
import { isRunning } from '../../disk/machine-process.ts';
import { replaceFile } from '../../disk/replace-file.ts';
import { FolderReadings } from './folder-reading.ts';

/** A hook's facts about its session. Forms of a newer Baton are read too, as far as they are known. */
const sessionFactsSchema = z.object({
  host: z.string(),
  session: z.string(),
  /** The session's transcript on this machine. */
  transcript: z.string().optional(),
  /** Whether a person uses it; a session that no person uses never claims a handoff by itself. */
  interactive: z.boolean(),
  /** The work tree's top folder in which it works, or the folder itself outside git. */
  root: z.string(),
  /** Absent where none is checked out. */
  branch: z.string().optional(),
});

const hostSessionSchema = sessionFactsSchema.extend({
  process: z.object({ machine: z.string(), pid: z.int(), started: z.string() }).optional(),
  /** ISO 8601, of the last event that a hook reported. */
  seen_at: z.iso.datetime(),
  /** Set when the session is over, until it is started again. */
  ended_at: z.iso.datetime().optional(),
  /** That it was compacted and the host took no text then, so that the text is given at the next prompt. */
  deferred: z.literal('compact').optional(),
  /** Handoffs that hooks injected into it, oldest first. */
  received: z.array(z.string()),
});

/** This machine's facts about a host's session: only hints, which can be lost without losing a handoff. */
export type HostSession = z.infer<typeof hostSessionSchema>;

const sessionJobSchema = sessionFactsSchema.extend({
  /** The host's event that asked for the save. */
  event: z.string(),
  asked_at: z.iso.datetime(),
  /** The assistant's last words: the transcript is written with a delay. */
  last_words: z.string().optional(),
  /** Whether the session is over. */
  ended: z.boolean(),
  /** How often it was begun; the worker that takes it counts. */
  tries: z.int().default(0),
  /** Whether a person requests that the session's agent writes: then no limit counts. */
  by_person: z.literal(true).optional(),
});

/** A save that is still to be done: it contains all that the save needs, whatever happens to the session's other files. */
export type SessionJob = z.infer<typeof sessionJobSchema>;

const noticeSchema = z.object({
  session: z.string(),
  notice: z.object({ kind: z.enum(['saved', 'failed']), text: z.string(), shown: z.boolean() }),
});

/** A line for the person of a session, about its last save. */
export type SessionNotice = z.infer<typeof noticeSchema>['notice'];

const createdSchema = z.object({
  session: z.string(),
  created: z.array(
    z.object({
      handoff_id: z.string(),
      /** Whether a save of the session holds it. */
      is_saved: z.boolean(),
    }),
  ),
});

/** A handoff that the agent of a session wrote itself. */
export type CreatedHandoff = z.infer<typeof createdSchema>['created'][number];

const followingSchema = z.object({ session: z.string(), handoff_id: z.string() });

/** A file of a session's own, by its contents. */
type SessionFilePart = 'session' | 'job' | 'work' | 'progress' | 'notice' | 'lock' | 'start' | 'following' | 'created';

/**
 * The files through which hooks of one project communicate; only their owner can read them. Hooks write jobs, and a
 * worker takes one by renaming its file: a worker never overwrites a hook's newer job, and never removes it together with
 * an older one.
 */
export class HostSessions {
  readonly #folder: string;

  /** @param folder - where they are stored; made when the first is written. */
  constructor(folder: string) {
    this.#folder = folder;
  }

  /** The facts of a session; nothing where the file is absent, torn or of another form. */
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

  /** Asks for a save; an earlier request that is not begun yet becomes part of it. */
  writeJob(job: Omit<SessionJob, 'tries'>): void {
    this.#write(job.session, 'job', job);
  }

  /** The newest job of a session, whether it waits or was begun. */
  readJob(session: string): SessionJob | undefined {
    return this.#readJob(session, 'job') ?? this.#readJob(session, 'work');
  }

  /** Takes the newest job that waits, else the one that a worker has left; for the holder of the session's lock. */
  takeJob(session: string): SessionJob | undefined {
    if (this.#readText(session, 'job') !== undefined) {
      renameSync(this.#path(session, 'job'), this.#path(session, 'work'));
    }
    return this.#readJob(session, 'work');
  }

  /** Stores how often a taken job was begun. */
  keepTaken(job: SessionJob): void {
    this.#write(job.session, 'work', job);
  }

  /** Removes a job that was taken and is done. */
  finishTaken(session: string): void {
    this.#remove(session, 'work');
  }

  /** The newest job of each session that has one; one that a power cut left torn is skipped. */
  listJobs(): SessionJob[] {
    const read = (part: 'job' | 'work') =>
      this.#list(part).flatMap((file) => parse(sessionJobSchema, this.#readFile(file)) ?? []);
    // Waiting jobs first: a worker renames them to taken ones, so a job that it takes meanwhile is found as taken.
    const waiting = read('job');
    return [...new Map([...read('work'), ...waiting].map((job) => [job.session, job])).values()];
  }

  /** How far a transcript has been read, as its reader stored it. */
  readProgress(session: string): unknown {
    const text = this.#readText(session, 'progress');
    return text === undefined ? undefined : parseJson(text);
  }

  writeProgress(session: string, progress: unknown): void {
    if (progress === undefined) this.#remove(session, 'progress');
    else this.#write(session, 'progress', progress);
  }

  /** The line that waits for a session's person, or was shown last. */
  readNotice(session: string): SessionNotice | undefined {
    return parse(noticeSchema, this.#readText(session, 'notice'))?.notice;
  }

  writeNotice(session: string, notice: SessionNotice): void {
    this.#write(session, 'notice', { session, notice });
  }

  /** The lines of all sessions. */
  listNotices(): { session: string; notice: SessionNotice }[] {
    return this.#list('notice').flatMap((file) => parse(noticeSchema, this.#readFile(file)) ?? []);
  }

  /** The handoff that followed what a session was given, and waits for it; nothing where none does. */
  readFollowing(session: string): string | undefined {
    return parse(followingSchema, this.#readText(session, 'following'))?.handoff_id;
  }

  /** @param handoff_id - absent when the session has it. */
  writeFollowing(session: string, handoff_id: string | undefined): void {
    if (handoff_id === undefined) this.#remove(session, 'following');
    else this.#write(session, 'following', { session, handoff_id });
  }

  /** The handoffs that wait for one of these sessions. */
  listFollowing(wanted: ReadonlySet<string>): string[] {
    if (wanted.size === 0) return [];
    const found = this.#list('following').flatMap((file) => parse(followingSchema, this.#readFile(file)) ?? []);
    return found.filter(({ session }) => wanted.has(session)).map(({ handoff_id }) => handoff_id);
  }

  /** What the session's agent handed over itself, oldest first. */
  readCreated(session: string): CreatedHandoff[] {
    return parse(createdSchema, this.#readText(session, 'created'))?.created ?? [];
  }

  writeCreated(session: string, created: readonly CreatedHandoff[]): void {
    this.#write(session, 'created', { session, created });
  }

  /** The path of the lock of a session's worker. */
  lockPath(session: string): string {
    return this.#path(session, 'lock');
  }

  /** The path of the lock of a session's start: a host in which hooks are registered twice runs them at once. */
  startLockPath(session: string): string {
    return this.#path(session, 'start');
  }

  /** The sessions that are still at work. Each claim asks: files are read again only where one has changed. */
  listLive(now_ms: number): Set<string> {
    const begun = unended.get(this.#folder, () => this.list().filter(({ ended_at }) => ended_at === undefined));
    return new Set(begun?.flatMap((known) => (isLive(known, now_ms) ? known.session : [])));
  }

  /** Removes the files of sessions without an event for `limits.session_files_ms`, and torn jobs. */
  removeOld(now_ms: number): void {
    const jobs = [...this.#list('job'), ...this.#list('work')];
    const torn = jobs.filter((path) => {
      const text = this.#readFile(path);
      // A job that is taken or finished meanwhile is not torn, and a new one may already have its name.
      return text !== undefined && parse(sessionJobSchema, text) === undefined;
    });
    const old = this.#list().filter((path) => {
      const { mtimeMs = now_ms } = statSync(path, { throwIfNoEntry: false }) ?? {};
      return now_ms - mtimeMs > limits.session_files_ms;
    });
    for (const path of [...torn, ...old]) rmSync(path, { force: true });
  }

  #readJob(session: string, part: 'job' | 'work'): SessionJob | undefined {
    return parse(sessionJobSchema, this.#readText(session, part));
  }

  /** Files by their paths; of one kind, or all. */
  #list(part?: SessionFilePart): string[] {
    // A failed read costs five times as much.
    if (!existsSync(this.#folder)) return [];
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

  #path(session: string, part: SessionFilePart): string {
    const name = isPlain(session) ? session : sha256Hex(session);
    return join(this.#folder, `${name}.${part}.json`);
  }

  #readText(session: string, part: SessionFilePart): string | undefined {
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

  #write(session: string, part: SessionFilePart, value: unknown): void {
    replaceFile(this.#path(session, part), JSON.stringify(value), 0o600);
  }

  #remove(session: string, part: SessionFilePart): void {
    rmSync(this.#path(session, part), { force: true });
  }
}

/** A project in use has hundreds of sessions, most of them ended. */
const unended = new FolderReadings<readonly HostSession[]>();

/** A name from a host becomes a file's name only as a UUID or its like; every other one is hashed. */
function isPlain(session: string): boolean {
  return /^[0-9a-z][0-9a-z-]{7,63}$/.test(session);
}

/**
 * Whether a session is still at work: not ended, and its process runs. Where the process cannot be checked, a session
 * with an event within a lease's time counts as live.
 */
export function isLive({ ended_at, seen_at, process }: HostSession, now_ms: number): boolean {
  if (ended_at !== undefined) return false;
  return (process && isRunning(process)) ?? now_ms - Date.parse(seen_at) < limits.lease_ms_default;
}

function parse<T extends z.ZodType>(schema: T, text: string | undefined): z.output<T> | undefined {
  const answer = text === undefined ? undefined : schema.safeParse(parseJson(text));
  return answer?.success === true ? answer.data : undefined;
}

/** A file that a crash left torn counts as absent; hooks write it again. */
function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
