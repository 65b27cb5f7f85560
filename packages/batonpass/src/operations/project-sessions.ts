import { homedir } from 'node:os';
import { findSessions } from '../transcripts/find-sessions.ts';
import type { FoundSession } from '../transcripts/session-head.ts';
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
    home: environment.HOME ?? homedir(),
    configFolder: environment.CLAUDE_CONFIG_DIR,
    codexFolder: environment.CODEX_HOME,
  });
}
