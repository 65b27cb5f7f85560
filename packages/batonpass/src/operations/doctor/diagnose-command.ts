import { existsSync } from 'node:fs';
import { isAbsolute, parse } from 'node:path';
import { type HostName, hostNames, hosts } from '../../core/hosts.ts';
import { howToInstall } from '../../core/how-to-install.ts';
import { version } from '../../version.ts';
import { findPrograms, readPackageVersion } from '../../workspace/hosts/find-program.ts';
import { plugin, readUserTables, realName } from '../../workspace/hosts/hook-registrations.ts';
import { type HostCommandEnd, runAsHost } from '../../workspace/hosts/host-command.ts';
import { isSupportedNode, neededNode } from '../../workspace/hosts/node-version.ts';
import type { Registrations } from '../../workspace/hosts/registrations.ts';
import { readTomlTexts } from '../../workspace/hosts/toml-tables.ts';
import type { OperationContext } from '../context.ts';
import type { DiagnosisBounds } from './diagnose-bounds.ts';
import { type Finding, fine, firstLines, problem, warning } from './diagnose-finding.ts';

/**
 * Whether a registered command exists, which version it is, and whether its Node is new enough.
 *
 * @param words - the command without its last words, `hook EVENT` or `mcp`.
 */
export async function diagnoseCommand(
  words: readonly string[],
  context: OperationContext,
  { tell_ms }: Pick<DiagnosisBounds, 'tell_ms'>,
): Promise<Finding[]> {
  const { workspace, environment } = context;
  const [name = '', ...rest] = words;
  const script = rest.find(isAbsolute);
  const shown = words.join(' ');
  if (name === 'npx' && !rest.includes('--no')) return [downloads(shown)];
  const programs = findPrograms(name, workspace.root, environment);
  const [program] = programs;
  if (program === undefined) return [notFound(name, shown)];
  if (script !== undefined && !existsSync(script)) return [scriptNotFound(script)];
  const ends = await Promise.all([tell([...words, '--version'], context, tell_ms), findNode(name, context, tell_ms)]);
  const [end, node] = ends;
  const told = /^\d+\.\d+\.\d+\S*$/m.exec(end.stdout)?.[0];
  const nodes = node === undefined ? [] : [diagnoseNode(node, end.exit_code === 0)];
  // One cause is reported once.
  if (nodes.some(({ id }) => id === 'node-too-old')) return nodes;
  if (end.exit_code !== 0 || told === undefined) return [...nodes, fails(shown, end)];
  return [
    fine('command-found', `Hosts start ${script ?? `${shown}: ${program}`}, version ${told}`),
    ...nodes,
    ...(told === version ? [] : [differs(shown, told)]),
    ...(rest.length === 0 ? diagnoseShadows(programs, told) : []),
  ];
}

/** As `init` registered it once: npx takes a missing package from the registry, and nobody has published Baton there. */
function downloads(shown: string): Finding {
  return warning('command-downloads', {
    about: shown,
    what: `"${shown}" is registered: where Baton is not installed, npx downloads what the registry has under that name.`,
    why: 'Whoever has the name there runs code in each of your sessions.',
    next: 'Register the Baton that is installed: baton init',
  });
}

function notFound(name: string, shown: string): Finding {
  const isOurs = name === 'baton';
  return problem('command-not-found', {
    about: name,
    what: `The command ${name}, which is registered, is not on the PATH.`,
    why: `The host cannot start "${shown}", so nothing of Baton runs.`,
    next: isOurs
      ? `Install it: ${howToInstall}. Or register the Baton that runs now: baton init`
      : `Install ${name}, or start the host where it is on the PATH.`,
  });
}

/** @param script - what is registered. */
export function scriptNotFound(script: string): Finding {
  return problem('command-not-found', {
    about: script,
    what: `${script}, which is registered, does not exist.`,
    why: 'The host cannot start it, so nothing of Baton runs.',
    next: 'Install what the project needs: npm install. Or register the Baton that runs now: baton init',
  });
}

async function findNode(
  name: string,
  context: OperationContext,
  tell_ms: number,
): Promise<{ path: string; told: string } | undefined> {
  const { workspace, environment } = context;
  const isNode = /(?:^|[\\/])node(?:\.exe)?$/.test(name);
  const [path] = findPrograms(isNode ? name : 'node', workspace.root, environment);
  if (path === undefined) return undefined;
  const { stdout } = await tell([path, '-p', 'process.versions.node'], context, tell_ms);
  return { path, told: stdout.trim() };
}

/** @param runs - whether the command runs all the same: then it uses a Node of its own. */
function diagnoseNode({ path, told }: { path: string; told: string }, runs: boolean): Finding {
  if (runs || isSupportedNode(told)) return fine('node-found', `Node for hosts: ${path}, version ${told || 'unknown'}`);
  return problem('node-too-old', {
    about: path,
    what: `The Node that hosts start Baton with is ${told || 'unknown'}: ${path}.`,
    why: `Baton needs ${neededNode}: its database is a part of Node.`,
    next: 'Install a newer Node (https://nodejs.org, or: nvm install 24), and start the host where that one comes first on the PATH.',
  });
}

