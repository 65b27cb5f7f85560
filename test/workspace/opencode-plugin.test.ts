import { chmodSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterEach, beforeEach, describe, expect } from 'vitest';
import { commandLauncher } from '../../packages/batonpass/src/workspace/hosts/launcher.ts';
import {
  listPluginHooks,
  registerPlugin,
  removePlugin,
} from '../../packages/batonpass/src/workspace/hosts/opencode-plugin.ts';
import { verifies } from '../verifies.ts';

let folder = '';
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'baton-plugin-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const file = { path: '.opencode/plugin/baton.js', host: 'opencode' } as const;
const wordsOf = (text: string) =>
  listPluginHooks(text, file).map(({ command, args = [] }) => [command, ...args].join(' '));

describe('the plugin for OpenCode', () => {
  verifies(
    ['INIT.host-plugin'],
    'is one file that a second registration leaves as it is, and undoing takes away',
    () => {
      const text = registerPlugin('', file, commandLauncher);
      expect(wordsOf(text)).toEqual([
        'baton hook ChatMessage --host opencode',
        'baton hook Compacting --host opencode',
        'baton hook SessionIdle --host opencode',
      ]);
      expect(registerPlugin(text, file, commandLauncher)).toBe(text);
      const older = text.replace('["baton"]', '["npx","-y","batonpass@1"]');
      expect(wordsOf(older)[0]).toBe('npx -y batonpass@1 hook ChatMessage --host opencode');
      expect(registerPlugin(older, file, commandLauncher)).toBe(text);
      expect(removePlugin(text)).toBe('');
    },
  );

  verifies(['INIT.host-plugin'], 'leaves a plugin of somebody else alone, and says where it is', () => {
    const other = 'export const Other = async () => ({});\n';
    expect(() => registerPlugin(other, file, commandLauncher)).toThrow(
      /baton\.js is a plugin of OpenCode that is not Baton's/,
    );
    expect(removePlugin(other)).toBe(other);
    expect(listPluginHooks(other, file)).toEqual([]);
  });
});

interface Hooks {
  event: (input: object) => Promise<void>;
  'chat.message': (input: object, output: object) => Promise<void>;
}

/** The plugin as the host loads it, with a command of a test's own in the place of Baton's. */
async function load(script: string | undefined, limit_ms = 10_000): Promise<Hooks> {
  const command = join(folder, 'command');
  if (script !== undefined) {
    writeFileSync(command, `#!/bin/sh\n${script}\n`);
    chmodSync(command, 0o755);
  }
  const path = join(folder, 'baton.mjs');
  const text = registerPlugin('', file, { ...commandLauncher, hook: [command] });
  writeFileSync(path, text.replaceAll('10000', String(limit_ms)));
  const { Baton } = (await import(pathToFileURL(path).href)) as { Baton: (input: object) => Promise<Hooks> };
  return Baton({ directory: folder, client: { tui: { showToast: async () => undefined } } });
}

async function promptWith(hooks: Hooks, sessionID = 'ses_1'): Promise<object[]> {
  const parts = [{ id: 'prt_1', type: 'text', text: 'Go on.' }];
  await hooks['chat.message']({ sessionID }, { message: { id: 'msg_1' }, parts });
  return parts.slice(1);
}

describe('the plugin within its host', () => {
  verifies(
    ['HOOK.plugin'],
    'adds the hook’s output as a part of the prompt, and passes its session to the hook',
    async () => {
      const hooks = await load(
        `cat > '${join(folder, 'told')}'; echo '{"additionalContext":"Given.","systemMessage":"x"}'`,
      );
      expect(await promptWith(hooks)).toEqual([
        { id: 'prt_10', sessionID: 'ses_1', messageID: 'msg_1', type: 'text', synthetic: true, text: 'Given.' },
      ]);
      expect(JSON.parse(readFileSync(join(folder, 'told'), 'utf8'))).toMatchObject({
        session_id: 'ses_1',
        cwd: folder,
      });
    },
  );

  verifies(['HOOK.plugin'], 'calls no hook for a helper agent’s session', async () => {
    const hooks = await load(`echo '{"additionalContext":"Given."}'`);
    await hooks.event({ event: { type: 'session.created', properties: { info: { id: 'ses_2', parentID: 'ses_1' } } } });
    expect(await promptWith(hooks, 'ses_2')).toEqual([]);
    expect(await promptWith(hooks)).toHaveLength(1);
  });

  for (const [what, script] of [
    ['that is missing', undefined],
    ['that fails', 'echo no; exit 1'],
    ['that prints no JSON', 'echo "{\\"additionalContext\\":"'],
    ['that prints another value', 'echo "{\\"additionalContext\\":7}"'],
    ['that prints nothing of value', 'echo null'],
  ] as const) {
    verifies(['HOOK.plugin', 'HOOK.harmless'], `continues with a command ${what}`, async () => {
      const hooks = await load(script);
      expect(await promptWith(hooks)).toEqual([]);
      await hooks.event({ event: { type: 'session.idle', properties: { sessionID: 'ses_1' } } });
    });
  }

  verifies(
    ['HOOK.plugin', 'HOOK.harmless'],
    'waits no longer for a command that hangs than a hook may take',
    async () => {
      const hooks = await load(`echo $$ > '${join(folder, 'pid')}'; exec sleep 60`, 300);
      expect(await promptWith(hooks)).toEqual([]);
      await expect.poll(() => readFileSync(join(folder, 'pid'), 'utf8')).not.toBe('');
      process.kill(Number(readFileSync(join(folder, 'pid'), 'utf8')));
    },
  );
});
