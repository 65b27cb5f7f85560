import { realpathSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect } from 'vitest';
import { diagnoseRegistration } from '../../packages/batonpass/src/operations/doctor/diagnose-registration.ts';
import { readRegistrations } from '../../packages/batonpass/src/workspace/hosts/registrations.ts';
import { openWorkspace } from '../../packages/batonpass/src/workspace/project.ts';
import { verifies } from '../verifies.ts';
import { createInitFolders, type InitFolder } from './init-folder.ts';

const open = createInitFolders();
const settings = '.claude/settings.json';

/** What is found of the registration, without running anything of it. */
function look({ folder, environment }: InitFolder) {
  return diagnoseRegistration(readRegistrations(openWorkspace(folder), environment));
}

async function registered(options = { git: true }): Promise<InitFolder> {
  const at = open(options);
  await at.init();
  return at;
}

const unwell = (at: InitFolder) => look(at).filter(({ level }) => level !== 'ok');
const ids = (at: InitFolder) => unwell(at).map(({ id }) => id);

function changeText(at: InitFolder, path: string, change: [string | RegExp, string]): void {
  const text = at.read(path);
  const next = text.replace(...change);
  expect(next).not.toBe(text);
  at.write(path, next);
}

describe('the registration', () => {
  verifies(['DOCTOR.registration'], 'is well as init writes it, in a home folder too', async () => {
    const at = await registered();
    expect(ids(at)).toEqual([]);
    at.environment.HOME = realpathSync(at.folder);
    expect(ids(at)).toEqual([]);
  });

  const matchers: [string, string | undefined][] = [
    ['startup|resume|clear|compact|fork', undefined],
    ['startup|resume|clear|compact', undefined],
    ['startup, resume | clear,compact', undefined],
    ['.*', undefined],
    ['*', undefined],
    ['', undefined],
    ['startup', 'resume, clear and compact'],
    ['startup|resume', 'clear and compact'],
    ['^(startup|clear)$', 'resume and compact'],
    ['start.', 'resume, clear and compact'],
    ['start', 'startup, resume, clear and compact'],
    ['(', 'startup, resume, clear and compact'],
  ];
  verifies(['DOCTOR.registration'], 'is checked against every way in which a session begins', async () => {
    const at = await registered();
    const text = at.read(settings);
    for (const [matcher, missed] of matchers) {
      at.write(settings, text.replace('startup|resume|clear|compact|fork', matcher));
      const found = unwell(at);
      expect(
        found.map(({ id }) => id),
        matcher,
      ).toEqual(missed === undefined ? [] : ['hook-matcher']);
      if (missed === undefined) continue;
      expect(found[0]?.what).toContain(`SessionStart does not run for ${missed}: its matcher is "${matcher}"`);
      expect(found[0]?.next).toBe('Register it again: baton init --only hooks');
    }
    await at.init();
    expect(ids(at)).toEqual([]);
  });

  verifies(
    ['DOCTOR.registration'],
    'is named where several matchers leave something out, and not otherwise',
    async () => {
      const at = await registered();
      const own = JSON.parse(at.read(settings)).hooks.SessionStart[0];
      const write = (...list: string[]) => {
        const text = JSON.parse(at.read(settings));
        text.hooks.SessionStart = list.map((matcher) => ({ ...own, matcher }));
        at.write(settings, JSON.stringify(text));
      };
      write('startup', 'resume|clear|compact');
      expect(ids(at)).toEqual([]);
      write('startup', 'resume|clear');
      expect(unwell(at)[0]).toMatchObject({ id: 'hook-matcher', what: expect.stringContaining('for compact:') });
    },
  );

  verifies(
    ['DOCTOR.registration'],
    'is named where the host would not wait for what a session starts with',
    async () => {
      const at = await registered();
      changeText(at, settings, ['"timeout": 10', '"timeout": 10, "async": true']);
      expect(unwell(at)).toMatchObject([{ id: 'hook-async', level: 'problem', about: 'SessionStart' }]);
    },
  );

  verifies(
    ['DOCTOR.registration'],
    'is named where several files contain it, with the command that leaves one',
    async () => {
      const at = await registered();
      await at.init({ scope: 'user', only: ['hooks'] });
      const twice = unwell(at);
      expect(twice).toMatchObject([{ id: 'hooks-doubled', level: 'warning' }]);
      expect(twice[0]?.why).toContain('The host runs the same command once.');
      // Without the host it would undo the hooks of all hosts.
      const own = '--undo --only hooks --host claude-code';
      expect(twice[0]?.next).toContain(`baton init ${own}; or baton init --user ${own}`);
      await at.init({ scope: 'local', only: ['hooks'] });
      changeText(at, '.claude/settings.local.json', [/"command": "baton"/g, '"command": "/opt/bin/baton"']);
      const thrice = unwell(at)[0];
      expect(thrice?.about?.split(', ')).toHaveLength(3);
      expect(thrice?.why).toContain('The host runs each of them');
      expect(thrice?.next).toContain('baton init --local --undo');
      // That one would take the local ones as well.
      expect(thrice?.next).not.toContain('baton init --undo');
    },
  );

  verifies(
    ['DOCTOR.registration'],
    'has a server where the host keeps what one user added in this project',
    async () => {
      const at = open({ git: true });
      await at.init({ only: ['hooks', 'docs'] });
      expect(ids(at)).toEqual(['server-not-registered']);
      const server = { mcpServers: { baton: { type: 'stdio', command: 'baton', args: ['mcp'], env: {} } } };
      const write = (value: unknown) => at.write('.home/.claude.json', JSON.stringify(value));
      write({ projects: { '/elsewhere': server } });
      expect(ids(at)).toEqual(['server-not-registered']);
      write({ projects: { [realpathSync(at.folder)]: server } });
      expect(ids(at)).toEqual([]);
      const [local] = readRegistrations(openWorkspace(at.folder), at.environment).servers;
      expect(local).toMatchObject({ words: ['baton', 'mcp'], isShared: false });
      expect(look(at).find(({ id }) => id === 'server-registered')?.what).toContain('for you in this project');
      write({ projects: {}, ...server });
      expect(ids(at)).toEqual([]);
      // A list of what is refused is for what the project registers.
      changeText(at, settings, ['{', '{ "disabledMcpjsonServers": ["baton"],']);
      expect(ids(at)).toEqual([]);
      await at.init({ only: ['mcp'] });
      expect(ids(at)).toEqual(['server-refused']);
    },
  );
});

