import { existsSync } from 'node:fs';
import { isAbsolute } from 'node:path';
import { version } from '../../version.ts';
import { findPrograms, readPackageVersion } from '../../workspace/hosts/find-program.ts';
import { type HostCommandEnd, runAsHost } from '../../workspace/hosts/host-command.ts';
import { isSupportedNode, neededNode } from '../../workspace/hosts/node-version.ts';
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

function notFound(name: string, shown: string): Finding {
  const isOurs = name === 'baton';
  return problem('command-not-found', {
    about: name,
    what: `The command ${name}, which is registered, is not on the PATH.`,
    why: `The host cannot start "${shown}", so that nothing of Baton runs.`,
    next: isOurs
      ? 'Install it: npm install --global batonpass. Or register another way to start it: npx batonpass init'
      : `Install ${name}, or start the host where it is on the PATH.`,
  });
}

function scriptNotFound(script: string): Finding {
  return problem('command-not-found', {
    about: script,
    what: `${script}, which is registered, does not exist.`,
    why: 'The host cannot start it, so that nothing of Baton runs.',
    next: 'Install what the project needs: npm install. Or register another way to start it: npx batonpass init',
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
      ? 'Install it where npx finds it: npm install --save-dev batonpass. Then register it: npx batonpass init'
      : 'Install it again: npm install --global batonpass. Then register it: baton init',
  });
}

function differs(shown: string, told: string): Finding {
  return warning('version-differs', {
    about: shown,
    what: `Hosts start Baton ${told}; the one that runs now is ${version}.`,
    why: 'The newer one may bring the store to a form that the older one refuses.',
    next: 'Bring both to one version: npm install --global batonpass@latest, and npm update batonpass in the project.',
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
