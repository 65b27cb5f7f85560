import type { DatabaseSync } from 'node:sqlite';
import { HandoffError } from '../core/errors.ts';
import type { Handoff } from '../core/handoff.ts';
import { limits } from '../core/limits.ts';
import type { Call, Store, StoreSurroundings } from '../core/store.ts';
import { closedStore } from '../stores/closed.ts';
import { listenForOpen } from '../stores/open-signs.ts';
import { source3Project } from '../stores/source-3-project.ts';
import { type ClaimedHandoff, contentOf, describe, requireName } from './payload-content.ts';
import { type LoggedCall, ServiceLog, type ServiceLogOptions } from './service-log.ts';

/** The name and project that a service works under, and the target of its log. */
export interface HandOffServiceOptions extends ServiceLogOptions {
  /** The claimer's name, as the history shows it. Default: `handoff-service`. */
  agent?: string;
  /** What the handoffs belong to. Default: `default`, which a plain `handoffs` table is taken over to. */
  project?: string;
  /** Clock, chance and tokens of the store, for tests. Default: the machine's. */
  surroundings?: Partial<StoreSurroundings>;
}

/** A handoff that waits. */
export interface UnclaimedHandoff<T = unknown> extends ClaimedHandoff<T> {
  /** Milliseconds since 1970, as in the column `created_at`. */
  createdAt: number;
}

const defaultAgent = 'handoff-service';

/** A service that is open: what its calls work with. */
interface Opened {
  store: Store;
  project: string;
  agent: string;
}

/** What a call found out for its line in the log. */
type Facts = Partial<LoggedCall>;

/**
 * A queue of handoffs for each task, first in, first out, in a SQLite database that every other part of Baton reads too.
 * Nothing is kept in memory: another process continues from the database [TAS-039].
 *
 *     await using handoffs = new HandOffService('./handoffs.db');
 *     await handoffs.createHandoff('task-1', { summary: 'Parser done' }, 'planner');
 *     const claimed = await handoffs.claimHandoff('task-1');
 *
 * The database is opened, made or brought up to date by the first call; that call gets the errors of opening, and the
 * next one tries again. White space around the names of tasks and agents does not count. Each call writes one line to
 * the log: see `docs/agents/handoff.md`.
 */
export class HandOffService {
  readonly #place: QueuePlace;
  readonly #options: HandOffServiceOptions;
  readonly #closing = new AbortController();
  #log: Promise<ServiceLog> | undefined;
  #opened: Promise<Opened> | undefined;

  /** @param pathOrDatabase - a path, `:memory:`, or a `DatabaseSync` that is open; that one stays open on `close`. */
  constructor(pathOrDatabase: QueuePlace, options: HandOffServiceOptions = {}) {
    this.#place = pathOrDatabase;
    this.#options = options;
  }

