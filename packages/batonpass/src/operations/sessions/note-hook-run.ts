import { homedir } from 'node:os';
import { type HookRun, logHookRun } from '../../workspace/hosts/hook-log.ts';
import { ownFolder } from '../../workspace/place.ts';
import { openWorkspace } from '../../workspace/project.ts';

/** How a hook's error message begins when its run can be recorded nowhere, as on a full disk. `baton doctor` looks for it. */
export const cannotRecord = 'baton: this hook cannot record its run:';

/**
 * Records a hook's run where `baton doctor` finds it: with the project, or in the user's state folder where the
 * project cannot be found or written.
 *
 * @throws the system's error where neither can be written.
 */
export function noteHookRun(run: HookRun, cwd: string, environment: NodeJS.ProcessEnv): void {
  const placed = { ...run, cwd };
  try {
    logHookRun(ownFolder(openWorkspace(cwd), environment), placed);
  } catch {
    // The folder itself may be broken; the next one is the user's own.
    logHookRun(ownFolder({ root: homedir() }, environment), placed);
  }
}
