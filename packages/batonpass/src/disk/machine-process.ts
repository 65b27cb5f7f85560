import { readdirSync, readFileSync, readlinkSync } from 'node:fs';
import { hostname } from 'node:os';

/** A process on one machine, distinguished from a later one with the same number. */
export interface MachineProcess {
  machine: string;
  pid: number;
  /** When it started, in the system's own terms; compared, never read. */
  started: string;
}

/** What the system reports about a running process. */
export interface ProcessFacts {
  parent: number;
  name: string;
  started: string;
}

/** This very process; its start is empty where the system does not report it. */
export function findOwnProcess(): MachineProcess {
  const { pid } = process;
  return { machine: machineName(), pid, started: readProcess(pid)?.started ?? '' };
}

/** Whether a process still runs; undefined where that is unknown here, as for another machine's. */
export function isRunning({ machine, pid, started }: MachineProcess): boolean | undefined {
  if (machine !== machineName() || started === '') return undefined;
  return readProcess(pid)?.started === started;
}

/** Containers may share a host's name and its boot; the start of their first process distinguishes them. */
export function machineName(): string {
  const boot = readText('/proc/sys/kernel/random/boot_id')?.trim();
  const first = process.platform === 'linux' ? readLinuxProcess(1)?.started : undefined;
  return [hostname(), boot, first].filter((part) => part !== undefined).join(' ');
}

/** What is known about a process that runs on this machine; nothing where there is none, and on Windows. */
export function readProcess(pid: number): ProcessFacts | undefined {
  return process.platform === 'linux' ? readLinuxProcess(pid) : askForProcess(pid);
}

/** The arguments that a process of this machine was started with; none where the system does not report them. */
export function readCommandLine(pid: number): string[] {
  if (process.platform === 'win32') return [];
  return process.platform === 'linux'
    ? (readText(`/proc/${pid}/cmdline`)?.split('\0') ?? [])
    : ask(['-o', 'args=', '-p', String(pid)]).split(/\s+/);
}

/** The processes of this machine that work in a folder or below it; none where the system does not report them, as on every system but Linux. */
export function listProcesses(folder: string): (ProcessFacts & { pid: number })[] {
  if (process.platform !== 'linux') return [];
  const pids = readdirSync('/proc').filter((name) => /^\d+$/.test(name));
  return pids.flatMap((pid) => {
    const cwd = readFolder(pid);
    const isHere = cwd === folder || cwd?.startsWith(`${folder}/`) === true;
    const facts = isHere ? readLinuxProcess(Number(pid)) : undefined;
    return facts === undefined ? [] : [{ ...facts, pid: Number(pid) }];
  });
}

/** The system reports nothing of another user's process, or of one that has ended. */
function readFolder(pid: string): string | undefined {
  try {
    return readlinkSync(`/proc/${pid}/cwd`);
  } catch {
    return undefined;
  }
}

/** `pid (name) state parent …`, where the name may hold brackets and spaces itself; field 22 is the start. */
function readLinuxProcess(pid: number): ProcessFacts | undefined {
  const text = readText(`/proc/${pid}/stat`);
  const [, name, rest] = text?.match(/^\d+ \(([\s\S]*)\) (.*)\s*$/) ?? [];
  const fields = rest?.split(' ') ?? [];
  const started = fields[19];
  // A zombie has ended, though its exit code has not been read yet.
  if (name === undefined || started === undefined || fields[0] === 'Z') return undefined;
  return { parent: Number(fields[1]), name, started };
}

function askForProcess(pid: number): ProcessFacts | undefined {
  if (process.platform === 'win32') return undefined;
  const line = ask(['-o', 'ppid=,lstart=,comm=', '-p', String(pid)]);
  const [, parent, started, path] = /^\s*(\d+)\s+(\w+\s+\w+\s+\d+\s+[\d:]+\s+\d+)\s+(.+?)\s*$/.exec(line) ?? [];
  if (parent === undefined || started === undefined || path === undefined) return undefined;
  return { parent: Number(parent), name: path.split('/').at(-1) ?? path, started };
}

/** What `ps` answers; nothing where it does not. */
function ask(words: readonly string[]): string {
  // Loaded here: most commands ask for no process, and on Linux none does.
  const { spawnSync } = process.getBuiltinModule('node:child_process');
  const { stdout } = spawnSync('ps', words, {
    encoding: 'utf8',
    // Not a program of the folder worked in, to which a relative entry of the PATH may lead.
    cwd: '/',
    // In one time zone always, because the start is compared.
    env: { PATH: process.env.PATH, LC_ALL: 'C', TZ: 'UTC' },
    timeout: 1_000,
  });
  return stdout ?? '';
}

/** A file of the system; empty where it does not exist. */
function readText(path: string): string | undefined {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return undefined;
  }
}
