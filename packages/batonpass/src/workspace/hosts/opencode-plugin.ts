import { HandoffError } from '../../core/errors.ts';
import { type HostName, hosts } from '../../core/hosts.ts';
import type { HookFile, RegisteredHook } from './host-hooks.ts';
import { commandWords, type Launcher } from './launcher.ts';

/** The line that identifies the file as Baton's. */
const mark = '// Baton wrote this file, and takes it back with: baton init --undo';

/**
 * The plugin that calls Baton's hooks. It runs within the host: it only starts the command, waits no longer than a hook may
 * take, and on every error the host continues as if the plugin did not exist.
 */
const source = `import { spawn } from 'node:child_process';

const hook = (event, session_id, cwd, limit_ms) =>
  new Promise((resolve) => {
    let text = '';
    const end = () => {
      try {
        resolve(Object(JSON.parse(text)));
      } catch {
        resolve({});
      }
    };
    try {
      const words = [...command.slice(1), 'hook', event, '--host', 'opencode'];
      const child = spawn(command[0], words, { cwd, detached: true, stdio: ['pipe', 'pipe', 'ignore'], windowsHide: true });
      setTimeout(end, limit_ms).unref();
      child.on('error', end);
      child.on('close', end);
      child.stdin.on('error', () => {});
      child.stdout.on('data', (part) => (text += part));
      child.stdin.end(JSON.stringify({ session_id, cwd, hook_event_name: event, trigger: 'manual' }));
    } catch {
      end();
    }
  });

export const Baton = async ({ client, directory }) => {
  const helpers = new Set();
  const call = async (event, session) => {
    if (helpers.has(session)) return {};
    const answer = await hook(event, session, directory, limits_ms[event]);
    const { systemMessage: message } = answer;
    const show = async () => client.tui.showToast({ body: { message, variant: 'info' } });
    if (typeof message === 'string') show().catch(() => {});
    return answer;
  };
  return {
    event: async ({ event }) => {
      const { sessionID, info } = event.properties ?? {};
      if (event.type === 'session.created' && info?.parentID) helpers.add(info.id);
      if (event.type === 'session.idle') await call('SessionIdle', sessionID);
    },
    'chat.message': async ({ sessionID }, { message, parts }) => {
      const { additionalContext: text } = await call('ChatMessage', sessionID);
      const last = parts?.at(-1);
      if (typeof text === 'string' && last !== undefined)
        parts.push({ id: last.id + '0', sessionID, messageID: message.id, type: 'text', synthetic: true, text });
    },
    'experimental.session.compacting': async ({ sessionID }) => {
      await call('Compacting', sessionID);
    },
  };
};
`;

/**
 * The plugin as a text; it replaces one that Baton wrote before.
 *
 * @throws HandoffError `conflict` where the file is somebody else's.
 */
export function registerPlugin(text: string, file: HookFile, launcher: Launcher): string {
  assertOurs(text, file);
  const command = commandWords(launcher, file.host);
  const limits = Object.fromEntries(hosts[file.host].events.map(({ event, timeout_s }) => [event, timeout_s * 1_000]));
  return `${mark}\nconst command = ${JSON.stringify(command)};\nconst limits_ms = ${JSON.stringify(limits)};\n\n${source}`;
}

/** The text without the plugin: nothing is left of it. */
export function removePlugin(text: string): string {
  return text.startsWith(mark) ? '' : text;
}

/** The hooks that a plugin of Baton's calls: those that its text names. */
export function listPluginHooks(text: string, { host }: HookFile): RegisteredHook[] {
  const words = text.startsWith(mark) ? readList(/^const command = (\[.*\]);$/m.exec(text)?.[1]) : undefined;
  const [command, ...rest] = words ?? [];
  if (command === undefined) return [];
  return hosts[host].events
    .filter(({ event }) => text.includes(`call('${event}'`))
    .map(({ event, timeout_s }) => ({
      event,
      form: 'own' as const,
      isAsync: false,
      command,
      args: [...rest, 'hook', event, '--host', host],
      timeout_ms: timeout_s * 1_000,
    }));
}

function readList(text: string | undefined): string[] | undefined {
  try {
    const list: unknown = JSON.parse(text ?? '');
    return Array.isArray(list) ? list.map(String) : undefined;
  } catch {
    // Somebody has changed it: then none of its hooks is known, and doctor reports that none is registered.
    return undefined;
  }
}

function assertOurs(text: string, { path, host }: HookFile & { host: HostName }): void {
  if (text.trim() === '' || text.startsWith(mark)) return;
  throw new HandoffError(
    'conflict',
    `${path} is a plugin of ${hosts[host].title} that is not Baton's. Nothing was written.`,
    {
      details: { path },
      alternatives: ['Give that plugin another name.', 'Or leave the hooks out: baton init --only mcp,docs'],
    },
  );
}
