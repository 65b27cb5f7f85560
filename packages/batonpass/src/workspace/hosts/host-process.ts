import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { hostname } from 'node:os';

/** A process on one machine, told apart from a later one with the same number. */
export interface HostProcess {
  machine: string;
  pid: number;
  /** When it started, in the system's own terms; compared, never read. */
  started: string;
}

interface ProcessFacts {
  parent: number;
  name: string;
  started: string;
}

/** What stands between a host and its hook: shells and runners of packages. */
const launchers =
  /^(?:sh|bash|dash|zsh|ksh|fish|cmd(?:\.exe)?|npm.*|npx.*|pnpm.*|yarn.*|bunx?|timeout|env|nice|ionice|nohup|setsid|xargs|volta.*|mise|asdf)$/;

/** A chain of launchers is short; a longer one is not understood. */
const LAUNCHERS_MAX = 6;

/**
 * The process of the host that runs this hook: the one that the host names itself (`CLAUDE_PID`), else the nearest
 * ancestor that is no shell and no runner of packages.
 *
 * @returns nothing where the system does not tell, as on Windows.
 */
export function findHostProcess(environment: NodeJS.ProcessEnv, parent = process.ppid): HostProcess | undefined {
  const named = Number(environment.CLAUDE_PID);
  let pid = Number.isSafeInteger(named) && named > 1 ? named : parent;
  for (let step = 0; step < LAUNCHERS_MAX; step += 1) {
    const facts = readProcess(pid);
    if (facts === undefined) return undefined;
    if (pid === named || !launchers.test(facts.name)) return { machine: machineName(), pid, started: facts.started };
    pid = facts.parent;
  }
  return undefined;
}

/**
 * Whether a host was started to print one answer and end (`claude -p`): nobody sits before it. A host that does not say
 * so by its words, or whose words cannot be read, has somebody.
 */
export function isPrinting({ machine, pid }: HostProcess): boolean {
  if (machine !== machineName() || process.platform === 'win32') return false;
  const words =
    process.platform === 'linux'
      ? (readText(`/proc/${pid}/cmdline`)?.split('\0') ?? [])
      : ask(['-o', 'args=', '-p', String(pid)]).split(/\s+/);
  return words.slice(1).some((word) => word === '-p' || word === '--print');
}

/** This very process; its start is empty where the system does not tell it. */
export function findOwnProcess(): HostProcess {
  const { pid } = process;
  return { machine: machineName(), pid, started: readProcess(pid)?.started ?? '' };
}

/** Whether a process still runs; nothing where that cannot be known here, as for another machine's. */
export function isRunning({ machine, pid, started }: HostProcess): boolean | undefined {
  if (machine !== machineName() || started === '') return undefined;
  return readProcess(pid)?.started === started;
}

/** Containers may share a host's name and its boot; the start of their first process tells them apart. */
function machineName(): string {
  const boot = readText('/proc/sys/kernel/random/boot_id')?.trim();
  const first = process.platform === 'linux' ? readLinuxProcess(1)?.started : undefined;
  return [hostname(), boot, first].filter((part) => part !== undefined).join(' ');
}

function readProcess(pid: number): ProcessFacts | undefined {
  return process.platform === 'linux' ? readLinuxProcess(pid) : askForProcess(pid);
}

/** `pid (name) state parent …`, where the name may hold brackets and spaces itself; field 22 is the start. */
function readLinuxProcess(pid: number): ProcessFacts | undefined {
  const text = readText(`/proc/${pid}/stat`);
  const [, name, rest] = text?.match(/^\d+ \(([\s\S]*)\) (.*)\s*$/) ?? [];
  const fields = rest?.split(' ') ?? [];
  const started = fields[19];
  // A zombie has ended, though nobody has asked for its exit code yet.
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
  const { stdout } = spawnSync('ps', words, {
    encoding: 'utf8',
    // In one time zone always, because the start is compared.
    env: { PATH: process.env.PATH, LC_ALL: 'C', TZ: 'UTC' },
    timeout: 1_000,
  });
  return stdout ?? '';
}

/** A file of the system that may not be there; then it tells nothing. */
function readText(path: string): string | undefined {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return undefined;
  }
}
