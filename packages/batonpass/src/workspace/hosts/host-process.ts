import { type HostName, hostOf, hosts } from '../../core/hosts.ts';
import {
  listProcesses,
  type MachineProcess,
  machineName,
  readCommandLine,
  readProcess,
} from '../../disk/machine-process.ts';

/** The processes between a host and its hook: shells, package runners, and scripts that start the command under its name. */
const launchers =
  /^(?:baton|sh|bash|dash|zsh|ksh|fish|cmd(?:\.exe)?|npm.*|npx.*|pnpm.*|yarn.*|bunx?|timeout|env|nice|ionice|nohup|setsid|xargs|volta.*|mise|asdf)$/;

/** A chain of launchers is short; a longer one is not understood. */
const LAUNCHERS_MAX = 6;

/**
 * The process of the host that runs this hook: the one that the host itself names, else the nearest
 * ancestor that is no shell and no runner of packages.
 *
 * @returns nothing where the system does not report it, as on Windows.
 */
export function findHostProcess(
  environment: NodeJS.ProcessEnv,
  host: string,
  parent = process.ppid,
): MachineProcess | undefined {
  // Variables of other hosts do not count: a host that was started within another also has that one's variables.
  const named = Number(environment[hostOf(host)?.variables.process ?? ''] ?? Number.NaN);
  let pid = Number.isSafeInteger(named) && named > 1 ? named : parent;
  for (let step = 0; step < LAUNCHERS_MAX; step += 1) {
    const facts = readProcess(pid);
    if (facts === undefined) return undefined;
    if (pid === named || !launchers.test(facts.name)) return { machine: machineName(), pid, started: facts.started };
    pid = facts.parent;
  }
  return undefined;
}

/** A server that a host runs, and its shells, are not many processes away from it. */
const ANCESTORS_MAX = 10;

/** Which of these processes are ancestors of this one, the nearest first; nothing where the system does not report it. */
export function findAncestor(wanted: readonly MachineProcess[], parent = process.ppid): MachineProcess | undefined {
  if (wanted.length === 0) return undefined;
  const machine = machineName();
  for (let [step, pid] = [0, parent]; step < ANCESTORS_MAX; step += 1) {
    const facts = readProcess(pid);
    if (facts === undefined) return undefined;
    const { started } = facts;
    const found = wanted.find((each) => each.machine === machine && each.pid === pid && each.started === started);
    if (found !== undefined) return found;
    pid = facts.parent;
  }
  return undefined;
}

/**
 * The process of a host that a person uses. Its sessions may run in a server that many share and that outlives
 * them; a person's own process is known by its name and its folder.
 *
 * @param runner - the process that runs the hook. @param root - the project's top folder. @param held - processes that other sessions at work already have.
 * @returns that process itself where it is no such server; nothing where the system does not report it, or it is unclear.
 */
export function findPersonsProcess(
  { host, runner }: { host: HostName; runner: MachineProcess | undefined },
  root: string,
  held: readonly MachineProcess[],
): MachineProcess | undefined {
  const { command, server_word = '' } = hosts[host];
  const isServer = (pid: number) => readCommandLine(pid).includes(server_word);
  if (runner === undefined || !isServer(runner.pid)) return runner;
  const here = listProcesses(root).filter(({ pid, name }) => name === command && !isServer(pid));
  const free = here.filter(({ pid }) => held.every((each) => each.pid !== pid));
  // No free process: a session that was cleared continues in the process of the one before.
  const [found, ...others] = free.length > 0 ? free : here;
  if (found === undefined || others.length > 0) return undefined;
  return { machine: machineName(), pid: found.pid, started: found.started };
}

/**
 * Whether a host was started to print one answer and end (`claude -p`): no person uses it. A host whose words do not show
 * it, or cannot be read, counts as used by a person.
 */
export function isPrinting(host: string, { machine, pid }: MachineProcess): boolean {
  const headless = hostOf(host)?.headless;
  if (headless?.is_certain !== true || machine !== machineName()) return false;
  return readCommandLine(pid)
    .slice(1)
    .some((word) => headless.words.includes(word));
}
