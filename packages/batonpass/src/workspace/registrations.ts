import { readFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { getNodeValue } from 'jsonc-parser';
import type { HostCommand } from './host-command.ts';
import { createHookSettings, listHooks } from './host-hooks.ts';
import { rulesOf } from './host-rules.ts';
import { createServerSettings, type FoundServer, findServer } from './host-servers.ts';
import { initScopes, settingsPath } from './init-targets.ts';
import { parseJsonObject } from './json-text.ts';
import { npxLauncher } from './launcher.ts';
import { removeBlock } from './marked-block.ts';
import type { Workspace } from './project-identity.ts';

/** A hook of Baton's with where it is registered. */
export interface HookRegistration {
  event: string;
  /** The settings file, or the plugin. */
  place: string;
  command: HostCommand;
  timeout_ms: number;
}

/** A server of Baton's with where it is registered. */
export interface ServerRegistration extends FoundServer {
  place: string;
}

/** All that the host knows of Baton in a project, each part as its files say. */
export interface Registrations {
  hooks: HookRegistration[];
  server?: ServerRegistration;
  /** The documents that tell agents of Baton. */
  documents: string[];
  /** Settings files in which a user switches all hooks off. */
  disabled_by: string[];
  /** Settings files that refuse the server. */
  server_refused_by: string[];
  /** Files that the host cannot read either, with the reason. */
  unreadable: { path: string; reason: string }[];
}

/** What a settings file says of Baton. */
interface Settings {
  hooks: HookRegistration[];
  isDisabled: boolean;
  isServerRefused: boolean;
  hasPlugin: boolean;
}

/** Reads what is registered, and never fails: a file that cannot be read is part of the answer. */
export function readRegistrations(workspace: Workspace, environment: NodeJS.ProcessEnv): Registrations {
  const { root } = workspace;
  const unreadable: Registrations['unreadable'] = [];
  const read = <T>(path: string, take: (text: string, path: string) => T): T | undefined => {
    const answer = readPart(path, (text) => take(text, path));
    if (answer !== undefined && 'reason' in answer) unreadable.push({ path, reason: answer.reason });
    return answer !== undefined && 'value' in answer ? answer.value : undefined;
  };
  const files = initScopes.flatMap((scope) => {
    const path = settingsPath(scope, root, environment);
    const settings = read(path, (text) => readSettings(text, path, root));
    return settings === undefined ? [] : [{ path, ...settings }];
  });
  const hasPlugin = files.some((file) => file.hasPlugin);
  const servers = [join(root, '.mcp.json'), userServersPath(environment)].flatMap((path) => {
    const found = read(path, findServer);
    return found === undefined ? [] : [{ ...found, words: found.words.map((word) => expand(word, root)), place: path }];
  });
  return {
    hooks: [...files.flatMap(({ hooks }) => hooks), ...(hasPlugin ? pluginHooks() : [])],
    server: servers[0] ?? (hasPlugin ? pluginServer() : undefined),
    documents: ['CLAUDE.md', 'AGENTS.md'].filter((name) => read(join(root, name), hasBlock) === true),
    disabled_by: files.filter(({ isDisabled }) => isDisabled).map(({ path }) => path),
    server_refused_by: files.filter(({ isServerRefused }) => isServerRefused).map(({ path }) => path),
    unreadable,
  };
}

function readPart<T>(path: string, take: (text: string) => T): { value: T } | { reason: string } | undefined {
  try {
    return { value: take(readFileSync(path, 'utf8').replace(/^\ufeff/, '')) };
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    if (code === 'ENOENT' || code === 'ENOTDIR') return undefined;
    return { reason: message.replace(' Nothing was written.', '') };
  }
}

function readSettings(text: string, path: string, root: string): Settings {
  // The structure was checked by the reader of the hooks; of these members only exact values count.
  const hooks = listHooks(text, path).map(({ event, command, args, timeout }) => ({
    event,
    place: path,
    command: args === undefined ? { line: command } : { words: [command, ...args].map((word) => expand(word, root)) },
    timeout_ms: timeout === undefined ? rulesOf(event).timeout_ms : timeout * 1_000,
  }));
  const members = membersOf(text, path);
  const plugins = (members.enabledPlugins ?? {}) as Record<string, unknown>;
  const refused: unknown = members.disabledMcpjsonServers;
  return {
    hooks,
    isDisabled: members.disableAllHooks === true,
    isServerRefused: Array.isArray(refused) && refused.includes('baton'),
    hasPlugin: Object.entries(plugins).some(([name, value]) => name.startsWith('baton@') && value === true),
  };
}

function membersOf(text: string, path: string): Record<string, unknown> {
  const root = parseJsonObject(text, path);
  return root === null ? {} : (getNodeValue(root) as Record<string, unknown>);
}

/** What the host replaces in words that it starts without a shell; a shell finds it in its environment. */
function expand(word: string, root: string): string {
  return word.replace(/\$\{CLAUDE_PROJECT_DIR\}/g, () => root);
}

function hasBlock(text: string, path: string): boolean {
  return removeBlock(text, path) !== text;
}

const plugin = 'the plugin';

/** The plugin's own files lie where the host keeps them; what stands in them is known here. */
function pluginHooks(): HookRegistration[] {
  return Object.entries(createHookSettings(npxLauncher)).flatMap(([event, groups]) =>
    groups.flatMap(({ hooks }) =>
      hooks.map(({ command, args, timeout }) => ({
        event,
        place: plugin,
        command: { words: [command, ...args] },
        timeout_ms: timeout * 1_000,
      })),
    ),
  );
}

function pluginServer(): ServerRegistration {
  const [[name, entry] = ['', undefined]] = Object.entries(createServerSettings(npxLauncher));
  return { name, words: [entry?.command ?? '', ...(entry?.args ?? [])], variables: {}, place: plugin };
}

/** Where the host keeps the servers that a user has in every project. */
function userServersPath(environment: NodeJS.ProcessEnv): string {
  return join(environment.CLAUDE_CONFIG_DIR || environment.HOME || homedir(), '.claude.json');
}
