import type { InitScope } from '../../workspace/hosts/init-targets.ts';

/** The command that registers in a scope. @param baton - how Baton is started by hand. */
export function initWords(scope: InitScope | undefined, baton = 'baton'): string {
  return `${baton} init${scope === undefined || scope === 'project' ? '' : ` --${scope}`}`;
}

/** The words that undo the hooks of a scope; without a scope they are the plugin's. */
export function undoWords(scope: InitScope | undefined): string {
  return scope === undefined
    ? 'switch the plugin off in Claude Code (/plugin)'
    : `${initWords(scope)} --undo --only hooks`;
}
