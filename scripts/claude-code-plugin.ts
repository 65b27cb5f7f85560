import { version } from '../packages/batonpass/src/version.ts';
import { createHookSettings } from '../packages/batonpass/src/workspace/hosts/host-hooks.ts';
import { createServerSettings } from '../packages/batonpass/src/workspace/hosts/host-servers.ts';
import { createJsonText } from '../packages/batonpass/src/workspace/hosts/json-edit.ts';
import { npxLauncher } from '../packages/batonpass/src/workspace/hosts/launcher.ts';

const folder = 'plugins/claude-code';

const what = {
  name: 'baton',
  description: 'Hands work over between sessions and agents: hooks, MCP server and a skill.',
};

const author = { name: 'Baton contributors' };

/**
 * The Claude Code plugin's files that repeat what the source says, by path: manifests, hooks and server. They register
 * what `baton init` would where Baton is not installed.
 */
export function createPluginFiles(): Record<string, string> {
  const files = {
    '.claude-plugin/marketplace.json': {
      name: 'baton',
      owner: author,
      plugins: [{ ...what, source: `./${folder}` }],
    },
    [`${folder}/.claude-plugin/plugin.json`]: {
      ...what,
      version,
      author,
      license: 'MIT',
      keywords: ['handoff', 'context', 'agents'],
    },
    [`${folder}/hooks/hooks.json`]: {
      description: 'Saves a session when it ends or is compacted, and offers the newest handoff to the next one.',
      hooks: createHookSettings(npxLauncher),
    },
    [`${folder}/.mcp.json`]: { mcpServers: createServerSettings(npxLauncher) },
  };
  return Object.fromEntries(Object.entries(files).map(([path, value]) => [path, createJsonText('', value)]));
}