function fails(shown: string, end: HostCommandEnd): Finding {
  const said = firstLines(end.stderr) || firstLines(end.stdout) || 'nothing';
  const how = end.timed_out
    ? `did not end within ${(end.took_ms / 1_000).toFixed(1)} s`
    : `ended with ${end.exit_code ?? 'a signal'}`;
  return problem(end.timed_out ? 'command-hangs' : 'command-fails', {
    about: shown,
    what: `"${shown} --version" ${how}, and said: ${said}`,
    why: 'A command that cannot report its version answers neither hooks nor agents.',
    next: shown.startsWith('npx ')
      ? 'Install what the project needs: npm install. Or register the Baton that runs now: baton init'
      : `Install it again: ${howToInstall}. Then register it: baton init`,
  });
}

function differs(shown: string, told: string): Finding {
  return warning('version-differs', {
    about: shown,
    what: `Hosts start Baton ${told}; the one that runs now is ${version}.`,
    why: 'The newer one may bring the store to a form that the older one refuses.',
    next: `Bring both to one version, by installing the newer one again: ${howToInstall}`,
  });
}

/** Others of the same name on the PATH: harmless as long as they are the same version, or no Baton at all. */
function diagnoseShadows([used, ...others]: readonly string[], told: string): Finding[] {
  const different = others.flatMap((path) => {
    const found = readPackageVersion(path);
    return found === undefined || found === told ? [] : [`${found} at ${path}`];
  });
  if (different.length === 0) return [];
  return [
    warning('command-shadowed', {
      about: used,
      what: `The PATH holds more than one Baton: ${told} at ${used} is used, and there is ${different.join(', ')}.`,
      why: 'Where the order of the PATH is another, as in a host that a desktop starts, the other one runs.',
      next: 'Update or uninstall the one that you do not mean, with the npm that it belongs to.',
    }),
  ];
}

function tell(
  words: readonly string[],
  { workspace, environment, signal }: OperationContext,
  timeout_ms: number,
): Promise<HostCommandEnd> {
  return runAsHost({ words }, '', { cwd: workspace.root, environment, timeout_ms, signal });
}

/** Whether each host with registered hooks is one that runs them: its version, and the person's trust. */
export async function diagnoseHosts(
  { hooks }: Registrations,
  context: OperationContext,
  { tell_ms }: Pick<DiagnosisBounds, 'tell_ms'>,
): Promise<Finding[]> {
  const named = hostNames.filter((host) => hooks.some((hook) => hook.host === host));
  const versions = await Promise.all(named.map((host) => diagnoseVersion(host, context, tell_ms)));
  return [...versions.flat(), ...named.flatMap((host) => diagnoseTrust(host, hooks, context))];
}

async function diagnoseVersion(host: HostName, context: OperationContext, tell_ms: number): Promise<Finding[]> {
  const { workspace, environment, signal } = context;
  const { command, title, version_min } = hosts[host];
  // Not in the project: a host may read settings there before it gives its version.
  const cwd = parse(process.execPath).root;
  const [program] = findPrograms(command, workspace.root, environment);
  // A host that a desktop or an editor bundles is on no PATH.
  if (program === undefined) return [];
  const start = { cwd, environment, timeout_ms: tell_ms, signal };
  const { stdout } = await runAsHost({ words: [program, '--version'] }, '', start);
  const told = /\d+\.\d+\.\d+/.exec(stdout)?.[0];
  if (told === undefined) return [];
  if (version_min === undefined || !isBelow(told, version_min))
    return [fine('host-found', `${title} ${told}: ${program}`)];
  return [
    warning('host-too-old', {
      about: title,
      what: `${title} is ${told}: ${program}. Baton was seen to work from ${version_min} on.`,
      why: 'An older host may not start the hooks as they are registered, or drop what they give.',
      next: `Update ${title}, then run it again: baton doctor`,
    }),
  ];
}

function isBelow(version: string, least: string): boolean {
  const [left, right] = [version, least].map((each) => each.split('.').map(Number));
  const differing = (left ?? []).findIndex((part, index) => part !== right?.[index]);
  return differing !== -1 && (left?.[differing] ?? 0) < (right?.[differing] ?? 0);
}

/** A host that runs no untrusted hook reports it only in its own program. */
function diagnoseTrust(
  host: HostName,
  hooks: Registrations['hooks'],
  { workspace, environment }: OperationContext,
): Finding[] {
  const { title, has_trust, after_init } = hosts[host];
  if (!has_trust) return [];
  // It asks about a plugin's hooks as well, under a name of its own for the plugin's copy.
  const own = hooks.filter((hook) => hook.host === host && hook.place !== plugin);
  const trusted = readUserTables(host, workspace.root, environment).flatMap(({ name, members }) => {
    const isState = name[0] === 'hooks' && name[1] === 'state';
    return isState && members.has('trusted_hash') && readTomlTexts(members.get('enabled'))?.[0] !== 'false'
      ? [name[2] ?? '']
      : [];
  });
  // `FILE:event:group:handler`, the event in lower case with underscores.
  const isTrusted = ({ place, event }: (typeof own)[number]) => {
    const words = event.replace(/(?<=[a-z])(?=[A-Z])/g, '_').toLowerCase();
    return trusted.some((key) => [place, realName(place)].some((file) => key.startsWith(`${file}:${words}:`)));
  };
  const untrusted = own.filter((hook) => !isTrusted(hook)).map(({ event }) => event);
  if (untrusted.length === 0) return [];
  return [
    warning('hooks-untrusted', {
      about: [...new Set(untrusted)].join(', '),
      what: `Nobody has trusted the hooks of ${title} in ${[...new Set(own.map(({ place }) => place))].join(' and ')} yet.`,
      why: `${title} skips a hook that is new or changed, and reports it only in its own window.`,
      next: after_init.hooks,
    }),
  ];
}
