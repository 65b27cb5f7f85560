import { existsSync, readFileSync, realpathSync, statSync } from 'node:fs';
import { delimiter, isAbsolute, join } from 'node:path';
import { defaultHost, type HostName, hosts } from '../../core/hosts.ts';
import { isBrought } from '../brought.ts';
import type { Workspace } from '../project-identity.ts';

/** How a host starts Baton, decided by how Baton is installed. */
export interface Launcher {
  /** `project`: a dependency of the project. `global`: a command on the PATH. `copy`: the one that runs. `absent`: none of these. */
  kind: 'project' | 'global' | 'copy' | 'absent';
  /** The words before `hook EVENT`. */
  hook: readonly string[];
  /** The words before `mcp`. */
  server: readonly string[];
  /** Why this one, in one sentence for the user. */
  reason: string;
}

/** The facts for the choice. */
export interface LauncherSurroundings {
  /** The project; absent for a registration in every project of a user. */
  workspace?: Workspace | undefined;
  environment: NodeJS.ProcessEnv;
  platform: NodeJS.Platform;
  /** The script that runs now, and the Node that runs it; absent where a program uses the library. */
  running?: { script: string; node: string } | undefined;
}

/** Inside a package's folder, the script that the command starts. */
const script = 'bin/baton.js';

/** Starts the installed command: for the plugins, which are copied from the clone or package that they are part of. */
export const commandLauncher: Launcher = {
  kind: 'global',
  hook: ['baton'],
  server: ['baton'],
  reason: 'The plugin starts the command baton.',
};

/** Starts the package that the project has installed. */
export const projectLauncher: Launcher = {
  kind: 'project',
  // Not the command of the package: as a script, node starts it on Windows too, and without npm's own start.
  hook: ['node', `\${${hosts[defaultHost].variables.project}}/node_modules/batonpass/${script}`],
  // From any of its folders; without `--no` npx would download a missing package.
  server: ['npx', '--no', '--', 'batonpass'],
  reason: 'batonpass is a dependency that this project has installed.',
};

/** Where Baton is installed nowhere. No registry is asked for it: the owner of the name there could run code here. */
const absentLauncher: Launcher = {
  ...commandLauncher,
  kind: 'absent',
  reason: 'Baton is installed neither in this project nor globally: hosts start the command baton once it is.',
};

/**
 * Decides how hooks and server are started. A version that the project installs comes before a global one: those who
 * share the repository share it too. What npx put on the PATH for this one run does not count: it is removed then. Nothing
 * is ever downloaded.
 */
export function chooseLauncher(surroundings: LauncherSurroundings): Launcher {
  const { workspace, running } = surroundings;
  if (workspace !== undefined && hasInstalled(workspace, running?.script)) return projectLauncher;
  const global = findGlobal(surroundings);
  if (global === undefined) return launcherOfCopy(surroundings) ?? absentLauncher;
  const isWindows = surroundings.platform === 'win32';
  return {
    kind: 'global',
    // Hosts start hooks without a shell, and then Windows cannot run the shim that npm makes of a command.
    hook: isWindows ? ['node', global] : ['baton'],
    server: ['baton'],
    reason: `The command baton is installed: ${global}.`,
  };
}

/** The launchers that `init` would write here, by whatever installation: each starts a Baton of this machine. */
export function listLaunchers(surroundings: LauncherSurroundings): Launcher[] {
  const elsewhere = chooseLauncher({ ...surroundings, workspace: undefined });
  return [chooseLauncher(surroundings), elsewhere, commandLauncher, launcherOfCopy(surroundings) ?? absentLauncher];
}

/**
 * Whether a person has installed Baton in a project: a package that the project names and that did not come with it, or
 * outside git, where nothing shows that, the one that runs. A repository may contain any program under Baton's name.
 */
function hasInstalled(workspace: Workspace, running: string | undefined): boolean {
  const path = join(workspace.root, 'node_modules/batonpass', script);
  if (!existsSync(path)) return false;
  if (workspace.git_common_dir !== undefined) return isNamed(workspace.root) && !isBrought(workspace, path);
  return running !== undefined && existsSync(running) && realpathSync(path) === realpathSync(running);
}

