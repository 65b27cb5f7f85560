import { type MachineProcess, machineName, readCommandLine, readProcess } from '../../disk/machine-process.ts';

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
export function findHostProcess(environment: NodeJS.ProcessEnv, parent = process.ppid): MachineProcess | undefined {
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
export function isPrinting({ machine, pid }: MachineProcess): boolean {
  if (machine !== machineName()) return false;
  return readCommandLine(pid)
    .slice(1)
    .some((word) => word === '-p' || word === '--print');
}
