import { existsSync, readFileSync, realpathSync, statSync } from 'node:fs';
import { isAbsolute } from 'node:path';
import { getNodeValue } from 'jsonc-parser';
import { isHandoffError } from '../../core/errors.ts';
import { eventOf, type HostName, hostNames, hosts } from '../../core/hosts.ts';
import { limits } from '../../core/limits.ts';
import { readRegularFile } from '../../disk/safe-path.ts';
import type { Workspace } from '../project-identity.ts';
import { hookFileForms } from './hook-file-forms.ts';
import type { HookForm } from './hook-form.ts';
import type { HostCommand } from './host-command.ts';
import { createOwnHook } from './host-hooks.ts';
import { hostPath, type InitPart, type InitScope, initScopes } from './init-targets.ts';
import { parseJsonObject } from './json-text.ts';
import { commandLauncher } from './launcher.ts';
import { listTomlTables, type TomlTable } from './toml-tables.ts';

/** A hook of Baton's, or what may be one, with the place of its registration. */
export interface HookRegistration {
  host: HostName;
  event: string;
  form: HookForm;
  matcher?: string;
  /** Whether the host continues without waiting for it, and reads nothing of its output. */
  isAsync: boolean;
  /** The settings file, or the plugin. */
  place: string;
  /** Whose settings; absent for the plugin. */
  scope?: InitScope;
  command: HostCommand;
  timeout_ms: number;
}

/** What the host's settings files have of Baton. */
export interface HookSettings {
  hooks: HookRegistration[];
  /** The hosts that have the plugin. */
  plugins: HostName[];
  /** Files in which a user switches all hooks off. */
  disabled_by: string[];
  /** Files that refuse the project's server. */
  server_refused_by: string[];
  unreadable: Unreadable[];
}

/** A file that cannot be used. */
export interface Unreadable {
  path: string;
  /** What `init` registers in it. */
  part: InitPart;
  reason: string;
  /** What to do, where it is known. */
  next?: string;
}

/** The place of the plugin's hooks and server: its files are where the host stores them. */
export const plugin = 'the plugin';

/** Reads the settings of all hosts and scopes, each file once, and never fails: what cannot be read is part of the answer. */
export function readHookSettings({ root }: Workspace, environment: NodeJS.ProcessEnv): HookSettings {
  const unreadable: Unreadable[] = [];
  const places = hostNames.flatMap((host) =>
    initScopes.flatMap((scope) => {
      const path = hostPath({ host, part: 'hook_files', scope }, root, environment);
      return path === undefined ? [] : [{ host, scope, path, real: realName(path) }];
    }),
  );
  // In a user's home the settings of the project are those of the user.
  const files = places
    .filter(({ real }, index) => places.findIndex((other) => other.real === real) === index)
    .flatMap(({ host, scope, path }) => {
      const settings = readPart({ path, part: 'hooks', unreadable }, (text) =>
        readSettings(text, { host, path, scope, root }),
      );
      return settings === undefined ? [] : [{ host, path, ...settings }];
    });
  const plugins = hostNames.filter(
    (host) => files.some((file) => file.host === host && file.hasPlugin) || hasPluginTable(host, root, environment),
  );
  return {
    hooks: [...files.flatMap(({ hooks }) => hooks), ...plugins.flatMap(pluginHooks)],
    plugins,
    disabled_by: files.filter(({ isDisabled }) => isDisabled).map(({ path }) => path),
    server_refused_by: files.filter(({ isServerRefused }) => isServerRefused).map(({ path }) => path),
    unreadable,
  };
}

/** Whether a user has the plugin of a host whose settings are TOML, as `codex plugin add` writes them. */
function hasPluginTable(host: HostName, root: string, environment: NodeJS.ProcessEnv): boolean {
  return readUserTables(host, root, environment).some(
    ({ name, members }) =>
      name[0] === 'plugins' && name[1]?.startsWith('baton@') === true && members.get('enabled') === 'true',
  );
}

