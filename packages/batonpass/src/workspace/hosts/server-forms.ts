import type { Host } from '../../core/host.ts';
import { findCodexServer, registerCodexServer, removeCodexServer } from './codex-servers.ts';
import { type FoundServer, findServer, registerServer, removeServer, type ServerFile } from './host-servers.ts';
import type { Launcher } from './launcher.ts';

/** How Baton's server is written into a text, removed from it, and found in it. */
interface ServerForm {
  register: (text: string, file: ServerFile, launcher: Launcher) => string;
  /** @param former - the text before Baton's registration, whose empty lists stay. */
  remove: (text: string, file: ServerFile, former: string) => string;
  /** @param within - the names of the members under which the list of servers is. */
  find: (text: string, file: ServerFile, within?: readonly string[]) => FoundServer | undefined;
}

/** Each form in which hosts store their servers. */
export const serverForms: Readonly<Record<Host['server_files']['form'], ServerForm>> = {
  json: { register: registerServer, remove: removeServer, find: findServer },
  toml: { register: registerCodexServer, remove: removeCodexServer, find: findCodexServer },
};