  /**
   * Adds a handoff after all others of its task, in one transaction. When the promise resolves it outlives a crash of
   * the machine; before that, it is there whole or not at all. A payload above 64 KiB is stored once, by its hash, and
   * the row points to it.
   *
   * @returns the id.
   * @throws HandoffError `invalid_input` for a payload that JSON would not bring back equal, `too_large` above 4 MiB.
   */
  async createHandoff(taskId: string, payload: object, originAgent: string): Promise<string> {
    // Read now: what the caller does to its payload afterwards is not ours.
    const read = attempt(() => contentOf(taskId, payload, originAgent));
    return this.#call('createHandoff', { task_id: taskId, source_agent: originAgent }, async (opened, facts) => {
      const { store, project } = opened;
      const content = read();
      const name = content.content.source_agent;
      const call: Call = { actor: { name, type: 'agent' }, project, operation: 'handoff.create' };
      const [created] = await store.create([{ ...content, project, state: 'open' }], call);
      facts.handoff_id = created?.id;
      return created?.id ?? '';
    });
  }

  /**
   * Takes the oldest handoff of a task: found, marked as consumed and read in one transaction, so that it is given out at
   * most once. A caller that crashes before the end of its work loses it; only a lease brings one back.
   *
   * @typeParam T - what the caller knows of the payload; it is not checked.
   * @returns null where nothing waits.
   * @throws HandoffError `unavailable` where its payload is damaged: it is not consumed then.
   */
  async claimHandoff<T = unknown>(taskId: string): Promise<ClaimedHandoff<T> | null> {
    return this.#call('claimHandoff', { task_id: taskId }, async ({ store, project, agent }, facts) => {
      const task_id = requireName('task id', taskId);
      const call: Call = { actor: { name: agent, type: 'agent' }, project, operation: 'handoff.claim' };
      const request = { project, task_id, max: 1, without_lease: true, lease_ms: limits.lease_ms_default } as const;
      const { handoffs, payloads } = await store.claim(request, call);
      const [claimed] = handoffs;
      if (claimed === undefined) return null;
      Object.assign(facts, { handoff_id: claimed.id, source_agent: claimed.content.source_agent });
      const json = payloads?.[claimed.content.payload_ref?.sha256 ?? ''];
      return describe(claimed, json) as ClaimedHandoff<T>;
    });
  }

  /** All handoffs of a task that wait, oldest first. They are read page by page: what is claimed meanwhile may be among them. */
  async listUnclaimed<T = unknown>(taskId: string): Promise<UnclaimedHandoff<T>[]> {
    return this.#call('listUnclaimed', { task_id: taskId }, async ({ store, project }, facts) => {
      const filter = { project, task_id: requireName('task id', taskId), state: ['open' as const] };
      const found: UnclaimedHandoff[] = [];
      let cursor: string | undefined;
      do {
        const page = await store.list({ filter, limit: limits.list_max, cursor });
        for (const handoff of page.handoffs) found.push(...(await this.#read(store, handoff)));
        cursor = page.cursor;
      } while (cursor !== undefined);
      facts.count = found.length;
      return found.reverse() as UnclaimedHandoff<T>[];
    });
  }

  /**
   * Claims the handoffs of a task one after the other, and waits for more without polling: each pass of the loop is one
   * `claimHandoff`. Nothing is claimed ahead, so a loop that is left loses nothing. Ends when the signal aborts or the
   * service is closed.
   */
  async *subscribe<T = unknown>(taskId: string, signal?: AbortSignal): AsyncGenerator<ClaimedHandoff<T>, void> {
    const { store, project } = await this.#open();
    const end = AbortSignal.any([this.#closing.signal, ...(signal === undefined ? [] : [signal])]);
    // Listens before the first claim, so that what comes in between is not missed.
    const signs = listenForOpen(store, { project });
    end.addEventListener('abort', signs.end);
    let wasVain = false;
    try {
      while (!end.aborted) {
        const claimed = await this.claimHandoff<T>(taskId).catch((error: unknown) => {
          // Closed during a claim, which claimed nothing: no caller waits for it any more.
          if (end.aborted) return null;
          throw error;
        });
        // A lapsed lease and the end of a back-off make no event: it also polls.
        if (claimed === null) await signs.wait(limits.subscription_look_ms, wasVain);
        else yield claimed;
        wasVain = claimed === null;
      }
    } finally {
      end.removeEventListener('abort', signs.end);
      signs.end();
    }
  }

  /** Ends subscriptions and closes what this service opened. Twice does no harm; a call after it is `unavailable`. */
  async close(): Promise<void> {
    this.#closing.abort();
    const opened = await this.#opened?.catch(() => undefined);
    await opened?.store.close();
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.close();
  }

  /** Runs a call and writes its line. What a logger does cannot make the call fail. */
  async #call<T>(
    operation: string,
    named: { task_id: unknown; source_agent?: unknown },
    body: (opened: Opened, facts: Facts) => Promise<T>,
  ): Promise<T> {
    const begun_ms = performance.now();
    const facts: Facts = {};
    const { agent = defaultAgent } = this.#options;
    const tell = () => ({
      operation,
      task_id: loggable(named.task_id),
      source_agent: loggable(named.source_agent),
      agent,
      ...facts,
      duration_ms: Math.round((performance.now() - begun_ms) * 1_000) / 1_000,
    });
    const log = await this.#openLog();
    try {
      const answer = await body(await this.#open(), facts);
      if (facts.handoff_id === undefined) log.looked(tell());
      else log.done(tell());
      return answer;
    } catch (error) {
      log.failed(tell(), error);
      throw error;
    }
  }

  /** With its payload; nothing where it was removed since it was listed. */
  async #read(store: Store, handoff: Handoff): Promise<UnclaimedHandoff[]> {
    const { id, content, created_at } = handoff;
    const json = content.payload_ref === undefined ? undefined : await store.readPayload(id);
    return json === null ? [] : [{ ...describe(handoff, json), createdAt: Date.parse(created_at) }];
  }

  #openLog(): Promise<ServiceLog> {
    this.#log ??= ServiceLog.open(this.#options);
    return this.#log;
  }

  /** A database that could not be opened may be there at the next call. */
  #open(): Promise<Opened> {
    const place = typeof this.#place === 'string' ? this.#place : 'that was given';
    if (this.#closing.signal.aborted) return Promise.reject(closedStore(place));
    this.#opened ??= this.#openNow().catch((error: unknown) => {
      this.#opened = undefined;
      throw error;
    });
    return this.#opened;
  }

  async #openNow(): Promise<Opened> {
    const { agent = defaultAgent, project = source3Project, surroundings } = this.#options;
    const names = { agent: requireName('agent', agent), project: requireName('project', project) };
    return { ...names, store: await openPlace(this.#place, surroundings) };
  }
}

