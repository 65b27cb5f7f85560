import type { z } from 'zod';
import { tryingVariable } from '../../core/asking.ts';
import { hostOf, hosts, isHostName } from '../../core/hosts.ts';
import { isRunning, type MachineProcess } from '../../disk/machine-process.ts';
import { findHostProcess, findPersonsProcess, isPrinting } from '../../workspace/hosts/host-process.ts';
import { type HostSession, isLive } from '../../workspace/hosts/host-sessions.ts';
import { sessionFile } from '../../workspace/hosts/session-file.ts';
import { readBranch } from '../../workspace/project.ts';
import type { OperationContext } from '../context.ts';
import { hostSessionsOf } from './host-sessions-of.ts';
import type { sessionSchema } from './session-input.ts';

/** A hook's present facts of its session: who, where, and on which branch. */
export function factsOf(
  given: z.output<typeof sessionSchema>,
  host: MachineProcess | undefined,
  context: OperationContext,
) {
  const isTried = context.environment[tryingVariable] !== undefined;
  return {
    host: given.host,
    session: given.session,
    transcript: given.transcript ?? sessionFile(given, context.environment),
    interactive: given.interactive && (isTried || host === undefined || !isPrinting(given.host, host)),
    root: context.workspace.root,
    branch: readBranch(context.workspace),
  };
}

/**
 * The host's process, as the session's start found it. A process that has ended while the session is still active was no
 * host, but a launcher of it; then none is known, and the time of the last event counts. A host's server stays active
 * after the person has quit: there the process stays known, and the session is over with it.
 */
export function processOf(
  given: z.output<typeof sessionSchema>,
  before: HostSession | undefined,
  context: OperationContext,
): MachineProcess | undefined {
  if (before === undefined) return findProcess(given, context);
  const isKept =
    hostOf(given.host)?.server_word !== undefined || (before.process && isRunning(before.process)) !== false;
  return isKept ? before.process : undefined;
}

/** The process of the host that starts a session now; nothing where it cannot be found. */
export function findProcess(
  { host, session }: Pick<z.output<typeof sessionSchema>, 'host' | 'session'>,
  context: OperationContext,
): MachineProcess | undefined {
  const runner = findHostProcess(context.environment, host);
  if (!isHostName(host) || hosts[host].server_word === undefined) return runner;
  const others = hostSessionsOf(context)
    .list()
    .filter((known) => known.session !== session && isLive(known, context.now()));
  const held = others.flatMap(({ process }) => process ?? []);
  return findPersonsProcess({ host, runner }, context.workspace.root, held);
}

/** Whether two processes are the same; unknown ones are not. */
export function isSameProcess(left: MachineProcess | undefined, right: MachineProcess | undefined): boolean {
  if (left === undefined || right === undefined) return false;
  return left.machine === right.machine && left.pid === right.pid && left.started === right.started;
}
