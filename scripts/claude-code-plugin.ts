import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { version } from '../packages/batonpass/src/version.ts';
import { createHookSettings } from '../packages/batonpass/src/workspace/hosts/host-hooks.ts';
import { createServerSettings } from '../packages/batonpass/src/workspace/hosts/host-servers.ts';
import { createJsonText } from '../packages/batonpass/src/workspace/hosts/json-edit.ts';
import { commandLauncher } from '../packages/batonpass/src/workspace/hosts/launcher.ts';

const what = {
  name: 'baton',
  description: 'Hands work over between sessions and agents: hooks, MCP server and a skill.',
};

/** What the portable form has of it: version 1.0.0 of Agent Plugins knows no hooks. */
const portable = { ...what, description: 'Hands work over between sessions and agents: MCP server and a skill.' };

/** Where the published schemas of Agent Plugins are named. */
const schemas = 'https://agent-plugins.org/schemas/1.0.0';

const author = { name: 'Baton contributors' };

const manifest = { ...what, version, author, license: 'MIT', keywords: ['handoff', 'context', 'agents'] };

const description = 'Saves a session when it ends or is compacted, and offers the newest handoff to the next one.';

/** The skill is written once, for all of them. */
const skill = 'skills/handoff/SKILL.md';

/**
 * The plugins' files that are generated from the source, by path: manifests, hooks and servers. They register what
 * `baton init` would where the command `baton` is installed.
 */
export function createPluginFiles(): Record<string, string> {
  const servers = { mcpServers: createServerSettings(commandLauncher) };
  const files = {
    '.claude-plugin/marketplace.json': {
      name: 'baton',
      description: what.description,
      owner: author,
      plugins: [{ ...what, source: './plugins/claude-code' }],
    },
    'plugins/claude-code/.claude-plugin/plugin.json': manifest,
    'plugins/claude-code/hooks/hooks.json': { description, hooks: createHookSettings(commandLauncher) },
    'plugins/claude-code/.mcp.json': servers,
    '.agents/plugins/marketplace.json': {
      name: 'baton',
      interface: { displayName: 'Baton' },
      plugins: [
        {
          name: 'baton',
          source: { source: 'local', path: './plugins/codex' },
          policy: { installation: 'AVAILABLE', authentication: 'ON_INSTALL' },
          category: 'Productivity',
        },
      ],
    },
    'plugins/codex/.codex-plugin/plugin.json': {
      ...manifest,
      hooks: './hooks/hooks.json',
      mcpServers: './.mcp.json',
      skills: './skills/',
    },
    'plugins/codex/hooks/hooks.json': { hooks: createHookSettings(commandLauncher, 'codex') },
    'plugins/codex/.mcp.json': servers,
    '.github/plugin/marketplace.json': {
      name: 'baton',
      owner: author,
      metadata: { description: portable.description },
      plugins: [{ ...portable, version, source: './plugins/agent-plugin' }],
    },
    'plugins/agent-plugin/plugin.json': { $schema: `${schemas}/plugin.schema.json`, ...manifest, ...portable },
    'plugins/agent-plugin/mcp.json': {
      $schema: `${schemas}/mcp.schema.json`,
      mcpServers: Object.fromEntries(
        Object.entries(servers.mcpServers).map(([name, server]) => [name, { type: 'stdio', ...server }]),
      ),
    },
  };
  const texts = Object.entries(files).map(([path, value]) => [path, createJsonText('', value)]);
  return {
    ...Object.fromEntries(texts),
    ...Object.fromEntries(
      ['codex', 'agent-plugin'].map((name) => [
        `plugins/${name}/${skill}`,
        readFileSync(join(root, 'plugins/claude-code', skill), 'utf8'),
      ]),
    ),
  };
}

const root = join(import.meta.dirname, '..');
