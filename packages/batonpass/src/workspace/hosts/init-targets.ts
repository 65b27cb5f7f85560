import { existsSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { defaultHost, type HostName, hostNames, hosts } from '../../core/hosts.ts';
import type { Workspace } from '../project-identity.ts';
import { findPrograms } from './find-program.ts';
import { hookFileForms } from './hook-file-forms.ts';
import { type HostFile, readHostFile } from './host-file.ts';
import { documentsOf, planDocuments } from './init-documents.ts';
import { placeOfRecord } from './init-record.ts';
import type { Launcher } from './launcher.ts';
import { removeBlock } from './marked-block.ts';
import { serverForms } from './server-forms.ts';
import { sessionsFolder } from './session-file.ts';

/** What `init` registers: the MCP server, the hooks, the facts for agents. */
export const initParts = ['mcp', 'hooks', 'docs'] as const;

export type InitPart = (typeof initParts)[number];

/** Whose settings get the hooks: the project's, one user's in this project, one user's everywhere. */
export const initScopes = ['project', 'local', 'user'] as const;

export type InitScope = (typeof initScopes)[number];

/** One file that `init` writes into, as it is now, and how. */
export interface InitTarget {
  part: InitPart;
  /** Whether Baton has nothing in the file but what this target writes. */
  is_whole: boolean;
  file: HostFile;
  /** The path of the record of what was written. */
  record: string;
  /** The permissions of a file that is made. */
  mode: number;
  /** The text with Baton's entries. */
  register: (text: string) => string;
  /** The text without them; lists that `former` had stay. */
  remove: (text: string, former: string) => string;
}

/** What targets are chosen by. */
export interface TargetSurroundings {
  workspace: Workspace;
  environment: NodeJS.ProcessEnv;
  launcher: Launcher;
  /** The hosts in which Baton is to be registered. */
  hosts: readonly HostName[];
  parts: readonly InitPart[];
  /** Several on undo: wherever it may have been written. */
  scopes: readonly InitScope[];
}

/**
 * The files that `init` works on, in the order of writing. All are read, and checked to be writable, before the first write.
 *
 * @throws HandoffError as `readHostFile`, and for a document whose markers are torn.
 */
export function readTargets(surroundings: TargetSurroundings): InitTarget[] {
  const { parts } = surroundings;
  const ofHosts = surroundings.hosts.flatMap((host) => [
    ...serverTargets(surroundings, host),
    ...hooksTargets(surroundings, host),
  ]);
  return [...mergeShared(ofHosts, parts), ...(parts.includes('docs') ? documentTargets(surroundings) : [])];
}

/** Several targets in one file are written as one, as far as they are among the parts that are asked for. */
function mergeShared(targets: readonly InitTarget[], parts: readonly InitPart[]): InitTarget[] {
  const byFile = Map.groupBy(targets, ({ file }) => file.target);
  return [...byFile.values()].flatMap((sharing) => {
    const wanted = sharing.filter(({ part }) => parts.includes(part));
    const last = wanted.at(-1);
    if (last === undefined) return [];
    return {
      ...last,
      is_whole: wanted.length === sharing.length,
      register: (text: string) => wanted.reduce((before, { register }) => register(before), text),
      remove: (text: string, former: string) => wanted.reduce((before, { remove }) => remove(before, former), text),
    };
  });
}

/** The hosts of `init` where none is named: the usual one, and others that this machine or project has. */
export function findHosts({ root }: Workspace, environment: NodeJS.ProcessEnv): HostName[] {
  const isHere = (host: HostName) => {
    const { folder, command } = hosts[host];
    const places = [userFolder(host, environment), join(root, folder.name)];
    return places.some(existsSync) || findPrograms(command, root, environment).length > 0;
  };
  return hostNames.filter((host) => host === defaultHost || isHere(host));
}

/** The file of a host's hooks or servers in a scope; nothing where the host has none for it. */
export function hostPath(
  { host, part, scope }: { host: HostName; part: 'hook_files' | 'server_files'; scope: InitScope },
  root: string,
  environment: NodeJS.ProcessEnv,
): string | undefined {
  const name = hosts[host][part][scope];
  if (name === undefined) return undefined;
  return scope === 'user' ? join(userFolder(host, environment), name) : join(root, name);
}

/** A user's folder of a host. The host's own variable moves it, as it does for the host. */
function userFolder(host: HostName, environment: NodeJS.ProcessEnv): string {
  const { variable, name, is_home = false } = hosts[host].folder;
  const moved = environment[variable];
  if (moved !== undefined && moved !== '' && !is_home) return moved;
  return join((is_home && moved) || homeFolder(environment), name);
}

function serverTargets(surroundings: TargetSurroundings, host: HostName): InitTarget[] {
  const { workspace, environment, launcher, scopes } = surroundings;
  const { form, project, local } = hosts[host].server_files;
  const { register, remove } = serverForms[form];
  // What a user registers in the project alone may be in the project's own file.
  const wanted = new Set(scopes.map((scope) => (scope === 'local' && local === project ? 'project' : scope)));
  return [...wanted].flatMap((scope) => {
    const path = hostPath({ host, part: 'server_files', scope }, workspace.root, environment);
    if (path === undefined) return [];
    const file = { path, host };
    return [
      {
        ...readTarget({ part: 'mcp', path, scope, host }, surroundings),
        register: (text: string) => register(text, file, launcher),
        remove: (text: string, former: string) => remove(text, file, former),
      },
    ];
  });
}

function hooksTargets(surroundings: TargetSurroundings, host: HostName): InitTarget[] {
  const { workspace, environment, launcher, scopes } = surroundings;
  const { register, remove } = hookFileForms[hosts[host].hook_files.form];
  return scopes.flatMap((scope) => {
    const path = hostPath({ host, part: 'hook_files', scope }, workspace.root, environment);
    if (path === undefined) return [];
    const file = { path, host };
    return [
      {
        ...readTarget({ part: 'hooks', path, scope, host }, surroundings),
        register: (text: string) => register(text, file, launcher),
        remove: (text: string, former: string) => remove(text, file, former),
      },
    ];
  });
}

function readTarget(
  { part, path, scope, host }: { part: InitPart; path: string; scope: InitScope; host: HostName },
  { workspace, environment }: TargetSurroundings,
): Pick<InitTarget, 'part' | 'is_whole' | 'file' | 'record' | 'mode'> {
  const isUsers = scope === 'user';
  // A user's settings may be links into another folder of theirs.
  const bounds = isUsers ? [homeFolder(environment), userFolder(host, environment)] : [workspace.root];
  const file = readHostFile(path, bounds);
  return {
    part,
    is_whole: true,
    file,
    record: placeOfRecord(file.target, isUsers ? null : workspace, environment),
    // Settings of one user may later contain a secret; those of a project are for everybody.
    mode: scope === 'project' ? 0o666 : 0o600,
  };
}

function documentTargets({ workspace, environment, ...surroundings }: TargetSurroundings): InitTarget[] {
  const documents = documentsOf(surroundings.hosts).map((name) =>
    readHostFile(join(workspace.root, name), [workspace.root]),
  );
  return planDocuments(documents).map(({ document: file, register }) => ({
    part: 'docs',
    is_whole: true,
    file,
    record: placeOfRecord(file.target, workspace, environment),
    mode: 0o666,
    register,
    remove: (text) => removeBlock(text, file.path),
  }));
}

/** The folders in which hosts store a user's sessions. */
export function sessionFolders(environment: NodeJS.ProcessEnv): Record<HostName, string> {
  const all = hostNames.map((host) => [host, sessionsFolder(host, environment) ?? userFolder(host, environment)]);
  return Object.fromEntries(all) as Record<HostName, string>;
}

function homeFolder(environment: NodeJS.ProcessEnv): string {
  return environment.HOME || homedir();
}
