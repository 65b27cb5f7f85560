import { accessSync, constants, existsSync, readFileSync, realpathSync, statSync } from 'node:fs';
import { delimiter, dirname, isAbsolute, join, resolve } from 'node:path';
import { isBrought } from '../brought.ts';
import type { Workspace } from '../project-identity.ts';

/**
 * The files that a command's name can mean, in the order of the PATH, each once. A name with a slash means that
 * file alone.
 */
export function findPrograms(name: string, cwd: string, environment: NodeJS.ProcessEnv): string[] {
  if (/[\\/]/.test(name)) {
    const path = isAbsolute(name) ? name : resolve(cwd, name);
    return isProgram(path) ? [path] : [];
  }
  const folders = (environment.PATH ?? environment.Path ?? '').split(delimiter).filter((folder) => folder !== '');
  const endings = process.platform === 'win32' ? ['.exe', '.cmd', '.bat', ''] : [''];
  const found = folders.flatMap((folder) => endings.map((ending) => join(resolve(cwd, folder), `${name}${ending}`)));
  const seen = new Set<string>();
  return found.filter((path) => {
    const real = isProgram(path) ? realpathSync(path) : undefined;
    if (real === undefined || seen.has(real)) return false;
    seen.add(real);
    return true;
  });
}

/**
 * An environment whose PATH leads to no program that came with a project: without relative folders, and without those in
 * which git tracks something. Outside git an absolute folder is the person's own choice.
 */
export function withOwnPath(environment: NodeJS.ProcessEnv, workspace: Workspace): NodeJS.ProcessEnv {
  const name = environment.PATH === undefined ? 'Path' : 'PATH';
  const isOwn = (folder: string) =>
    isAbsolute(folder) && (workspace.git_common_dir === undefined || !isBrought(workspace, folder));
  const kept = environment[name]?.split(delimiter).filter(isOwn).join(delimiter);
  return kept === undefined ? environment : { ...environment, [name]: kept };
}

/** The version of Baton's package that a command leads to, without starting it; nothing where it leads to another. */
export function readPackageVersion(path: string): string | undefined {
  const file = join(dirname(realpathSync(path)), '../package.json');
  if (!existsSync(file)) return undefined;
  try {
    const { name, version } = JSON.parse(readFileSync(file, 'utf8')) as { name?: unknown; version?: unknown };
    return name === 'batonpass' && typeof version === 'string' ? version : undefined;
  } catch {
    // A file of another program shows nothing about Baton's.
    return undefined;
  }
}

function isProgram(path: string): boolean {
  try {
    if (statSync(path, { throwIfNoEntry: false })?.isFile() !== true) return false;
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    // Not executable, or in a folder of the PATH that cannot be read: the host skips it too.
    return false;
  }
}
