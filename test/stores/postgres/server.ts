import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { appendFileSync, chownSync, mkdtempSync, renameSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { createConnection } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { afterAll, beforeAll } from 'vitest';
import { findPrograms, findUser } from './programs.ts';

/** Empties a schema; sequence numbers restart with that. */
export const EMPTY = `DELETE FROM baton.handoffs; DELETE FROM baton.deliveries; DELETE FROM baton.events;
  DELETE FROM baton.answers; DELETE FROM baton.payloads; DELETE FROM baton.tokens`;

/** Longer than a server takes to start on the slowest machine. */
const DEADLINE_MS = 60_000;

/** A real server, of the test's own or one that `BATON_TEST_POSTGRES_URL` names. */
export interface TestServer {
  /** The URL of a new, empty database, under a user who may do anything. */
  newDatabase: (settings?: { template?: string; encoding?: string }) => Promise<string>;
  /** Stops the server at once, without a word to its clients, and starts it again. Of one's own server only. */
  restart: () => Promise<void>;
  /** The URL of a database on a standby, which holds what the server held a moment ago and only reads. Of one's own alone. */
  newReplica: (url: string) => Promise<string>;
  /** Starts a standby that every commit waits for from then on; the server is restarted for it. Of one's own alone. */
  follow: () => Promise<void>;
  /** Ends the server at once; the standby takes its place, at the same URL. */
  failOver: () => Promise<void>;
  /** Runs SQL as the owner, in the database that everybody has. */
  sql: (text: string) => Promise<void>;
  /** Whether it is the test's own: it listens on a socket of the machine, can be restarted, and asks `locked` for a password. */
  isOwn: boolean;
}

/** What runs one server. */
interface Runner {
  url: string;
  restart: () => Promise<void>;
  /** Starts a copy of it that only reads. */
  copy: () => Promise<Runner>;
  follow: () => Promise<void>;
  /** The one that took its place. */
  failOver: () => Promise<Runner>;
  stop: () => Promise<void>;
}

/**
 * One server for a file of tests, removed when they are done, with any result.
 *
 * @param options - `isDurable`: syncs to the disk, which everything that restarts the server needs.
 */
export function createServer(options: { isDurable?: boolean } = {}): TestServer {
  let runner: Runner | undefined;
  let count = 0;
  const made: string[] = [];
  const replicas: Runner[] = [];
  const running = () => {
    if (runner === undefined) throw new Error('The Postgres server of this test has not been started.');
    return runner;
  };
  beforeAll(async () => {
    runner = await startServer(options.isDurable === true);
  }, DEADLINE_MS);
  afterAll(async () => {
    if (process.env.BATON_TEST_POSTGRES_URL !== undefined) {
      for (const name of made) await runSql(running().url, `DROP DATABASE IF EXISTS "${name}" WITH (FORCE)`);
    }
    for (const replica of replicas) await replica.stop();
    await runner?.stop();
  }, DEADLINE_MS);
  return {
    isOwn: process.env.BATON_TEST_POSTGRES_URL === undefined,
    newDatabase: async ({ template = 'template0', encoding = 'UTF8' } = {}) => {
      count += 1;
      const name = `baton_test_${process.pid}_${Math.random().toString(36).slice(2)}_${count}`;
      await runSql(
        running().url,
        `CREATE DATABASE "${name}" TEMPLATE "${template}" ENCODING '${encoding}' LC_COLLATE 'C' LC_CTYPE 'C'`,
      );
      made.push(name);
      return withDatabase(running().url, name);
    },
    restart: () => running().restart(),
    newReplica: async (url) => {
      const replica = await running().copy();
      replicas.push(replica);
      return url.replace(/host=[^&]+/, /host=[^&]+/.exec(replica.url)?.[0] ?? '');
    },
    follow: () => running().follow(),
    failOver: async () => {
      runner = await running().failOver();
    },
    sql: (text) => runSql(running().url, text),
  };
}

/** Runs SQL on one connection that is closed after it. */
export async function runSql(url: string, text: string): Promise<void> {
  await queryRows(url, text);
}

/** The rows that SQL gives. */
export async function queryRows(url: string, text: string): Promise<Record<string, unknown>[]> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    const { rows } = await client.query<Record<string, unknown>>(text);
    return rows;
  } finally {
    await client.end();
  }
}

