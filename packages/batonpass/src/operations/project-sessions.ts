import { statSync } from 'node:fs';
import { sep } from 'node:path';
import { findSessions } from '../transcripts/find-sessions.ts';
import type { FoundSession } from '../transcripts/session-head.ts';
import { isBrought } from '../workspace/brought.ts';
import { sessionFolders } from '../workspace/hosts/init-targets.ts';
import { listWorktrees } from '../workspace/project.ts';
import type { OperationContext } from './context.ts';

/**
 * The transcripts of agents that worked in this project or a work tree of it, newest first. What a file says of its time
 * counts up to the time that the disk has of it: nothing is newer because its author wrote so.
 */
export async function listProjectSessions({
  workspace,
  environment,
}: Pick<OperationContext, 'workspace' | 'environment'>): Promise<FoundSession[]> {
  const found = await findSessions({
    project: workspace.root,
    worktrees: listWorktrees(workspace),
    folders: sessionFolders(environment),
  });
  const sessions = found.map((session) => ({ ...session, modified_at: earlier(session) }));
  return sessions.sort((a, b) => b.modified_at.localeCompare(a.modified_at) || a.path.localeCompare(b.path));
}

function earlier({ path, modified_at }: FoundSession): string {
  const at = statSync(path, { throwIfNoEntry: false })?.mtime.toISOString() ?? modified_at;
  return at < modified_at ? at : modified_at;
}

/** Whether a session may have come with the project: then somebody else may have held it, or made it up. */
export function isOfRepository(
  { path, cwd }: FoundSession,
  { workspace }: Pick<OperationContext, 'workspace'>,
): boolean {
  // An export is in the work tree that it is of.
  if (workspace.git_common_dir === undefined || !path.startsWith(`${cwd}${sep}`)) return isBrought(workspace, path);
  return isBrought({ ...workspace, root: cwd }, path);
}
