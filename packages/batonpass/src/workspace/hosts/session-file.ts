import { homedir } from 'node:os';
import { join } from 'node:path';
import type { Host } from '../../core/host.ts';
import { type HostName, hostOf, hosts } from '../../core/hosts.ts';

/** The transcript of a session where its host stores them by id; nothing for another host, or for what is no plain id. */
export function sessionFile(
  { host, session }: { host: string; session: string },
  environment: NodeJS.ProcessEnv,
): string | undefined {
  const sessions = hostOf(host)?.sessions;
  if (sessions === undefined || !/^[\w-]+$/.test(session)) return undefined;
  return join(folderOf(sessions, environment), sessions.file.replace('SESSION', session));
}

/** The folder in which a host stores its sessions, where it differs from the folder of its settings. */
export function sessionsFolder(host: HostName, environment: NodeJS.ProcessEnv): string | undefined {
  const { sessions } = hosts[host];
  return sessions && folderOf(sessions, environment);
}

function folderOf({ variable, folder }: NonNullable<Host['sessions']>, environment: NodeJS.ProcessEnv): string {
  return environment[variable] || join(environment.HOME || homedir(), folder);
}
