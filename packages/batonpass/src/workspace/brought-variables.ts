import { existsSync, realpathSync } from 'node:fs';
import { userInfo } from 'node:os';
import { dirname, join, relative, resolve } from 'node:path';
import { isHandoffError } from '../core/errors.ts';
import { hosts } from '../core/hosts.ts';
import { limits } from '../core/limits.ts';
import { readRegularFile } from '../disk/safe-path.ts';
import { isBrought } from './brought.ts';
import { openWorkspace } from './project.ts';
import type { Workspace } from './project-identity.ts';

/** The folders that variables name, and where Anthropic's library sends what it is given. */
const places = [
  ...['HOME', 'USERPROFILE', 'APPDATA', 'LOCALAPPDATA', 'ANTHROPIC_BASE_URL'],
  ...['XDG_CONFIG_HOME', 'XDG_STATE_HOME', 'XDG_DATA_HOME', 'XDG_CACHE_HOME'],
  ...Object.values(hosts).map(({ folder }) => folder.variable),
];

/** What lets somebody else answer for a server. Node itself has read it already. */
const diverting = 'NODE_EXTRA_CA_CERTS|NODE_TLS_REJECT_UNAUTHORIZED|NODE_USE_ENV_PROXY|SSL_CERT_FILE|SSL_CERT_DIR';

/** A variable that is given a value: in JSON, in TOML, in a file of variables, before a command. */
const assignment = new RegExp(String.raw`(?<![\w-])(BATON_[A-Z_]+|${places.join('|')}|${diverting})["']?\s*[=:]`, 'g');

/** Files for the hosts of a project in which variables are set, for hooks, servers and the commands of agents. */
const files = [
  ...new Set([
    ...Object.values(hosts).flatMap(({ hook_files, server_files }) =>
      [hook_files, server_files].flatMap(({ project, local }) => [project ?? [], local ?? []].flat()),
    ),
    ...['.env', '.gemini/.env', '.vscode/settings.json'],
  ]),
];

/** An environment, and the variables that were left out of it. */
interface OwnEnvironment {
  environment: NodeJS.ProcessEnv;
  /** The names that a project's files set, whatever their values; sorted. */
  brought: readonly string[];
}

/**
 * The environment without the variables that Baton follows and that a file for hosts in the project sets: hosts give them
 * to hooks, servers and commands, so that they come from the project's authors. A file counts that may have come with the
 * project; one that git does not track is the person's own. `BATON_REVIEW=always` stays: it only restricts.
 *
 * @param cwd - the folder worked in: the files of those between it and the top folder count, and those of a project that
 * the host names.
 */
export function withoutBrought(given: NodeJS.ProcessEnv, workspace: Workspace, cwd: string): OwnEnvironment {
  const named = Object.values(hosts).flatMap(({ variables }) => openNamed(given[variables.project ?? '']));
  const set = new Set([{ workspace, cwd }, ...named].flatMap((place) => readVariables(place, given)));
  if (set.size === 0) return { environment: given, brought: [] };
  // Where a connection may be diverted, no hook asks a model.
  if ([...set].some((name) => new RegExp(`^(?:${diverting})$`).test(name))) set.add('BATON_EXTRACTOR');
  const brought = [...set].filter(
    (name) => given[name] !== undefined && !(name === 'BATON_REVIEW' && given[name] === 'always'),
  );
  const kept = Object.entries(given).filter(([name]) => !brought.includes(name));
  // The system knows the person's home by itself.
  const home = brought.includes('HOME') ? { HOME: userInfo().homedir } : {};
  return { environment: { ...Object.fromEntries(kept), ...home }, brought: brought.sort() };
}

interface Place {
  workspace: Workspace;
  cwd: string;
}

/** The project that a host names to what it starts; none where that is no folder, or a broken repository. */
function openNamed(folder: string | undefined): Place[] {
  if (folder === undefined || folder === '') return [];
  try {
    return [{ workspace: openWorkspace(folder), cwd: folder }];
  } catch (error) {
    if (!isHandoffError(error)) throw error;
    return [];
  }
}

/** The folder worked in and those above it, up to the top; not a home, whose files are the person's own. */
function foldersOf({ workspace, cwd }: Place): string[] {
  const top = realpathSync(workspace.root);
  const folders = [top];
  for (let folder = realpathSync(cwd); isBelow(folder, top); folder = dirname(folder)) folders.push(folder);
  const home = userInfo().homedir;
  return folders.filter((folder) => folder !== home);
}

function isBelow(folder: string, top: string): boolean {
  const way = relative(top, folder);
  return way !== '' && !way.startsWith('..') && resolve(top, way) === folder;
}

function readVariables(place: Place, given: NodeJS.ProcessEnv): string[] {
  const paths = foldersOf(place).flatMap((folder) => files.map((name) => join(folder, name)));
  return paths.flatMap((path) => {
    const found = [...readText(path, given).matchAll(assignment)].map(([, variable = '']) => variable);
    return found.length > 0 && isBrought(place.workspace, path) ? found : [];
  });
}

/** A file's text, with what JSON and TOML write as escapes; one that is too large may set anything. */
function readText(path: string, given: NodeJS.ProcessEnv): string {
  // Most are absent, and every command looks for them.
  if (!existsSync(path)) return '';
  try {
    const text = readRegularFile(path, { bytes_max: limits.host_file_bytes_max }).toString();
    return text.replace(/\\[uU](?:0000)?([\da-fA-F]{4})/g, (_, code: string) =>
      String.fromCharCode(Number.parseInt(code, 16)),
    );
  } catch (error) {
    if (!isHandoffError(error) || error.code !== 'too_large') return '';
    return Object.keys(given)
      .map((name) => `${name}=`)
      .join('\n');
  }
}
