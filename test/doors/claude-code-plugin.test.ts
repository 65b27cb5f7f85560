import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { expect } from 'vitest';
import { aliases, loadCommands } from '../../packages/batonpass/src/doors/cli/commands.ts';
import { catalogue, contentInputSchema, version } from '../../packages/batonpass/src/index.ts';
import { createHookSettings } from '../../packages/batonpass/src/workspace/hosts/host-hooks.ts';
import { createServerSettings } from '../../packages/batonpass/src/workspace/hosts/host-servers.ts';
import { commandLauncher } from '../../packages/batonpass/src/workspace/hosts/launcher.ts';
import { projectNotes } from '../../packages/batonpass/src/workspace/hosts/project-notes.ts';
import { createPluginFiles } from '../../scripts/claude-code-plugin.ts';
import { root } from '../tidy/source-files.ts';
import { verifies } from '../verifies.ts';

const commands = await loadCommands();

const plugin = join(root, 'plugins/claude-code');
const readJson = (path: string) => JSON.parse(readFileSync(join(root, path), 'utf8'));
const skillPath = join(plugin, 'skills/handoff/SKILL.md');
const skill = readFileSync(skillPath, 'utf8');
const kebab = /^[a-z0-9]+(?:-[a-z0-9]+)*$/;

verifies(['INIT.plugin'], 'the plugins register exactly what init would, started by the installed command', () => {
  const { hooks, description } = readJson('plugins/claude-code/hooks/hooks.json');
  expect(hooks).toEqual(createHookSettings(commandLauncher));
  expect(description).toMatch(/^[A-Z].*\.$/);
  expect(readJson('plugins/claude-code/.mcp.json')).toEqual({ mcpServers: createServerSettings(commandLauncher) });
  expect(readJson('plugins/codex/hooks/hooks.json')).toEqual({ hooks: createHookSettings(commandLauncher, 'codex') });
  // Hosts read the files as they are committed: `npm run docs` writes them.
  for (const [path, text] of Object.entries(createPluginFiles())) {
    expect(readFileSync(join(root, path), 'utf8')).toBe(text);
  }
});

