import { join } from 'node:path';
import { sha256Hex } from '../../core/canonical-json.ts';
import { HostSessions } from '../../workspace/hosts/host-sessions.ts';
import { ownFolder } from '../../workspace/place.ts';
import type { OperationContext } from '../context.ts';

/** The files in which the hooks of this project leave word for each other. */
export function hostSessionsOf({ workspace, environment }: OperationContext): HostSessions {
  const folder = join(ownFolder(workspace, environment), 'sessions');
  // Outside git all folders share one place, and each is a project of its own.
  if (workspace.git_common_dir === undefined)
    return new HostSessions(join(folder, sha256Hex(workspace.root).slice(0, 16)));
  return new HostSessions(folder);
}
