import { readFileSync, statSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { hosts } from '../core/hosts.ts';

/** The names of the rules files that hosts read in the project, where the session works, and in the user's own folder. */
const names = [
  ...['AGENTS.md', 'AGENTS.override.md', 'CLAUDE.local.md'],
  ...Object.values(hosts).flatMap(({ document }) => document ?? []),
];

/** A larger file is no text of rules. */
const rules_bytes_max = 256 * 1024;

/** The texts of the rules files that an agent has read, and that the next one reads by itself; absent ones are left out. */
export function readRulesFiles(folders: readonly string[], environment: NodeJS.ProcessEnv): string[] {
  const home = environment.HOME ?? homedir();
  const own = Object.values(hosts).map(({ folder }) => environment[folder.variable] ?? join(home, folder.name));
  const paths = [...new Set([...folders, ...own])].flatMap((folder) => names.map((name) => join(folder, name)));
  return paths.flatMap((path) => {
    try {
      return statSync(path).size > rules_bytes_max ? [] : [readFileSync(path, 'utf8')];
    } catch {
      // A file that is absent or cannot be read gives no rules.
      return [];
    }
  });
}
