import { homedir } from 'node:os';
import { join } from 'node:path';
import type { Workspace } from './project-identity.ts';

/**
 * The URL of the store that a folder uses unless something else is configured.
 *
 * Inside git it is in the common folder, so that cleaning and stashing never touch it and all worktrees share it;
 * outside git in the user's state folder, shared by the folders there and separated by project.
 */
export function defaultStoreUrl(workspace: Workspace, environment: NodeJS.ProcessEnv): string {
  return `sqlite:${join(ownFolder(workspace, environment), 'baton.db')}`;
}

/** Where Baton keeps what it needs for a workspace on this machine: next to its default store. */
export function ownFolder({ git_common_dir }: Workspace, environment: NodeJS.ProcessEnv): string {
  return git_common_dir === undefined ? stateFolder(environment) : join(git_common_dir, 'baton');
}

/** Where Baton keeps what belongs to a user and to no repository; it need not exist yet. */
export function stateFolder(environment: NodeJS.ProcessEnv): string {
  const base = environment.XDG_STATE_HOME;
  if (base !== undefined && base !== '') return join(base, 'baton');
  if (process.platform === 'win32' && environment.LOCALAPPDATA) return join(environment.LOCALAPPDATA, 'baton');
  return join(environment.HOME || homedir(), '.local', 'state', 'baton');
}

/** The file of the user's own settings, for every project; it need not exist. */
export function userSettingsFile(environment: NodeJS.ProcessEnv): string {
  const { XDG_CONFIG_HOME, APPDATA } = environment;
  if (XDG_CONFIG_HOME !== undefined && XDG_CONFIG_HOME !== '') return join(XDG_CONFIG_HOME, 'baton', 'config.json');
  if (process.platform === 'win32' && APPDATA) return join(APPDATA, 'baton', 'config.json');
  return join(environment.HOME || homedir(), '.config', 'baton', 'config.json');
}
