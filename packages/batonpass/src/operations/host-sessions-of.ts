import { HostSessions } from '../workspace/host-sessions.ts';
import { ownFolder } from '../workspace/place.ts';
import type { OperationContext } from './context.ts';

/** The files in which the hooks of this project leave word for each other. */
export function hostSessionsOf({ workspace, environment }: OperationContext): HostSessions {
  return new HostSessions(ownFolder(workspace, environment));
}
