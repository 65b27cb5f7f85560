import { existsSync } from 'node:fs';
import { homedir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import type { HostName } from '../../core/hosts.ts';
import type { Workspace } from '../project-identity.ts';
import { findCodexServer } from './codex-servers.ts';
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
import { createServerSettings, type FoundServer, findServer } from './host-servers.ts';
import { planDocuments } from './init-documents.ts';
import { codexConfiguration } from './init-targets.ts';
import { commandLauncher } from './launcher.ts';
import { removeBlock } from './marked-block.ts';

/** A server of Baton's with where it is registered. */
export interface ServerRegistration extends FoundServer {
  host: HostName;
  place: string;
  /** Whether the project's own file registers it, which every user of it has to approve. */
  isShared: boolean;
}

/** A document that should tell agents of Baton, or does. */
export interface DocumentRegistration {
  name: string;
  /** `outdated`: other words than `init` would write, or in a document that takes in the other one. */
  state: 'current' | 'outdated' | 'missing';
}

/** All that the host knows of Baton in a project, each part as its files say. */
export interface Registrations extends Pick<HookSettings, 'hooks' | 'disabled_by' | 'server_refused_by'> {
  /** The server of each host that has one. */
  servers: ServerRegistration[];
  documents: DocumentRegistration[];
  unreadable: Unreadable[];
}

/** Reads what is registered, and never fails: a file that cannot be read is part of the answer. */
export function readRegistrations(workspace: Workspace, environment: NodeJS.ProcessEnv): Registrations {
  const { hooks, hasPlugin, disabled_by, server_refused_by, unreadable } = readHookSettings(workspace, environment);
  return {
    hooks: withoutStrangers(hooks),
    servers: [
      readServer(workspace, environment, unreadable) ?? (hasPlugin ? pluginServer() : undefined),
      readCodexServer(workspace, environment, unreadable),
    ].filter((server) => server !== undefined),
    documents: readDocuments(workspace, unreadable),
    disabled_by,
    server_refused_by,
    unreadable,
  };
}

/** Of a program that may be a wrapper nobody can tell, and nobody needs to while a hook of ours does the work. */
function withoutStrangers(hooks: readonly HookRegistration[]): HookRegistration[] {
  const certain = hooks.filter((hook) => hook.form !== 'script' || isWrapper(hook));
  const events = new Set(certain.map(({ event }) => event));
  return hooks.filter((hook) => certain.includes(hook) || !events.has(hook.event));
}

/** The one that the host takes: what a user has in this project goes before the project's own, and that before a user's. */
function readServer(
  workspace: Workspace,
  environment: NodeJS.ProcessEnv,
  unreadable: Unreadable[],
): ServerRegistration | undefined {
  const { root } = workspace;
  const own = join(environment.CLAUDE_CONFIG_DIR || environment.HOME || homedir(), '.claude.json');
  const shared = join(root, '.mcp.json');
  const sources = [
    ...projectNames(workspace).map((name) => ({
      path: own,
      within: ['projects', name],
      place: `${own}, for you in this project`,
    })),
    { path: shared, within: [], place: shared },
    { path: own, within: [], place: own },
  ];
  for (const { path, within, place } of sources) {
    const found = readPart({ path, part: 'mcp', unreadable }, (text) => findServer(text, path, within));
    if (found === undefined) continue;
    const words = found.words.map((word) => expand(word, root));
    return { ...found, host: 'claude-code', words, place, isShared: path === shared };
  }
  return undefined;
}

/** The project's own goes before the user's. */
function readCodexServer(
  { root }: Workspace,
  environment: NodeJS.ProcessEnv,
  unreadable: Unreadable[],
): ServerRegistration | undefined {
  for (const scope of ['project', 'user'] as const) {
    const place = codexConfiguration(scope, root, environment);
    const found = readPart({ path: place, part: 'mcp', unreadable }, (text) => findCodexServer(text, place));
    if (found !== undefined) return { ...found, host: 'codex', place, isShared: false };
  }
  return undefined;
}

/** The names that the host may know a project by: its folder, and where a work tree is one of several, the first of them. */
function projectNames({ root, git_common_dir }: Workspace): string[] {
  const first = git_common_dir !== undefined && basename(git_common_dir) === '.git' ? [dirname(git_common_dir)] : [];
  return [...new Set([root, realName(root), ...first])];
}

function readDocuments({ root }: Workspace, unreadable: Unreadable[]): DocumentRegistration[] {
  const read = (name: string) => {
    const path = join(root, name);
    // A document that is not there yet is an empty one.
    const text = existsSync(path) ? readPart({ path, part: 'docs', unreadable }, (found) => found) : '';
    return { name, path, target: realName(path), text: text ?? '' };
  };
  return planDocuments(read('CLAUDE.md'), read('AGENTS.md')).flatMap(({ document, holdsBlock, register }) => {
    const { name, path, text } = document;
    const state = (): DocumentRegistration['state'] => {
      if (register(text) === text) return 'current';
      return removeBlock(text, path) === text ? 'missing' : 'outdated';
    };
    const found = existsSync(path) ? readPart({ path, part: 'docs', unreadable }, state) : 'missing';
    // One that takes in the other needs no block, and one whose markers are torn has been noted.
    return found === undefined || (!holdsBlock && found === 'current') ? [] : [{ name, state: found }];
  });
}

function pluginServer(): ServerRegistration {
  const [[name, entry] = ['', undefined]] = Object.entries(createServerSettings(commandLauncher));
  const words = [entry?.command ?? '', ...(entry?.args ?? [])];
  return { host: 'claude-code', name, words, variables: {}, place: plugin, isShared: false };
}
