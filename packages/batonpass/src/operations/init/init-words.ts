import type { HostName } from '../../core/hosts.ts';
import type { InitScope } from '../../workspace/hosts/init-targets.ts';

/** The command that registers in a scope. @param baton - how Baton is started by hand. */
export function initWords(scope: InitScope | undefined, baton = 'baton'): string {
  return `${baton} init${scope === undefined || scope === 'project' ? '' : ` --${scope}`}`;
}

/** The words that undo one host's hooks in a scope; without a scope they are the plugin's. Hooks of other hosts stay. */
export function undoWords(scope: InitScope | undefined, host: HostName): string {
  return scope === undefined
    ? 'switch the plugin off in Claude Code (/plugin)'
    : `${initWords(scope)} --undo --only hooks --host ${host}`;
}