/** Whether a project's package names Baton, or has packages within it that may: what they need is installed here too. */
function isNamed(root: string): boolean {
  try {
    const manifest = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as Record<string, unknown>;
    const kinds = ['dependencies', 'devDependencies', 'optionalDependencies', 'peerDependencies'];
    return 'workspaces' in manifest || kinds.some((kind) => Object.hasOwn(Object(manifest[kind]), 'batonpass'));
  } catch {
    // Absent or no JSON: npm installs nothing there either.
    return false;
  }
}

/** A clone, an unpacked or an installed package: it stays where it is, unlike what npx fetched for this one run. */
function launcherOfCopy({ running }: LauncherSurroundings): Launcher | undefined {
  if (running === undefined || !isAbsolute(running.script)) return undefined;
  const path = realpathSync(running.script);
  if (/[\\/]_npx[\\/]/.test(path) || !existsSync(path)) return undefined;
  // Its own Node, because the one on the PATH may be too old.
  const words = [running.node, path];
  return { kind: 'copy', hook: words, server: words, reason: `This copy of Baton is in ${path}.` };
}

/** The first permanent `baton` of Baton on the PATH. Relative entries are skipped: their meaning depends on the folder. */
function findGlobal({ environment, platform }: LauncherSurroundings): string | undefined {
  const folders = (environment.PATH ?? environment.Path ?? '').split(delimiter);
  for (const folder of folders) {
    if (!isAbsolute(folder) || /[\\/]_npx[\\/]|[\\/]node_modules[\\/]\.bin[\\/]?$/.test(folder)) continue;
    const found = platform === 'win32' ? join(folder, 'node_modules/batonpass', script) : join(folder, 'baton');
    if (existsSync(found) && (platform === 'win32' || isOurs(found))) return found;
  }
  return undefined;
}

/** A link to Baton's script, as npm makes it, or a short script that names it, as pnpm does. Others are called baton too. */
function isOurs(path: string): boolean {
  const target = realpathSync(path);
  if (target.endsWith(`batonpass/${script}`)) return true;
  const status = statSync(target);
  return status.isFile() && status.size < 16_384 && readFileSync(target, 'utf8').includes(`batonpass/${script}`);
}

/** Programs that start others, and Baton's own names: a command with another first word (`echo baton mcp`) is not Baton's. */
const starter = /^(?:npx|npm|pnpm|pnpx|yarn|bun|bunx|node|baton|batonpass)$/;

/** The words with which a host starts the hook of an event. */
export function hookWords(launcher: Launcher, host: HostName, event: string): string[] {
  const own = host === defaultHost ? [] : ['--host', host];
  return [...commandWords(launcher, host), 'hook', event, ...own];
}

/** The words with which a host starts Baton, before those of its task. */
export function commandWords({ kind, hook, server }: Launcher, host: HostName): readonly string[] {
  // One host's placeholder for the project's folder would be no path for another.
  return kind === 'project' && host !== defaultHost ? server : hook;
}

/**
 * Whether words start Baton and end with `ending`, whichever launcher they use: `baton mcp`, `npx -y batonpass@1 mcp`,
 * `node …/batonpass/bin/baton.js mcp`. So an outdated registration is recognised as Baton's.
 */
export function isOwnCommand(words: readonly string[], ending: readonly RegExp[]): boolean {
  const tail = words.slice(words.length - ending.length);
  if (words.length <= ending.length || !tail.every((word, index) => ending[index]?.test(word))) return false;
  const launcher = words.slice(0, words.length - ending.length).filter((word) => !/^\w+=/.test(word));
  const last = (launcher.at(-1) ?? '').replaceAll('\\', '/');
  const isOurs = /^(?:.*\/)?(?:baton|batonpass)(?:@[^/]*|\.cmd|\.exe|\.ps1)?$|batonpass\/bin\/baton\.js$/.test(last);
  return isOurs && starter.test(programName(launcher[0] ?? ''));
}

function programName(word: string): string {
  return (word.replaceAll('\\', '/').split('/').at(-1) ?? '').replace(/\.(?:cmd|exe|ps1)$/, '');
}
