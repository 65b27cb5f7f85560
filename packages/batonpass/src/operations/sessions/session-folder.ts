import { openWorkspace } from '../../workspace/project.ts';

/**
 * The folder that a session belongs to: its present folder, as long as that is the project that it was started in or a
 * work tree of it. A session that has gone into another repository still belongs to its project, where the next session
 * looks for it.
 *
 * @param started - the project's folder, where the host names it.
 * @param cwd - the session's present folder, where the host names it.
 * @returns nothing where the host names neither.
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