describe('the server', () => {
  verifies(
    ['DOCTOR.registration'],
    'of the plugin is one for each host, and that of a shared file is one',
    async () => {
      const at = open({ git: true });
      const serversOf = () =>
        readRegistrations(openWorkspace(at.folder), at.environment).servers.map(({ host, place }) => [host, place]);
      at.write(settings, '{ "enabledPlugins": { "baton@baton": true, "other@baton": true } }');
      at.write('.home/.codex/config.toml', '[plugins."baton@baton"]\nenabled = true\n');
      expect(serversOf()).toEqual([
        ['claude-code', 'the plugin'],
        ['codex', 'the plugin'],
      ]);
      at.write('.mcp.json', '{ "mcpServers": { "baton": { "command": "baton", "args": ["mcp"] } } }');
      expect(serversOf()).toEqual([
        ['claude-code', join(realpathSync(at.folder), '.mcp.json')],
        ['codex', 'the plugin'],
      ]);
    },
  );
});

describe('a wrapper', () => {
  verifies(['DOCTOR.registration'], 'is distinguished from another tool that has hooks too', async () => {
    const at = await registered();
    const addStop = (command: string) =>
      changeText(at, settings, ['"Stop": [', `"Stop": [{ "hooks": [{ "command": ${JSON.stringify(command)} }] },`]);
    addStop('/usr/bin/true hook Stop');
    expect(ids(at)).toEqual([]);
    at.write('wrap.sh', '#!/bin/sh\nexec baton "$@"\n');
    addStop(`${join(at.folder, 'wrap.sh')} hook Stop`);
    expect(ids(at)).toEqual(['hook-wrapped', 'hooks-doubled']);
  });

  verifies(['DOCTOR.registration'], 'is warned of where nothing else runs at its event', () => {
    const at = open({ git: true });
    at.write(settings, '{ "hooks": { "Stop": [{ "hooks": [{ "command": "other", "args": ["hook", "Stop"] }] }] } }');
    expect(unwell(at).map(({ id, about }) => [id, about])).toContainEqual(['hook-wrapped', 'Stop']);
    for (const words of ['echo baton hook Stop', '# baton hook Stop', 'mybaton hook Start', 'my-baton hook Start']) {
      at.write(settings, JSON.stringify({ hooks: { Stop: [{ hooks: [{ command: words }] }] } }));
      const hooks = readRegistrations(openWorkspace(at.folder), at.environment).hooks;
      expect(
        hooks.filter(({ form }) => form !== 'script'),
        words,
      ).toEqual([]);
    }
    const lines = [
      'cd x && baton hook Stop',
      'bash -lc "npx -y batonpass@1 hook Stop"',
      'timeout 5 baton hook Stop >/dev/null',
      'node "/a b/batonpass/bin/baton.js" hook Stop | cat',
    ];
    for (const command of lines) {
      at.write(settings, JSON.stringify({ hooks: { Stop: [{ hooks: [{ command }] }] } }));
      const hooks = readRegistrations(openWorkspace(at.folder), at.environment).hooks;
      expect(hooks, command).toMatchObject([{ form: 'line', event: 'Stop' }]);
    }
  });
});

