import { defaultHost, type HostName, hostNames, hosts } from '../../core/hosts.ts';
import { howToInstall } from '../../core/how-to-install.ts';
import { askGit } from '../../workspace/git.ts';
import {
  type HookRegistration,
  isWrapper,
  readHookSettings,
  realName,
} from '../../workspace/hosts/hook-registrations.ts';
import { hostPath, type InitScope, type TargetSurroundings } from '../../workspace/hosts/init-targets.ts';
import type { Launcher } from '../../workspace/hosts/launcher.ts';
import { readRegistrations } from '../../workspace/hosts/registrations.ts';
import type { Workspace } from '../../workspace/project-identity.ts';
import { initWords, undoWords } from './init-words.ts';

/** The request: an absent scope means the project's, and on undo the project's and the user's in this project. */
export interface InitRequest {
  undo: boolean;
  scope?: InitScope | undefined;
  agent_writes?: 'on' | 'off' | undefined;
}

const localSettings = hosts[defaultHost].hook_files.local ?? '';
const userServer = '--scope user baton';

/** What a person should know or do besides the changes that were made or are planned. */
export function remarksOf(request: InitRequest, surroundings: TargetSurroundings): string[] {
  return request.undo ? remarksOnUndo(request, surroundings) : remarksOnRegister(request, surroundings);
}

/** The consequence of agents writing the handoffs of their sessions, or not any more. */
export function remarksOnWriting({ agent_writes }: InitRequest): string[] {
  if (agent_writes === 'off') return ['Agents of sessions are no longer asked, in any of your projects.'];
  if (agent_writes === undefined) return [];
  return [
    'After a session its own agent is asked once what the next one needs, with the tokens of your account: at most 20 times a day. Turn it off: baton init --agent-writes off',
  ];
}

/** The next steps. @param launcher - with which hosts, and people too, start Baton. */
export function nextSteps({ scope }: InitRequest, surroundings: TargetSurroundings): string[] {
  const { launcher, parts } = surroundings;
  const baton = launcher.server.join(' ');
  const hasServer = parts.includes('mcp') && scope !== 'user';
  const first = surroundings.hosts.flatMap((host) => {
    const { after_init, hook_files } = hosts[host];
    if (hasServer && after_init.server !== undefined) return after_init.server;
    return parts.includes('hooks') && hook_files[scope ?? 'project'] !== undefined ? after_init.hooks : [];
  });
  const registered = registeredHosts(surroundings);
  const others = hostNames.filter((host) => !surroundings.hosts.includes(host) && !registered.has(host));
  return [
    ...first,
    ...(hasServer
      ? [...others.map((host) => `With ${hosts[host].title}: ${initWords(scope, baton)} --host ${host}`)]
      : []),
    `Check that it works: ${baton} doctor`,
    `Undo it at any time: ${initWords(scope, baton)} --undo`,
  ];
}

/** The hosts that have the server or hooks of Baton. */
function registeredHosts({ workspace, environment }: TargetSurroundings): Set<HostName> {
  const { servers, hooks } = readRegistrations(workspace, environment);
  return new Set([...servers, ...hooks].map(({ host }) => host));
}

function remarksOnUndo({ scope }: InitRequest, surroundings: TargetSurroundings): string[] {
  const { parts } = surroundings;
  const left = parts.includes('hooks') ? hooksElsewhere(surroundings) : [];
  return [
    ...(scope === 'user' && parts.includes('mcp')
      ? [`The host removes the server: claude mcp remove ${userServer}`]
      : []),
    ...byPlace(left).map(
      (hook) => `${capital(hook.place)} still registers the hooks: ${undoWords(hook.scope, hook.host)}`,
    ),
  ];
}

