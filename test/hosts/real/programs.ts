import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';

/** The hosts' programs that the rig runs: never a dependency, because each has its own licence and hundreds of megabytes. */
export const programs = {
  'claude-code': { package: '@anthropic-ai/claude-code', version: '2.1.197', command: 'claude', megabytes: 235 },
  codex: { package: '@openai/codex', version: '0.169.0', command: 'codex', megabytes: 404 },
} as const;

export type HostName = keyof typeof programs;

export const hostNames = Object.keys(programs) as HostName[];

/** Outside the tree, and kept from one run to the next. `BATON_HOSTS_CACHE` names another place. */
export const cacheFolder =
  process.env.BATON_HOSTS_CACHE ?? join(process.env.XDG_CACHE_HOME ?? join(homedir(), '.cache'), 'baton-hosts');

/** The program of a host in the cache. */
export function commandOf(host: HostName): string {
  return join(cacheFolder, 'node_modules/.bin', programs[host].command);
}

/** Whether the cache holds exactly the pinned version. */
export function isInstalled(host: HostName): boolean {
  const manifest = join(cacheFolder, 'node_modules', programs[host].package, 'package.json');
  if (!existsSync(manifest) || !existsSync(commandOf(host))) return false;
  return (JSON.parse(readFileSync(manifest, 'utf8')) as { version: string }).version === programs[host].version;
}

/**
 * Installs the pinned versions that are missing, with npm.
 *
 * @throws npm's failure, as where the registry cannot be reached.
 */
export function installPrograms(report: (line: string) => void): void {
  const missing = hostNames.filter((host) => !isInstalled(host));
  for (const host of missing) {
    const { package: name, version, megabytes } = programs[host];
    report(`${name} ${version}, ${megabytes} MB, into ${cacheFolder}`);
  }
  if (missing.length === 0) return;
  // All of them in one call: npm removes what a call does not name.
  const packages = hostNames.map((host) => `${programs[host].package}@${programs[host].version}`);
  const words = ['install', '--prefix', cacheFolder, '--no-audit', '--no-fund', '--no-package-lock', ...packages];
  execFileSync('npm', words, { stdio: ['ignore', 'ignore', 'inherit'], timeout: install_ms });
}

/** A registry that does not answer ends the wait. */
const install_ms = 10 * 60_000;
