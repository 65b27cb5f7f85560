import { type HostName, hosts, isHostName, momentOf } from '../../core/hosts.ts';
import { limits } from '../../core/limits.ts';
import { askGit } from '../../workspace/git.ts';
import { findPrograms } from '../../workspace/hosts/find-program.ts';
import type { HookRegistration } from '../../workspace/hosts/hook-registrations.ts';
import { type Registrations, readRegistrations } from '../../workspace/hosts/registrations.ts';
import { Allowance, type AskingState } from '../../written/allowance.ts';
import type { OperationContext } from '../context.ts';
import { describeIgnored } from '../ignored-settings.ts';
import { type DiagnosisBounds, diagnosisBounds } from './diagnose-bounds.ts';
import { diagnoseCommand, diagnoseHosts } from './diagnose-command.ts';
import { examine, type Finding, fine, problem, warning } from './diagnose-finding.ts';
import { diagnoseHookLog, diagnoseHooks } from './diagnose-hooks.ts';
import { diagnoseOffers, diagnosePlaces, diagnoseStore } from './diagnose-place.ts';
import { diagnoseRegistration } from './diagnose-registration.ts';
import { diagnoseServer } from './diagnose-server.ts';
import { sortByOrigin } from './sort-by-origin.ts';

const unstartable: readonly Finding['id'][] = ['command-not-found', 'command-hangs', 'node-too-old'];

/**
 * Checks all that a project's handoffs depend on: first the checks that only read, all at once; then the timed checks.
 *
 * @param bounds - default: those that a person is asked to wait for.
 */
export async function diagnoseProject(context: OperationContext, bounds = diagnosisBounds): Promise<Finding[]> {
  const registrations = readRegistrations(context.workspace, context.environment);
  const { own, findings: untried } = sortByOrigin(registrations, context);
  const [commands, hostFindings, places, store, offers] = await Promise.all([
    Promise.all(
      launchesOf(own).map((words) => examine(words.join(' '), () => diagnoseCommand(words, context, bounds))),
    ),
    examine('The hosts', () => diagnoseHosts(registrations, context, bounds)),
    examine('The folder of the store', () => diagnosePlaces(context)),
    examine('The store', () => diagnoseStore(context)),
    examine('What was offered to sessions', () => diagnoseOffers(context)),
  ]);
  // A cause that keeps a command from starting at all is reported once, not with every hook.
  const isStartable = commands.flat().every(({ id }) => !unstartable.includes(id));
  const tried = isStartable ? await tryOut(own, context, bounds) : [];
  return [
    ...diagnoseRegistration(registrations),
    ...untried,
    ...hostFindings,
    ...commands.flat(),
    ...tried,
    ...(await examine('The log of hooks', () => diagnoseHookLog(context))),
    ...store,
    ...withoutDoubled(offers, store),
    ...places,
    ...(await examine('The agents of sessions', () => diagnoseAsking(context))),
    ...diagnoseSettings(context),
    ...(await examine('The machine', () => diagnoseMachine(context))),
  ];
}

/** Whether the repository wants settings that its user did not agree to. */
function diagnoseSettings(context: OperationContext): Finding[] {
  const ignored = describeIgnored(context);
  if (ignored === undefined) return [fine('settings-trusted', 'No setting of this repository is ignored')];
  return [
    warning('settings-ignored', {
      what: ignored.what,
      why: 'A repository comes from its authors: without your consent it can only restrict, and chooses neither where sessions go nor the name you act under.',
      next: ignored.next,
    }),
  ];
}

async function tryOut(
  { hooks, servers }: Registrations,
  context: OperationContext,
  bounds: DiagnosisBounds,
): Promise<Finding[]> {
  const tried = await examine('Hooks', () => diagnoseHooks(hooks.filter(isHeard), context, bounds));
  // Hosts that start it with the same words have the same server.
  const different = new Map(servers.map((server) => [JSON.stringify([server.words, server.variables]), server]));
  const answers: Finding[] = [];
  for (const server of different.values()) {
    answers.push(...(await examine('The server', () => diagnoseServer(server, context, bounds))));
  }
  return [...tried, ...answers];
}