describe('a file that is broken', () => {
  verifies(['DOCTOR.registration'], 'is all that is named, since init would refuse it', async () => {
    const at = await registered();
    at.write('.mcp.json', '{ "mcpServers": ');
    expect(unwell(at)).toMatchObject([{ id: 'settings-unreadable', about: expect.stringContaining('.mcp.json') }]);
    at.write('.mcp.json', '{}');
    at.write(settings, '{ "hooks": ');
    expect(ids(at)).toEqual(['settings-unreadable', 'server-not-registered']);
    const bare = open();
    bare.write('.mcp.json', '{');
    expect(unwell(bare).at(-1)?.next).toMatch(/^Correct what is named above first/);
  });

  verifies(['DOCTOR.registration'], 'is read by agents all the same where it is a document', async () => {
    const at = await registered();
    changeText(at, 'CLAUDE.md', ['<!-- baton:end -->', '']);
    const [found, ...others] = unwell(at);
    expect(others).toEqual([]);
    expect(found).toMatchObject({ id: 'document-damaged', level: 'warning' });
    expect(found?.what).toMatch(/CLAUDE\.md:1:1 does not have exactly one/);
    expect(found?.next).toMatch(/^Leave one pair of markers/);
    expect(`${found?.why}`).not.toContain('The host cannot read it');
  });
});

verifies(
  ['DOCTOR.registration', 'INIT.ask'],
  'a block of other words than today’s, and a missing one, are renewed by init',
  async () => {
    const at = await registered();
    changeText(at, 'CLAUDE.md', ['## Handoffs', '## Old words']);
    const server = at.read('.mcp.json');
    at.write('.mcp.json', '{');
    expect(ids(at)).toEqual(['settings-unreadable', 'documents-outdated']);
    at.write('.mcp.json', server);
    // A plan is of what is replaced too, where what is written instead is the same.
    const planned = async () => (await at.init({ dry_run: true })).plan_sha256;
    const agreed = await planned();
    changeText(at, 'CLAUDE.md', ['## Old words', '## Older words']);
    expect(await planned()).not.toBe(agreed);
    expect(unwell(at)).toMatchObject([{ id: 'documents-outdated', about: 'CLAUDE.md', level: 'warning' }]);
    at.write('AGENTS.md', '# Agents\n');
    expect(ids(at)).toEqual(['documents-outdated', 'documents-not-registered']);
    for (const { next } of unwell(at)) expect(next).toMatch(/baton init --only docs$/);
    await at.init({ only: ['docs'] });
    expect(ids(at)).toEqual([]);
    at.write('CLAUDE.md', '@AGENTS.md\n');
    expect(ids(at)).toEqual([]);
    at.write('CLAUDE.md', `@AGENTS.md\n\n${at.read('AGENTS.md')}`);
    expect(ids(at)).toEqual(['documents-outdated']);
  },
);