verifies(['INIT.no-registry'], 'no text starts or installs Baton from a registry, which has none', () => {
  const folders = ['packages/batonpass/src', 'packages/batonpass/bin', 'packages/studio/src', 'plugins', 'docs'];
  const files = folders.flatMap((folder) =>
    readdirSync(join(root, folder), { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile() && /\.(?:tsx?|js|json|md|toml)$/.test(entry.name))
      .map(({ parentPath, name }) => join(parentPath, name)),
  );
  const fromRegistry =
    /(?:npx|dlx|bunx)["',\s]+(?:-y|--yes)?["',\s]*batonpass|npm (?:install|i|update)\b[^`'"\n]*\sbatonpass/;
  const isComment = (line: string) => /^\s*(?:\*|\/\/|\/\*)/.test(line);
  const found = [...files, join(root, 'README.md')].flatMap((file) =>
    readFileSync(file, 'utf8')
      .split('\n')
      .filter((line) => !isComment(line) && fromRegistry.test(line))
      .map((line) => `${file}: ${line}`),
  );
  expect(files.length).toBeGreaterThan(500);
  expect(found).toEqual([]);
});

verifies(['INIT.plugin'], 'the manifests have what the host asks for, and name each other', () => {
  const marketplace = readJson('.claude-plugin/marketplace.json');
  const manifest = readJson('plugins/claude-code/.claude-plugin/plugin.json');
  expect(marketplace).toMatchObject({ name: 'baton', owner: { name: expect.any(String) } });
  expect(marketplace.plugins).toHaveLength(1);
  expect(marketplace.plugins[0]).toMatchObject({ name: manifest.name, source: './plugins/claude-code' });
  for (const name of [marketplace.name, manifest.name]) expect(name).toMatch(kebab);
  expect(existsSync(join(root, marketplace.plugins[0].source, '.claude-plugin/plugin.json'))).toBe(true);
  expect(manifest.version).toBe(version);
  // Only the manifest is in its folder; the host looks for everything else at the top.
  expect(readdirSync(join(plugin, '.claude-plugin'))).toEqual(['plugin.json']);
});

verifies(['INIT.plugin'], 'the portable plugin has the closed form of Agent Plugins 1.0.0', () => {
  const manifest = readJson('plugins/agent-plugin/plugin.json');
  const fields = [
    '$schema',
    'name',
    'version',
    'description',
    'author',
    'homepage',
    'repository',
    'license',
    'keywords',
  ];
  expect(Object.keys(manifest).filter((name) => !fields.includes(name))).toEqual([]);
  expect(manifest.$schema).toBe('https://agent-plugins.org/schemas/1.0.0/plugin.schema.json');
  expect(manifest.version).toBe(version);
  const { $schema, mcpServers, ...rest } = readJson('plugins/agent-plugin/mcp.json');
  expect($schema).toBe('https://agent-plugins.org/schemas/1.0.0/mcp.schema.json');
  expect(rest).toEqual({});
  // The command is one word without a placeholder.
  expect(mcpServers).toEqual({ baton: { type: 'stdio', command: 'baton', args: ['mcp'] } });
  const [entry] = readJson('.github/plugin/marketplace.json').plugins;
  expect(readJson(`${entry.source}/plugin.json`).name).toBe(entry.name);
});

verifies(['INIT.plugin'], 'the skill has the form of Agent Skills', () => {
  const [, head = ''] = skill.match(/^---\n([\s\S]*?)\n---\n/) ?? [];
  const fields = Object.fromEntries(head.split('\n').map((line) => line.split(/: (.*)/s).slice(0, 2)));
  expect(Object.keys(fields).sort()).toEqual(['description', 'license', 'name']);
  expect(fields.name).toBe(basename(dirname(skillPath)));
  expect(fields.name).toMatch(kebab);
  expect(fields.name.length).toBeLessThanOrEqual(64);
  expect(fields.description.length).toBeLessThanOrEqual(1024);
  // In plain YAML these would end the text, or begin another value.
  expect(fields.description).not.toMatch(/: | #|^["'[{>|*&!%@`]/);
});

verifies(
  ['INIT.plugin', 'INIT.docs'],
  'skill and block name only tools, actions, fields, commands and options that exist',
  async () => {
    const text = `${skill}\n${projectNotes.join('\n')}`;
    const operations = await Promise.all(Object.values(catalogue).map((load) => load()));
    const doors = operations.flatMap(({ doors: { mcp } }) => mcp ?? []);
    const tools = new Set(doors.map(({ tool }) => tool));
    const used = new Set(text.match(/`handoff_\w+`/g)?.map((word) => word.slice(1, -1)));
    expect([...used].filter((name) => !tools.has(name))).toEqual([]);
    expect(used).toContain('handoff_create');

    const actions = new Set(doors.map(({ action }) => action));
    const named = [...text.matchAll(/the action `(\w+)`/g), ...text.matchAll(/`(\w+)` with a reason/g)].map(
      (match) => match[1],
    );
    expect(named.filter((action) => !actions.has(action))).toEqual([]);
    expect(named.length).toBeGreaterThan(4);

    const fields = Object.keys(contentInputSchema.shape);
    const rows = [...skill.matchAll(/^\| `(\w+)` \|/gm)].map((match) => match[1] ?? '');
    const others = [...skill.matchAll(/with `(\w+)`/g)].map((match) => match[1] ?? '');
    expect([...rows, ...others].filter((field) => !fields.includes(field))).toEqual([]);
    expect(rows.length).toBeGreaterThan(6);

    const lines = [...text.replaceAll('\\\n', ' ').matchAll(/(?:^|`)baton (\w+)([^`\n]*)/gm)];
    for (const [, name, rest = ''] of lines) {
      const command = commands.find((each) => each.name === (aliases[name ?? ''] ?? name));
      expect(command, `baton ${name}`).toBeDefined();
      const flags = command?.options?.map(({ flags: each }) => each.match(/--[a-z-]+/)?.[0]);
      expect((rest.match(/--[a-z-]+/g) ?? []).filter((flag) => !flags?.includes(flag))).toEqual([]);
    }
    expect(lines.length).toBeGreaterThan(6);
  },
);
