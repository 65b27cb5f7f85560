import { parse } from 'jsonc-parser';
import { expect } from 'vitest';
import { registerServer, removeServer } from '../../packages/batonpass/src/workspace/hosts/host-servers.ts';
import type { Launcher } from '../../packages/batonpass/src/workspace/hosts/launcher.ts';
import { verifies } from '../verifies.ts';
import { npxLauncher } from './npx-launcher.ts';

const file = { path: '.mcp.json', host: 'claude-code' } as const;
const register = (text: string, launcher: Launcher = npxLauncher) => registerServer(text, file, launcher);
const globalLauncher: Launcher = { kind: 'global', hook: ['baton'], server: ['baton'], reason: '' };
const entry = { command: 'npx', args: ['--no', '--', 'batonpass', 'mcp'] };

const shapes = [
  '{}\n',
  '{\n  "mcpServers": {}\n}\n',
  '{\r\n\t"mcpServers": {\r\n\t\t"files": { "command": "files-mcp" }, // local\r\n\t},\r\n}',
  '{"mcpServers":{"files":{"command":"x"}},"other":1}',
  '{\n  "other": true\n}',
];

for (const text of shapes) {
  verifies(['INIT.merge', 'INIT.idempotent'], `the server is merged into ${JSON.stringify(text)}`, () => {
    const once = register(text);
    expect(register(once)).toBe(once);
    expect(parse(once).mcpServers.baton).toEqual(entry);
    expect(parse(once)).toEqual({ ...parse(text), mcpServers: { ...parse(text).mcpServers, baton: entry } });
    expect(removeServer(once, file, text)).toBe(text);
  });
}

verifies(['INIT.older'], 'an older server of ours changes its command alone; its environment is the user’s', () => {
  const older =
    '{ "mcpServers": { "baton": { "command": "baton", "env": { "BATON_AGENT": "sam" }, "args": ["mcp"] } } }';
  expect(parse(register(older)).mcpServers.baton).toEqual({ ...entry, env: { BATON_AGENT: 'sam' } });
  expect(register(older, globalLauncher)).toBe(older);
  const renamed = '{ "mcpServers": { "handoffs": { "command": "npx", "args": ["batonpass@latest", "mcp"] } } }';
  expect(parse(register(renamed)).mcpServers).toEqual({ handoffs: entry });
});

verifies(['INIT.broken'], 'another program’s server of our name is a conflict, and stays', () => {
  const text = '{\n  "mcpServers": {\n    "baton": { "command": "orchestra", "args": ["mcp"] }\n  }\n}\n';
  expect(() => register(text)).toThrowError(
    expect.objectContaining({ code: 'conflict', message: expect.stringContaining('.mcp.json:3:5') }),
  );
  expect(removeServer(text, file, '')).toBe(text);
  expect(() => register('{ "mcpServers": [] }')).toThrowError(expect.objectContaining({ code: 'invalid_structure' }));
});
