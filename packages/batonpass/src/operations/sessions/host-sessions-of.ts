import { join } from 'node:path';
import { sha256Hex } from '../../core/canonical-json.ts';
import { HostSessions } from '../../workspace/hosts/host-sessions.ts';
import { ownFolder } from '../../workspace/place.ts';
import type { OperationContext } from '../context.ts';

/** By the workspace and the environment of a Baton: each claim asks, and finding the folder takes longer than reading it. */
const known = new WeakMap<OperationContext['workspace'], { environment: NodeJS.ProcessEnv; sessions: HostSessions }>();

/** The files through which the hooks of this project communicate. */
export function hostSessionsOf({ workspace, environment }: OperationContext): HostSessions {
  const found = known.get(workspace);
  if (found?.environment === environment) return found.sessions;
  const sessions = new HostSessions(folderOf({ workspace, environment }));
  known.set(workspace, { environment, sessions });
  return sessions;
}

function folderOf({ workspace, environment }: Pick<OperationContext, 'workspace' | 'environment'>): string {
  const folder = join(ownFolder(workspace, environment), 'sessions');
  // Outside git all folders share one place, and each is a project of its own.
  return workspace.git_common_dir === undefined ? join(folder, sha256Hex(workspace.root).slice(0, 16)) : folder;
}
