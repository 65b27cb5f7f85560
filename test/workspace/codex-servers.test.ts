import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect } from 'vitest';
import {
  findCodexServer,
  registerCodexServer,
  removeCodexServer,
} from '../../packages/batonpass/src/workspace/hosts/codex-servers.ts';
import { readUserTables } from '../../packages/batonpass/src/workspace/hosts/hook-registrations.ts';
import { createFolders } from '../stores/folders.ts';
import { verifies } from '../verifies.ts';
import { npxLauncher } from './npx-launcher.ts';

const file = { path: '.codex/config.toml', host: 'codex' } as const;
const words = ['npx', '--no', '--', 'batonpass', 'mcp'];
const register = (text: string) => registerCodexServer(text, file, npxLauncher);

const newFolder = createFolders();

const foreign = {
  'an empty file': '',
  'settings without tables':
    '# mine\nmodel = "gpt-5.1-codex" # the one\nnotify = [\n  "a", # [not a table]\n  "b",\n]\n',
  'no line feed at the end': 'model = "x"\n[tui]\nx = 1',
  'servers of others': '[mcp_servers.docs]\ncommand = "docs"\nargs = ["mcp"]\n\n[mcp_servers.docs.env]\nA = "1"\n',
  'brackets in strings': 'a = """\n[mcp_servers.baton]\ncommand = "baton"\n"""\nb = \'[x]\'\n[[list]]\nc = ["[d]"]\n',
  'quoted names and Windows lines': '[projects."/a/b.c"]\r\ntrust_level = "trusted"\r\n',
};

describe('the server in Codex’ settings', () => {
  for (const [name, text] of Object.entries(foreign)) {
    verifies(['INIT.codex', 'INIT.idempotent'], `is added once, and removed again: ${name}`, () => {
      const once = register(text);
      expect(once.startsWith(text)).toBe(true);
      expect(register(once)).toBe(once);
      expect(findCodexServer(once, file)).toEqual({ name: 'baton', words, variables: {} });
      expect(removeCodexServer(once, file).trimEnd()).toBe(text.trimEnd());
      expect(findCodexServer(text, file)).toBeUndefined();
    });
  }

  verifies(['INIT.codex'], 'under any name gets the command of today, and keeps its other members', () => {
    const old =
      '[mcp_servers.handoffs]\n# ours\nargs = [\n  "/opt/batonpass/bin/baton.js",\n  "mcp",\n]\nstartup_timeout_sec = 20\ncommand = "node"\n\n[mcp_servers.handoffs.env]\nBATON_AGENT = "codex"\n\n[tui]\nx = 1\n';
    const text = register(old);
    expect(findCodexServer(text, file)).toEqual({ name: 'handoffs', words, variables: {} });
    expect(text).toContain('# ours');
    expect(text).toContain('startup_timeout_sec = 20');
    expect(text).toContain('BATON_AGENT = "codex"\n\n[tui]\nx = 1\n');
    expect(text).not.toContain('/opt/batonpass');
    expect(register(text)).toBe(text);
    expect(removeCodexServer(text, file)).toBe('[tui]\nx = 1\n');
  });

  verifies(['INIT.codex', 'INIT.broken'], 'is refused where it cannot be written for certain', () => {
    const refused = {
      invalid_structure: [
        'a = "never ends\n',
        "a = '''\nx\n",
        'mcp_servers = { a = { command = "b" } }\n',
        '[mcp_servers]\na.command = "b"\n',
      ],
      conflict: ['[mcp_servers.baton]\ncommand = "drums"\n'],
    };
    for (const [code, texts] of Object.entries(refused)) {
      for (const text of texts) expect(() => register(text)).toThrow(expect.objectContaining({ code }));
    }
  });
});

verifies(['TRUST.unreadable'], 'settings of a user that are no file hold no tables', () => {
  const home = newFolder();
  mkdirSync(join(home, 'config.toml'));
  expect(readUserTables('codex', newFolder(), { CODEX_HOME: home })).toEqual([]);
});