/** A name as a log can have it: what was given in its place may be a payload. */
function loggable(name: unknown): string | undefined {
  return typeof name === 'string' ? name.slice(0, limits.name_characters_max) : undefined;
}

/** Runs a body at once. @returns what gives its result, or throws what it threw. */
function attempt<T>(body: () => T): () => T {
  try {
    const result = body();
    return () => result;
  } catch (error) {
    return () => {
      throw error;
    };
  }
}

/** The place of a queue: a path, `sqlite:PATH`, `:memory:`, or a database that is open already. */
type QueuePlace = string | DatabaseSync;

/**
 * Opens the store of a place. Nothing of SQLite is loaded before.
 *
 * @throws HandoffError `invalid_input` for what is no place, and what opening the store throws.
 */
async function openPlace(place: QueuePlace, surroundings: Partial<StoreSurroundings> = {}): Promise<Store> {
  const { openSqliteStore } = await import('../stores/sqlite/store.ts');
  if (typeof place === 'string') return openSqliteStore(pathOf(place), surroundings);
  const { borrowDatabase } = await import('../stores/sqlite/driver.ts');
  const { path, driver } = await borrowDatabase(place);
  return openSqliteStore(path, { ...surroundings, openDriver: async () => driver });
}

/** Without its scheme. Another scheme is another place, never a file of that name; one letter is a drive of Windows. */
function pathOf(place: string): string {
  const path = place.startsWith('sqlite:') ? place.slice('sqlite:'.length) : place;
  const scheme = /^[a-z][a-z0-9+.-]+:/i.exec(path)?.[0];
  if (path !== '' && scheme === undefined && !path.includes('\0') && !path.startsWith('//')) return path;
  // A URL may carry a password, which no message repeats.
  const named = scheme === undefined ? JSON.stringify(place.slice(0, 200)) : `${scheme}…`;
  throw new HandoffError('invalid_input', `The place ${named} does not name a SQLite file.`, {
    details: { scheme },
    alternatives: ["Name a file: './handoffs.db'", "Keep handoffs for this process only: ':memory:'"],
  });
}
