import { existsSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { hostNames } from '../../core/hosts.ts';
import { isBrought } from '../../workspace/brought.ts';
import { expand, type HookRegistration, plugin, realName } from '../../workspace/hosts/hook-registrations.ts';
import { isWrittenAs } from '../../workspace/hosts/host-hooks.ts';
import { hostPath } from '../../workspace/hosts/init-targets.ts';
import { hookWords, type Launcher, listLaunchers, projectLauncher } from '../../workspace/hosts/launcher.ts';
import type { Registrations, ServerRegistration } from '../../workspace/hosts/registrations.ts';
import type { OperationContext } from '../context.ts';
import { scriptNotFound } from './diagnose-command.ts';
import { type Finding, firstLines, warning } from './diagnose-finding.ts';

/**
 * What of the registrations may be run: all that this machine's user registered, and of files that may have come with the
 * project only what `init` would write here, which starts the user's own Baton. The rest is shown and not run: its author
 * chose a command, and nobody was asked.
 */
export function sortByOrigin(
  registrations: Registrations,
  context: OperationContext,
): { own: Registrations; findings: Finding[] } {
  const launchers = launchersOf(context);
  const isRun = isStartedBy(launchers, context);
  const own = {
    ...registrations,
    hooks: registrations.hooks.filter((hook) => !isForeign(hook.place, context) || isRun(hook)),
    servers: registrations.servers.filter((server) => !isForeign(server.path ?? plugin, context) || isRun(server)),
  };
  const rest = [...registrations.hooks, ...registrations.servers].filter(
    (each) => !own.hooks.includes(each as HookRegistration) && !own.servers.includes(each as ServerRegistration),
  );
  const script = join(context.workspace.root, 'node_modules/batonpass/bin/baton.js');
  const awaits = existsSync(script) ? () => false : isStartedBy([projectLauncher], context);
  const [absent, unknown] = [rest.filter(awaits), rest.filter((each) => !awaits(each))];
  return { own, findings: [...(absent.length > 0 ? [scriptNotFound(script)] : []), ...notTried(unknown)] };
}

type Registration = HookRegistration | ServerRegistration;

function launchersOf({ workspace, environment, program }: OperationContext): Launcher[] {
  const running = program === undefined ? undefined : { script: program, node: process.execPath };
  return listLaunchers({ workspace, environment, platform: process.platform, running });
}

/** Whether a registration is what `init` writes with one of these launchers, and sets no variable. */
function isStartedBy(launchers: readonly Launcher[], { workspace }: OperationContext) {
  return (each: Registration): boolean =>
    launchers.some((launcher) => {
      if ('event' in each) {
        const words = hookWords(launcher, each.host, each.event);
        return isWrittenAs(
          each.command,
          words.map((word) => expand(word, each.host, workspace.root)),
        );
      }
      return Object.keys(each.variables).length === 0 && isWrittenAs(each, [...launcher.server, 'mcp']);
    });
}

/** Whether a file may have come with the project. Outside git, in the user's home, it may be the user's own. */
function isForeign(path: string, { workspace, environment }: OperationContext): boolean {
  if (path === plugin || !isBrought(workspace, path)) return false;
  if (workspace.git_common_dir !== undefined) return true;
  const own = hostNames.flatMap((host) =>
    (['hook_files', 'server_files'] as const).flatMap(
      (part) => hostPath({ host, part, scope: 'user' }, workspace.root, environment) ?? [],
    ),
  );
  const ofClaudeCode = join(environment.CLAUDE_CONFIG_DIR || environment.HOME || homedir(), '.claude.json');
  return ![...own, ofClaudeCode].map(realName).includes(realName(path));
}

function notTried(rest: readonly Registration[]): Finding[] {
  const places = [...new Set(rest.map(({ place }) => place))];
  return places.map((place) => {
    const commands = new Set(rest.filter((each) => each.place === place).map(shownOf));
    return warning('registration-not-tried', {
      about: place,
      what: `What ${place} registers was not run: ${[...commands].join('; ')}`,
      why: 'The file may have come with the project, and this is not what init writes here: its author chose the command, which would run as you.',
      next: `Read it. If it is not yours, remove it from ${place}; then register the Baton that runs now: baton init`,
    });
  });
}

function shownOf(each: Registration): string {
  if ('event' in each) return firstLines('words' in each.command ? each.command.words.join(' ') : each.command.line);
  const names = Object.keys(each.variables);
  const sets = names.length === 0 ? '' : `, with ${names.join(', ')} set`;
  return `${firstLines(each.words.join(' '))}${sets}`;
}
