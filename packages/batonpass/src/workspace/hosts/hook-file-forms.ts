import type { Host } from '../../core/host.ts';
import { type HookFile, listHooks, type RegisteredHook, registerHooks, removeHooks } from './host-hooks.ts';
import type { Launcher } from './launcher.ts';
import { listPluginHooks, registerPlugin, removePlugin } from './opencode-plugin.ts';

/** How Baton's hooks are written into a file's text, removed from it, and found in it. */
interface HookFileForm {
  register: (text: string, file: HookFile, launcher: Launcher) => string;
  /** @param former - the text before Baton's registration, whose empty lists stay. */
  remove: (text: string, file: HookFile, former: string) => string;
  list: (text: string, file: HookFile) => RegisteredHook[];
}

/** Each form of file in which hosts store their hooks. */
export const hookFileForms: Readonly<Record<Host['hook_files']['form'], HookFileForm>> = {
  json: { register: registerHooks, remove: removeHooks, list: listHooks },
  plugin: { register: registerPlugin, remove: removePlugin, list: listPluginHooks },
};