function withDatabase(url: string, name: string): string {
  const [address = '', parameters] = url.split('?');
  const changed = address.replace(/\/[^/]*$/, `/${name}`);
  return parameters === undefined ? changed : `${changed}?${parameters}`;
}

async function startServer(isDurable: boolean): Promise<Runner> {
  const given = process.env.BATON_TEST_POSTGRES_URL;
  if (given !== undefined) {
    const cannot = async (): Promise<never> => {
      throw new Error('A server that BATON_TEST_POSTGRES_URL names is neither restarted nor copied by a test.');
    };
    return { url: given, restart: cannot, copy: cannot, follow: cannot, failOver: cannot, stop: async () => {} };
  }
  const folder = mkdtempSync(join(tmpdir(), 'baton-postgres-'));
  try {
    return await OwnServer.start({ folder, binaries: findPrograms(), isDurable });
  } catch (error) {
    rmSync(folder, { recursive: true, force: true });
    throw new Error(
      'No Postgres server could be started for this test: install Postgres (postgres, initdb), or name one by BATON_TEST_POSTGRES_URL.',
      { cause: error },
    );
  }
}

/**
 * For `sh -c`, with a folder and a command: runs a server until its input gives a command or ends, and then ends it by a signal. An input that ends without a command is that of a
 * test that has ended in any way: no other process is left to remove the folder.
 */
export const guard = (signal: string) => `
  exec 3<&0
  "$@" 3<&- & server=$!
  (
    read -r told <&3
    kill -${signal} $server
    while kill -0 $server; do sleep 0.1; done
    [ -n "$told" ] || rm -rf "$0"
  ) > /dev/null 2>&1 &
  exec 3<&-
  wait $server`;

const PORT = 5432;

const HOSTS = 'local all locked scram-sha-256\nlocal all all trust\nlocal replication all trust\n';

class OwnServer implements Runner {
  readonly url: string;
  readonly #folder: string;
  readonly #binaries: string;
  readonly #user = findUser();
  readonly #settings: readonly string[];
  readonly #port: number;
  #process: ChildProcess | undefined;
  #standby: OwnServer | undefined;