/** A hook whose answer the host does not wait for has no effect, however well it works. */
function isHeard({ host, event, isAsync }: HookRegistration): boolean {
  return !(isAsync && momentOf(host, event) === 'start');
}

/** The registered commands, each once, without the words for their task. */
function launchesOf({ hooks, servers }: Registrations): string[][] {
  const launches = [
    ...hooks.flatMap(({ form, command }) =>
      form === 'own' && 'words' in command ? [command.words.slice(0, command.words.lastIndexOf('hook'))] : [],
    ),
    ...servers.map(({ words }) => words.slice(0, -1)),
  ];
  return [...new Map(launches.map((words) => [JSON.stringify(words), [...words]])).values()];
}

/** A store that cannot be opened is reported once. */
function withoutDoubled(offers: readonly Finding[], store: readonly Finding[]): Finding[] {
  const isUsable = store.every(({ level }) => level === 'ok');
  return isUsable ? [...offers] : [];
}

/** No Baton is older than this. */
const earliest_ms = Date.UTC(2026, 0, 1);

/** What Baton needs of the machine besides Node: git, and a clock that is not years behind. */
function diagnoseMachine(context: OperationContext): Finding[] {
  return [diagnoseGit(context), diagnoseClock(context.now())];
}

function diagnoseGit({ workspace, environment }: OperationContext): Finding {
  const [path] = findPrograms('git', workspace.root, environment);
  const isRepository = workspace.git_common_dir !== undefined;
  if (path === undefined) {
    const level = isRepository ? problem : warning;
    return level('git-not-found', {
      what: 'git is not on the PATH.',
      why: isRepository
        ? 'Branches and changed files cannot be determined, and hooks in a repository fail.'
        : 'In a repository Baton needs it; here it works without.',
      next: 'Install git: https://git-scm.com',
    });
  }
  const told = askGit(workspace.root, ['--version']) ?? 'git';
  const where = isRepository ? workspace.root : `${workspace.root} is not a repository; handoffs have no branch here`;
  return fine('git-found', `${told}: ${where}`);
}

function diagnoseClock(now_ms: number): Finding {
  const at = new Date(now_ms).toISOString();
  if (now_ms >= earliest_ms) return fine('clock-sane', `The clock says ${at}`);
  return problem('clock-wrong', {
    what: `The clock of this machine is wrong: it says ${at}.`,
    why: 'Leases and expiries depend on it: they end too soon or too late.',
    next: 'Synchronize the clock with the network.',
  });
}

const turnOff = 'To turn it off: baton init --agent-writes off';

/** The state of asking agents of sessions: today's cost, which hosts are not asked, and why the last call gave nothing. */
function diagnoseAsking({ configuration, environment, now }: OperationContext): Finding[] {
  if (configuration.extractor !== 'host') return [];
  const now_ms = now();
  const state = new Allowance(environment, now_ms).read();
  const resting = Object.entries(state.resting).filter(([, { until }]) => Date.parse(until) > now_ms);
  return [
    fine('agents-asked', `After a session its own agent writes the handoff. ${costOf(state)} ${turnOff}`),
    ...resting.map(([host, { until, reason }]) =>
      warning('agents-not-asked', {
        about: host,
        what: `${titleOf(host)} did not answer, and is not asked again until ${until}: ${reason}`,
        why: 'Until then handoffs are made by rules only.',
        next: `See that ${titleOf(host)} works by itself: log in, or wait until its limit resets. ${turnOff}`,
      }),
    ),
    ...(state.problem === undefined || state.resting[state.problem.host]?.reason === state.problem.reason
      ? []
      : [
          warning('agents-not-asked', {
            about: state.problem.host,
            what: `${titleOf(state.problem.host)}, at ${state.problem.at}, wrote nothing: ${state.problem.reason}`,
            why: 'That session has the handoff that rules made.',
            next: turnOff,
          }),
        ]),
  ];
}

function costOf({ calls, input_tokens, output_tokens }: AskingState): string {
  const tokens = `${input_tokens} tokens read and ${output_tokens} written`;
  return `Today: ${calls} of ${limits.written_calls_a_day} calls, ${tokens}.`;
}

function titleOf(host: HostName | string): string {
  return isHostName(host) ? hosts[host].title : host;
}
