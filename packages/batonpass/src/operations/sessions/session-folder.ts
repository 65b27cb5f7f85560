import { openWorkspace } from '../../workspace/project.ts';

/**
 * The folder that a session belongs to: where it works now, as long as that is the project that it was started in or a
 * work tree of it. A session that has gone into another repository still belongs to its project, where the next one
 * looks for it.
 *
 * @param started - the project's folder, where the host names it.
 * @param cwd - where the session works now, where the host says so.
 * @returns nothing where the host says neither.
 */
export function folderOfSession(started: string | undefined, cwd: string | undefined): string | undefined {
  if (started === undefined || cwd === undefined) return started ?? cwd;
  const project = commonFolder(started);
  return project !== undefined && commonFolder(cwd) === project ? cwd : started;
}

function commonFolder(folder: string): string | undefined {
  try {
    return openWorkspace(folder).git_common_dir;
  } catch {
    // A folder that is gone, or broken, is none to work in.
    return undefined;
  }
}
