import { existsSync } from 'node:fs';
import { homedir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { type HostName, hostNames, hosts } from '../../core/hosts.ts';
import type { Workspace } from '../project-identity.ts';
import {
  expand,
  type HookRegistration,
  type HookSettings,
  isWrapper,
  plugin,
  readHookSettings,
  readPart,
  realName,
  type Unreadable,
} from './hook-registrations.ts';
import { createServerSettings, type FoundServer } from './host-servers.ts';
import { documentsOf, planDocuments } from './init-documents.ts';
import { hostPath } from './init-targets.ts';
import { commandLauncher } from './launcher.ts';
import { removeBlock } from './marked-block.ts';
import { serverForms } from './server-forms.ts';

/** A server of Baton's with the place of its registration. */
export interface ServerRegistration extends FoundServer {
  host: HostName;
  place: string;
  /** The file; absent for the plugin's. */
  path?: string;
  /** Whether the project's own file registers it, which every user of it has to approve. */
  isShared: boolean;
}

/** A document that names Baton to agents, or should. */
export interface DocumentRegistration {
  name: string;
  /** `outdated`: other words than `init` would write, or in a document that includes the other one. */
  state: 'current' | 'outdated' | 'missing';
}

/** All that the host's files have of Baton in a project, by part. */
export interface Registrations extends Pick<HookSettings, 'hooks' | 'disabled_by' | 'server_refused_by'> {
  /** The server of each host that has one. */
  servers: ServerRegistration[];
  documents: DocumentRegistration[];
  unreadable: Unreadable[];
}

/** Reads what is registered, and never fails: a file that cannot be read is part of the answer. */
export function readRegistrations(workspace: Workspace, environment: NodeJS.ProcessEnv): Registrations {
  const { hooks, plugins, disabled_by, server_refused_by, unreadable } = readHookSettings(workspace, environment);
  const servers = hostNames.flatMap(
    (host) =>
      readServer(host, workspace, { environment, unreadable }) ?? (plugins.includes(host) ? pluginServer(host) : []),
  );
  // Hosts that read one file share its server.
  const places = new Set<string>();
  const distinct = servers.filter(({ place, name }) => {
    const isNew = !places.has(`${place} ${name}`);
    places.add(`${place} ${name}`);
    return isNew || place === plugin;
  });
  const known = [...hooks, ...servers].map(({ host }) => host);
  return {
    hooks: withoutStrangers(hooks),
    servers: distinct,
    documents: readDocuments(workspace, documentsOf(known), unreadable),
    disabled_by,
    server_refused_by,
    unreadable,
  };
}

/** Whether a program is a wrapper may be unclear, and does not matter while a hook of Baton does the work. */
function withoutStrangers(hooks: readonly HookRegistration[]): HookRegistration[] {
  const certain = hooks.filter((hook) => hook.form !== 'script' || isWrapper(hook));
  const events = new Set(certain.map(({ event }) => event));
  return hooks.filter((hook) => certain.includes(hook) || !events.has(hook.event));
}

/** The server that the host uses, or the one of its plugin. */
function readServer(
  host: HostName,
  workspace: Workspace,
  { environment, unreadable }: { environment: NodeJS.ProcessEnv; unreadable: Unreadable[] },
): ServerRegistration | undefined {
  const { form } = hosts[host].server_files;
  const shared = hostPath({ host, part: 'server_files', scope: 'project' }, workspace.root, environment);
  for (const { path, within = [], place = path } of serverPlaces(host, workspace, environment)) {
    const found = readPart({ path, part: 'mcp', unreadable }, (text) =>
      serverForms[form].find(text, { path, host }, within),
    );
    if (found === undefined) continue;
    const words = found.words.map((word) => expand(word, host, workspace.root));
    // The host asks before it starts what the project's own file registers.
    const isShared = hosts[host].after_init.server !== undefined && path === shared;
    return { ...found, host, words, place, path, isShared };
  }
  return undefined;
}

/** A file that may register a server, the members that the list is under, and the place's name for people. */
interface ServerPlace {
  path: string;
  within?: readonly string[];
  place?: string;
}

/** Where a host looks for its servers: the project's file before the user's. */
function serverPlaces(host: HostName, workspace: Workspace, environment: NodeJS.ProcessEnv): ServerPlace[] {
  if (host === 'claude-code') return placesOfClaudeCode(workspace, environment);
  return (['project', 'user'] as const).flatMap((scope) => {
    const path = hostPath({ host, part: 'server_files', scope }, workspace.root, environment);
    return path === undefined ? [] : [{ path }];
  });
}

/** A user's settings in this project come before the project's own, and those before a user's. */
function placesOfClaudeCode(workspace: Workspace, environment: NodeJS.ProcessEnv): ServerPlace[] {
  const path = join(environment.CLAUDE_CONFIG_DIR || environment.HOME || homedir(), '.claude.json');
  const names = projectNames(workspace);
  return [
    ...names.map((name) => ({ path, within: ['projects', name], place: `${path}, for you in this project` })),
    { path: join(workspace.root, '.mcp.json') },
    { path },
  ];
}

/** The names that the host may know a project by: its folder, and for one of several work trees, the first of them. */
function projectNames({ root, git_common_dir }: Workspace): string[] {
  const first = git_common_dir !== undefined && basename(git_common_dir) === '.git' ? [dirname(git_common_dir)] : [];
  return [...new Set([root, realName(root), ...first])];
}

function readDocuments(
  { root }: Workspace,
  names: readonly string[],
  unreadable: Unreadable[],
): DocumentRegistration[] {
  const read = (name: string) => {
    const path = join(root, name);
    // A document that does not exist yet counts as empty.
    const text = existsSync(path) ? readPart({ path, part: 'docs', unreadable }, (found) => found) : '';
    return { name, path, target: realName(path), text: text ?? '' };
  };
  return planDocuments(names.map(read)).flatMap(({ document, holdsBlock, register }) => {
    const { name, path, text } = document;
    const state = (): DocumentRegistration['state'] => {
      if (register(text) === text) return 'current';
      return removeBlock(text, path) === text ? 'missing' : 'outdated';
    };
    const found = existsSync(path) ? readPart({ path, part: 'docs', unreadable }, state) : 'missing';
    // A document that includes the other needs no block, and torn markers have been recorded.
    return found === undefined || (!holdsBlock && found === 'current') ? [] : [{ name, state: found }];
  });
}

function pluginServer(host: HostName): ServerRegistration {
  const [[name, entry] = ['', undefined]] = Object.entries(createServerSettings(commandLauncher));
  const words = [entry?.command ?? '', ...(entry?.args ?? [])];
  return { host, name, words, variables: {}, place: plugin, isShared: false };
}
