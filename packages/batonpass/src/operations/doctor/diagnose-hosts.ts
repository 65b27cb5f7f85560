import { type HostName, hostNames, hosts } from '../../core/hosts.ts';
import { findPrograms } from '../../workspace/hosts/find-program.ts';
import { plugin, readUserTables, realName } from '../../workspace/hosts/hook-registrations.ts';
import { runAsHost } from '../../workspace/hosts/host-command.ts';
import type { Registrations } from '../../workspace/hosts/registrations.ts';
import { readTomlTexts } from '../../workspace/hosts/toml-tables.ts';
import type { OperationContext } from '../context.ts';
import type { DiagnosisBounds } from './diagnose-bounds.ts';
import { type Finding, fine, warning } from './diagnose-finding.ts';

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
  const [program] = findPrograms(command, workspace.root, environment);
  // A host that a desktop or an editor bundles is on no PATH.
  if (program === undefined) return [];
  const start = { cwd: workspace.root, environment, timeout_ms: tell_ms, signal };
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
