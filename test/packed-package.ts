import { execFileSync } from 'node:child_process';
import { mkdirSync, readFileSync, symlinkSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { root } from './tidy/source-files.ts';

/**
 * Packs the built package and unpacks it into a folder's `node_modules`, as npm would install it, without its
 * dependencies. The tarball itself is in the folder.
 *
 * @returns where the package is.
 */
export function installPacked(folder: string): string {
  const installed = join(folder, 'node_modules/batonpass');
  mkdirSync(installed, { recursive: true });
  const words = ['pack', '--ignore-scripts', '--silent', '--offline', '--pack-destination', folder];
  const name = execFileSync('npm', words, {
    cwd: join(root, 'packages/batonpass'),
    encoding: 'utf8',
    env: { ...process.env, npm_config_cache: join(folder, '.cache') },
  }).trim();
  execFileSync('tar', ['-xzf', join(folder, name), '-C', installed, '--strip-components=1']);
  return installed;
}

/** What the lock says of one package. */
interface Locked {
  dependencies?: Record<string, string>;
  peerDependencies?: Record<string, string>;
  peerDependenciesMeta?: Record<string, { optional?: boolean }>;
}

/**
 * Links the package's production dependencies next to it: all that a plain install brings, and nothing optional. Node
 * finds nothing else where it is started with `--preserve-symlinks`.
 */
export function linkDependencies(folder: string): void {
  const lock = JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8')) as {
    packages: Record<string, Locked>;
  };
  const names = new Set<string>();
  const add = ({ dependencies = {}, peerDependencies = {}, peerDependenciesMeta = {} }: Locked): void => {
    const peers = Object.keys(peerDependencies).filter((name) => peerDependenciesMeta[name]?.optional !== true);
    for (const name of [...Object.keys(dependencies), ...peers].filter((name) => !names.has(name))) {
      names.add(name);
      add(lock.packages[`node_modules/${name}`] ?? {});
    }
  };
  add(lock.packages['packages/batonpass'] ?? {});
  for (const name of names) {
    const place = join(folder, 'node_modules', name);
    mkdirSync(dirname(place), { recursive: true });
    symlinkSync(join(root, 'node_modules', name), place, 'junction');
  }
}
