import type { Content } from '../core/content.ts';
import { readHead } from '../workspace/project.ts';
import type { OperationContext } from './context.ts';

/** A handoff's origin, as far as the workspace shows it: branch, commit and work tree. */
export function originOf({ workspace }: OperationContext): NonNullable<Content['origin']> {
  const { root, git_common_dir } = workspace;
  return { ...readHead(workspace), worktree: git_common_dir === undefined ? undefined : root };
}