function remarksOnRegister({ scope }: InitRequest, surroundings: TargetSurroundings): string[] {
  const { launcher, parts, workspace } = surroundings;
  const [hasServer, hasHooks] = [parts.includes('mcp'), parts.includes('hooks')];
  const isHere = parts.includes('docs') || (scope !== 'user' && (hasServer || hasHooks));
  return [
    ...(isHere && workspace.git_common_dir === undefined
      ? [
          `${workspace.root} is not a git repository: handoffs belong to exactly this folder, not to those above or below it.`,
        ]
      : []),
    ...(scope === 'user' && hasServer
      ? [`The server, for all your projects: claude mcp add ${userServer} -- ${[...launcher.server, 'mcp'].join(' ')}`]
      : []),
    ...(scope === 'local' && hasHooks && !isIgnored(workspace)
      ? [`${localSettings} is yours alone: see that git ignores it.`]
      : []),
    ...remarksOnLauncher(launcher, { scope, hasHooks, hasServer }),
    ...(hasHooks ? remarksOnHooks(surroundings) : []),
  ];
}

/** Outside git there is nothing to ignore it for. */
function isIgnored({ root, git_common_dir }: Workspace): boolean {
  if (git_common_dir === undefined) return true;
  // check-ignore is the one command that refuses literal pathspecs; this path has no special characters.
  return askGit(root, ['--no-literal-pathspecs', 'check-ignore', '--quiet', localSettings]) !== null;
}

function remarksOnLauncher(
  { kind }: Launcher,
  { scope, hasHooks, hasServer }: { scope: InitScope | undefined; hasHooks: boolean; hasServer: boolean },
): string[] {
  const isShared = (scope === undefined || scope === 'project') && (hasHooks || hasServer);
  const everywhere = 'install Baton where everybody who shares these files has it, then run init again.';
  if (kind === 'absent' && (hasHooks || hasServer))
    return [`Hosts cannot start Baton before it is installed: ${howToInstall}`];
  // A copy, or the target of a command of that name, need not come from a registry.
  if (kind === 'copy' && isShared) return [`The paths are valid only on this machine. To share them, ${everywhere}`];
  if (kind === 'global' && isShared)
    return [`Everybody who shares these files needs the command baton too: ${everywhere}`];
  return [];
}

function remarksOnHooks(surroundings: TargetSurroundings): string[] {
  const hooks = hooksOfHosts(surroundings);
  const isHere = isTarget(surroundings);
  return [
    ...hooks
      .filter((hook) => hook.form === 'line' && isHere(hook))
      .map(
        ({ place, event, command }) =>
          `${place} runs the hook of ${event} within another command, which is kept: ${shown(command)}. Check that it works: baton doctor. Or remove it, and run init again.`,
      ),
    ...hooks
      .filter(isWrapper)
      .map(
        ({ place, event, command }) =>
          `${place} starts for ${event} what looks like a wrapper of Baton: ${shown(command)}. Remove it, or the hook runs twice.`,
      ),
    ...byPlace(hooksElsewhere(surroundings)).map(
      ({ place, scope, host }) =>
        // Undoing the project's hooks undoes the local ones too.
        `${capital(place)} registers the hooks as well, so each may run twice. Undo one of the two: ${undoWords(scope === 'project' && surroundings.scopes.includes('local') ? 'local' : scope, host)}`,
    ),
  ];
}

/** Hooks of the hosts that this run is for: no host runs those of another one. */
function hooksOfHosts({ workspace, environment, hosts: chosen }: TargetSurroundings): HookRegistration[] {
  return readHookSettings(workspace, environment).hooks.filter(({ host }) => chosen.includes(host));
}

/** Hooks of Baton in places that this run does not write to. */
function hooksElsewhere(surroundings: TargetSurroundings): HookRegistration[] {
  const isHere = isTarget(surroundings);
  return hooksOfHosts(surroundings).filter((hook) => hook.form !== 'script' && !isHere(hook));
}

function isTarget(surroundings: TargetSurroundings): (hook: HookRegistration) => boolean {
  const { workspace, environment, scopes } = surroundings;
  const targets = surroundings.hosts.flatMap((host) =>
    scopes.flatMap((scope) => hostPath({ host, part: 'hook_files', scope }, workspace.root, environment) ?? []),
  );
  return ({ place }) => targets.map(realName).includes(realName(place));
}

function byPlace(hooks: readonly HookRegistration[]): HookRegistration[] {
  return [...new Map(hooks.map((hook) => [hook.place, hook])).values()];
}

function shown(command: HookRegistration['command']): string {
  return 'words' in command ? command.words.join(' ') : command.line;
}

function capital(place: string): string {
  return place.startsWith('the ') ? `The ${place.slice('the '.length)}` : place;
}
