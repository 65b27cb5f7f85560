import { type ChildProcess, spawn } from 'node:child_process';
import { chownSync, existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import { findUser } from './programs.ts';
import { guard, queryRows } from './server.ts';

/** A PgBouncer in transaction mode before a server. */
export interface PgBouncer {
  /** The server's, through it. */
  url: string;
  /** Ends it at once, and starts it again. */
  restart: () => Promise<void>;
}

/** Longer than it takes to start on the slowest machine. */
const DEADLINE_MS = 60_000;

/** Clients of a test share so many connections to the server. */
const POOL_SIZE = 4;

/**
 * Starts the PgBouncer of this machine.
 *
 * @returns undefined where there is none; a soak, which names it by `BATON_PGBOUNCER`, must find it.
 */
export async function startPgBouncer(url: string): Promise<PgBouncer | undefined> {
  const { BATON_PGBOUNCER: program = '/usr/sbin/pgbouncer' } = process.env;
  if (!existsSync(program)) {
    if (process.env.BATON_PGBOUNCER === undefined) return undefined;
    throw new Error(`There is no ${program}: apt-get install pgbouncer`);
  }
  const folder = mkdtempSync(join(tmpdir(), 'baton-pgbouncer-'));
  const { uid, gid } = findUser();
  if (uid !== undefined && gid !== undefined) chownSync(folder, uid, gid);
  const server = decodeURIComponent(/host=([^&]+)/.exec(url)?.[1] ?? '');
  const settings = join(folder, 'pgbouncer.ini');
  writeFileSync(
    settings,
    `[databases]
* = host=${server} port=5432 user=baton
[pgbouncer]
pool_mode = transaction
unix_socket_dir = ${folder}
listen_port = 5432
auth_type = any
default_pool_size = ${POOL_SIZE}
max_client_conn = 500
server_login_retry = 1
`,
  );
  const pooled = url.replace(/host=[^&]+/, `host=${encodeURIComponent(folder)}`);
  let child: ChildProcess | undefined;
  const start = async () => {
    const words = ['-c', guard('TERM'), folder, program, '-q', settings];
    child = spawn('/bin/sh', words, { uid, gid, stdio: ['pipe', 'ignore', 'ignore'], detached: true });
    const deadline_ms = performance.now() + DEADLINE_MS;
    const isUp = () =>
      queryRows(pooled, 'SELECT 1').then(
        () => true,
        () => false,
      );
    while (!(await isUp())) {
      if (child.exitCode !== null || performance.now() > deadline_ms) throw new Error('PgBouncer did not start.');
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
  };
  const kill = async () => {
    if (child === undefined || child.exitCode !== null) return;
    const ended = new Promise((resolve) => child?.once('exit', resolve));
    child.stdin?.end('end\n');
    await ended;
  };
  onTestFinished(async () => {
    await kill();
    rmSync(folder, { recursive: true, force: true });
  });
  await start();
  return {
    url: pooled,
    restart: async () => {
      await kill();
      await start();
    },
  };
}