  private constructor(given: { folder: string; binaries: string; isDurable: boolean; port?: number }) {
    const { folder, binaries, isDurable, port = PORT } = given;
    this.#folder = folder;
    this.#binaries = binaries;
    this.#port = port;
    this.url = `postgres://baton@localhost/postgres?host=${encodeURIComponent(folder)}`;
    this.#settings = [
      ...['listen_addresses=', `unix_socket_directories=${folder}`, 'max_connections=100', 'shared_buffers=16MB'],
      `port=${port}`,
      ...(isDurable ? [] : ['fsync=off', 'full_page_writes=off', 'synchronous_commit=on']),
      // No test waits for its housekeeping.
      ...['autovacuum=off', 'max_wal_size=256MB', 'log_min_messages=fatal'],
    ];
  }

  static async start(given: { folder: string; binaries: string; isDurable: boolean }): Promise<OwnServer> {
    const server = new OwnServer(given);
    const { uid, gid } = server.#user;
    if (uid !== undefined && gid !== undefined) chownSync(given.folder, uid, gid);
    const options = ['-D', server.#data, '-U', 'baton', '--auth=trust', '--encoding=UTF8', '--no-locale', '--no-sync'];
    execFileSync(join(given.binaries, 'initdb'), options, { stdio: 'pipe', cwd: given.folder, uid, gid });
    writeFileSync(join(server.#data, 'pg_hba.conf'), HOSTS);
    await server.#run();
    return server;
  }

  async restart(): Promise<void> {
    await this.#kill();
    await this.#run();
  }

  /** While it is stopped its folder is a backup like any other, and a mark in it makes a standby of the copy. */
  async copy(): Promise<OwnServer> {
    const folder = mkdtempSync(join(tmpdir(), 'baton-postgres-'));
    const copy = new OwnServer({ folder, binaries: this.#binaries, isDurable: true });
    const { uid, gid } = this.#user;
    if (uid !== undefined && gid !== undefined) chownSync(folder, uid, gid);
    // A standby answers before it has read the log behind the last checkpoint: a new database can be missing until then.
    await runSql(this.#own, 'CHECKPOINT');
    await this.#kill();
    execFileSync('cp', ['-R', this.#data, copy.#data], this.#user);
    await this.#run();
    rmSync(join(copy.#data, 'postmaster.pid'), { force: true });
    writeFileSync(join(copy.#data, 'standby.signal'), '');
    // A server that was a standby itself has written down whom it followed.
    appendFileSync(join(copy.#data, 'postgresql.auto.conf'), "primary_conninfo = ''\n");
    await copy.#run();
    return copy;
  }

  /** The standby is a server in the same folder that listens at another port. */
  async follow(): Promise<void> {
    const given = { folder: this.#folder, binaries: this.#binaries, isDurable: true, port: this.#port + 1 };
    const standby = new OwnServer(given);
    // Read as the server starts: a server that reads it while it runs commits for a moment without the standby.
    await runSql(this.#own, "ALTER SYSTEM SET synchronous_standby_names = '*'");
    await this.#kill();
    execFileSync('cp', ['-R', this.#data, standby.#data], this.#user);
    await this.#run();
    rmSync(join(standby.#data, 'postmaster.pid'), { force: true });
    writeFileSync(join(standby.#data, 'standby.signal'), '');
    const primary = `primary_conninfo = 'host=${this.#folder} port=${this.#port} user=baton'\n`;
    // What stands last counts: nobody follows the standby.
    appendFileSync(join(standby.#data, 'postgresql.auto.conf'), `${primary}synchronous_standby_names = ''\n`);
    await standby.#run();
    this.#standby = standby;
  }

  async failOver(): Promise<OwnServer> {
    const standby = this.#standby;
    if (standby === undefined) throw new Error('There is no standby.');
    await this.#kill();
    await runSql(standby.#own, 'SELECT pg_promote()');
    const link = join(this.#folder, 'promoted');
    symlinkSync(`.s.PGSQL.${standby.#port}`, link);
    renameSync(link, join(this.#folder, `.s.PGSQL.${PORT}`));
    return standby;
  }

  async stop(): Promise<void> {
    await this.#standby?.stop();
    await this.#kill();
    rmSync(this.#folder, { recursive: true, force: true });
  }

  get #data(): string {
    return join(this.#folder, `data-${this.#port}`);
  }

  /** Itself, with any server at the URL. */
  get #own(): string {
    return `${this.url}&port=${this.#port}`;
  }

  async #run(): Promise<void> {
    const settings = this.#settings.flatMap((setting) => ['-c', setting]);
    const words = [join(this.#binaries, 'postgres'), '-D', this.#data, ...settings];
    const child = spawn('/bin/sh', ['-c', guard('QUIT'), this.#folder, ...words], {
      ...this.#user,
      cwd: this.#folder,
      stdio: ['pipe', 'ignore', 'pipe'],
      // What ends the whole group of the test leaves the guard to clear up.
      detached: true,
    });
    this.#process = child;
    let complaints = '';
    child.stderr.on('data', (text) => {
      complaints += text;
    });
    const deadline_ms = performance.now() + DEADLINE_MS;
    while (!(await this.#answers())) {
      if (child.exitCode !== null || performance.now() > deadline_ms) {
        throw new Error(`The Postgres server did not start: ${complaints}`);
      }
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
  }

  /** Immediate: the server's own processes get a SIGQUIT and write nothing more. */
  async #kill(): Promise<void> {
    const child = this.#process;
    this.#process = undefined;
    if (child === undefined || child.exitCode !== null) return;
    const ended = new Promise((resolve) => child.once('exit', resolve));
    child.stdin?.end('end\n');
    await ended;
    child.stderr?.destroy();
  }

  async #answers(): Promise<boolean> {
    const socket = join(this.#folder, `.s.PGSQL.${this.#port}`);
    const isListening = await new Promise<boolean>((resolve) => {
      const connection = createConnection(socket);
      connection.on('connect', () => {
        connection.destroy();
        resolve(true);
      });
      connection.on('error', () => resolve(false));
    });
    if (!isListening) return false;
    return runSql(this.#own, 'SELECT 1').then(
      () => true,
      () => false,
    );
  }
}
