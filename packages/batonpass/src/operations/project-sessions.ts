import { findSessions } from '../transcripts/find-sessions.ts';
import type { FoundSession } from '../transcripts/session-head.ts';
import { sessionFolders } from '../workspace/hosts/init-targets.ts';
import { listWorktrees } from '../workspace/project.ts';
import type { OperationContext } from './context.ts';

/** The transcripts of agents that worked in this project or a work tree of it, newest first. */
export async function listProjectSessions({
  workspace,
  environment,
}: Pick<OperationContext, 'workspace' | 'environment'>): Promise<FoundSession[]> {
  return findSessions({
    project: workspace.root,
    worktrees: listWorktrees(workspace),
    folders: sessionFolders(environment),
  });
}