/** The tables of a user's settings; none where the host stores them in another form, or they cannot be read. */
export function readUserTables(host: HostName, root: string, environment: NodeJS.ProcessEnv): TomlTable[] {
  const path = hostPath({ host, part: 'server_files', scope: 'user' }, root, environment);
  if (hosts[host].server_files.form !== 'toml' || path === undefined || !existsSync(path)) return [];
  try {
    return listTomlTables(readHostFile(path)) ?? [];
  } catch {
    // The host cannot read it either.
    return [];
  }
}

/** A host's file, which a repository may have made a link to a device or a pipe: only a regular file is read. */
function readHostFile(path: string): string {
  return readRegularFile(path, { bytes_max: limits.host_file_bytes_max }).toString();
}

/** The time-out of a hook that registers none. */
function usualTimeout(host: HostName, event: string): number {
  return eventOf(host, event)?.timeout_ms ?? hosts[host].events[0]?.timeout_ms ?? 0;
}

/** A path with links followed, where it exists: two names of one file are one. */
export function realName(path: string): string {
  return existsSync(path) ? realpathSync(path) : path;
}

/** Reads something from a file's text; undefined where there is no file, or none that can be used, which is recorded. */
export function readPart<T>(
  { path, part, unreadable }: { path: string; part: InitPart; unreadable: Unreadable[] },
  take: (text: string) => T,
): T | undefined {
  const refuse = (error: Error, next?: string): undefined => {
    if (unreadable.some((known) => known.path === path)) return;
    unreadable.push({ path, part, reason: error.message.replace(' Nothing was written.', ''), ...(next && { next }) });
  };
  let text: string;
  try {
    text = readHostFile(path);
  } catch (error) {
    return isHandoffError(error) && error.code === 'file_not_found' ? undefined : refuse(error as Error);
  }
  try {
    return take(text.replace(/^\ufeff/, ''));
  } catch (error) {
    return refuse(error as Error, isHandoffError(error) ? error.alternatives[0] : undefined);
  }
}

/** What the host replaces in words that it starts without a shell; a shell finds it in its environment. */
export function expand(word: string, host: HostName, root: string): string {
  return word.replaceAll(`\${${hosts[host].variables.project}}`, () => root);
}

/** A longer file is no script that wraps a command. */
const script_bytes_max = 64 * 1024;

/**
 * Whether a program of another name that is given `hook EVENT` is surely a wrapper of Baton's: its script names it. Other
 * tools have hooks too.
 */
export function isWrapper({ form, command }: HookRegistration): boolean {
  const words = 'words' in command ? command.words : command.line.split(/[\s"']+/);
  return form === 'script' && words.filter(isAbsolute).some(namesBaton);
}

function namesBaton(path: string): boolean {
  const status = statSync(path, { throwIfNoEntry: false });
  if (status?.isFile() !== true || status.size > script_bytes_max) return false;
  try {
    return /\bbaton(?:pass)?\b/.test(readFileSync(path, 'utf8'));
  } catch {
    // A file that cannot be read shows nothing.
    return false;
  }
}

function readSettings(
  text: string,
  { host, path, scope, root }: { host: HostName; path: string; scope: InitScope; root: string },
) {
  // The reader of the hooks has checked the structure; of these members only exact values count.
  const { list } = hookFileForms[hosts[host].hook_files.form];
  const hooks = list(text, { path, host }).map(({ command, args, timeout_ms, ...hook }) => ({
    ...hook,
    host,
    place: path,
    scope,
    command:
      args === undefined ? { line: command } : { words: [command, ...args].map((word) => expand(word, host, root)) },
    timeout_ms: timeout_ms ?? usualTimeout(host, hook.event),
  }));
  // A plugin's file is code: it contains no settings.
  const members = hosts[host].hook_files.form === 'json' ? membersOf(text, path) : {};
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

/** The plugin's own files are where the host stores them; their contents are known here. */
function pluginHooks(host: HostName): HookRegistration[] {
  return hosts[host].events.map(({ event }) => {
    const { command, args, ...hook } = createOwnHook(commandLauncher, host, event);
    return {
      ...hook,
      host,
      event,
      form: 'own' as const,
      isAsync: false,
      place: plugin,
      command: args === undefined ? { line: command } : { words: [command, ...args] },
    };
  });
}
