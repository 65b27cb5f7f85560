import type { Content } from '../core/content.ts';
import { maskSecrets } from '../core/masking.ts';
import { readHead } from '../workspace/project.ts';
import type { OperationContext } from './context.ts';

/** A handoff's origin, as far as the workspace shows it: branch, commit and work tree. A branch with a token in its name is left out. */
export function originOf({ workspace }: OperationContext): NonNullable<Content['origin']> {
  const { root, git_common_dir } = workspace;
  const { branch = '', ...head } = readHead(workspace);
  // Between slashes a token would count as the name of a folder.
  const words = branch.replaceAll('/', ' ');
  const isNamed = branch !== '' && maskSecrets(words).text === words;
  return { ...head, ...(isNamed && { branch }), worktree: git_common_dir === undefined ? undefined : root };
}
