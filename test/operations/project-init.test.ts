import { createHash } from 'node:crypto';
import { chmodSync, mkdirSync, readdirSync, readFileSync, realpathSync, rmSync, statSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { expect } from 'vitest';
import { verifies } from '../verifies.ts';
import { settingsShapes } from '../workspace/settings-shapes.ts';
import { createInitFolders, type InitFolder, type Plan } from './init-folder.ts';

const open = createInitFolders();
const settings = '.claude/settings.json';
const foreign =
  '{\n  // mine\n  "model": "opus",\n  "hooks": { "Stop": [{ "hooks": [{ "type": "command", "command": "say done" }] }] }\n}\n';

const actions = ({ files }: Plan) => files.map(({ action }) => action);
const addedLines = (plan: Plan, name: string) =>
  plan.files
    .filter(({ path }) => path.endsWith(name))
    .flatMap(({ hunks }) => hunks.flatMap(({ lines }) => lines.filter((line) => line.startsWith('+'))))
    .map((line) => line.slice(1));

verifies(['INIT.plan'], 'a dry run shows every line that is written then, and writes nothing', async () => {
  const { init, write, snapshot, read } = open({ git: true });
  write(settings, foreign);
  const before = snapshot();
  const plan = await init({ dry_run: true });
  expect(snapshot()).toEqual(before);
  expect(plan).toMatchObject({ written: false, launcher: { kind: 'absent', command: ['baton'] } });
  expect(plan.remarks.join('\n')).toContain('Hosts cannot start Baton before it is installed: npm install --global ./');
  expect(actions(plan)).toEqual(['create', 'change', 'create', 'create']);

  const done = await init({ plan_sha256: plan.plan_sha256 });
  expect(done).toMatchObject({ written: true, files: plan.files, plan_sha256: plan.plan_sha256 });
  expect(addedLines(plan, '.mcp.json').join('\n')).toBe(read('.mcp.json').trimEnd());
  expect(addedLines(plan, 'AGENTS.md').join('\n')).toBe(read('AGENTS.md').trimEnd());
  for (const line of addedLines(plan, settings)) expect(read(settings)).toContain(line);
  expect(JSON.parse(read('.mcp.json'))).toEqual({
    mcpServers: { baton: { command: 'baton', args: ['mcp'] } },
  });
  expect(read('CLAUDE.md')).toBe(read('AGENTS.md'));
});

verifies(
  ['INIT.plan'],
  'a secret next to a change is masked where it is shown, and kept where it is written',
  async () => {
    const { init, write, read } = open();
    const secret = `ghp_${'a1B2'.repeat(9)}`;
    write('.mcp.json', `{ "mcpServers": { "x": { "command": "x", "env": { "TOKEN": "${secret}" } } } }\n`);
    expect(JSON.stringify(await init())).not.toContain(secret);
    expect(read('.mcp.json')).toContain(secret);
  },
);

verifies(['INIT.idempotent'], 'a second run finds nothing to do, and touches no file', async () => {
  const { init, write, snapshot, folder } = open({ git: true });
  write(settings, foreign);
  await init();
  const before = snapshot();
  const inode = statSync(join(folder, settings)).ino;
  const again = await init();
  expect(actions(again)).toEqual(['none', 'none', 'none', 'none']);
  expect(again.written).toBe(false);
  expect(snapshot()).toEqual(before);
  expect(statSync(join(folder, settings)).ino).toBe(inode);
});

for (const git of [true, false]) {
  verifies(['INIT.undo'], `undoing brings every byte and folder back, ${git ? 'in' : 'outside of'} git`, async () => {
    for (const { text } of settingsShapes.slice(0, 12)) {
      const { init, write, snapshot, folder } = open({ git });
      write(settings, Buffer.from(`\ufeff${text}`));
      write('AGENTS.md', '# Agents\r\n\r\nRun the tests.');
      const before = snapshot();
      await init();
      expect(readFileSync(join(folder, settings)).subarray(0, 3)).toEqual(Buffer.from('\ufeff'));
      const undone = await init({ undo: true });
      expect(undone.written).toBe(true);
      expect(snapshot()).toEqual(before);
      expect(actions(await init({ undo: true })).every((action) => action === 'none')).toBe(true);
    }
  });
}

verifies(['INIT.undo'], 'undoing removes the files and folders that init made, and no others', async () => {
  const { init, snapshot, write, folder } = open();
  const empty = snapshot();
  await init();
  expect(Object.keys(snapshot())).toEqual(['.claude', settings, '.mcp.json', 'AGENTS.md', 'CLAUDE.md']);
  await init({ undo: true });
  expect(snapshot()).toEqual(empty);
  await init();
  write('.claude/agents/reviewer.md', 'x');
  await init({ undo: true });
  expect(Object.keys(snapshot())).toEqual(['.claude', '.claude/agents', '.claude/agents/reviewer.md']);
  rmSync(join(folder, '.claude'), { recursive: true });
});

verifies(['INIT.undo-edited'], 'what a user wrote between init and undo survives, in every file', async () => {
  const { init, write, read, snapshot } = open();
  write(settings, foreign);
  await init();
  write(settings, read(settings).replace('"opus"', '"sonnet"'));
  write('.mcp.json', read('.mcp.json').replace('"baton": {', '"files": { "command": "f" },\n    "baton": {'));
  write('CLAUDE.md', `# Mine\n\n${read('CLAUDE.md')}\nMore.\n`);
  await init({ undo: true });
  expect(read(settings)).toBe(foreign.replace('"opus"', '"sonnet"'));
  expect(JSON.parse(read('.mcp.json'))).toEqual({ mcpServers: { files: { command: 'f' } } });
  expect(read('CLAUDE.md')).toBe('# Mine\n\nMore.\n');
  expect(Object.keys(snapshot())).not.toContain('AGENTS.md');
});

verifies(
  ['INIT.undo-edited'],
  'a file that init made and a formatter changed goes too, once nothing else is in it',
  async () => {
    const { init, write, read, snapshot } = open();
    await init();
    write(settings, JSON.stringify(JSON.parse(read(settings)), null, 4));
    await init({ undo: true });
    expect(snapshot()).toEqual({});
  },
);

verifies(
  ['INIT.undo', 'INIT.undo-edited'],
  'undoing after a second run and edits between goes back before the first',
  async () => {
    const { init, write, read } = open();
    write('CLAUDE.md', '# Mine\n');
    await init({ only: ['docs'] });
    write('CLAUDE.md', read('CLAUDE.md').replace('## Handoffs', '## Old words').replace('# Mine', '# Ours'));
    await init({ only: ['docs'] });
    expect(read('CLAUDE.md')).toContain('## Handoffs');
    await init({ undo: true });
    expect(read('CLAUDE.md')).toBe('# Ours\n');
  },
);

verifies(['INIT.undo'], 'without a record, as in another clone, the entries alone are removed', async () => {
  const { init, write, read, folder } = open();
  write(settings, foreign);
  await init();
  rmSync(join(folder, '.state'), { recursive: true });
  const undone = await init({ undo: true });
  expect(undone.written).toBe(true);
  expect(read(settings)).toBe(foreign);
  expect(read('.mcp.json')).toBe('{}\n');
});

verifies(
  ['INIT.undo', 'INIT.idempotent', 'INIT.merge'],
  'any settings and documents: undo gives the same bytes, twice is once',
  async () => {
    const value = fc.dictionary(
      fc.string().filter((key) => !['hooks', 'mcpServers'].includes(key)),
      fc.jsonValue({ maxDepth: 2 }),
      { maxKeys: 4 },
    );
    const layout = fc.constantFrom(undefined, 2, '\t');
    const words = fc.option(fc.array(fc.constantFrom('# A', 'text', '', '@AGENTS.md', '```'), { maxLength: 5 }), {
      nil: null,
    });
    await fc.assert(
      fc.asyncProperty(value, layout, words, words, fc.boolean(), async (given, indent, claude, agents, ends) => {
        const { init, write, snapshot } = open();
        write(settings, JSON.stringify(given, null, indent));
        if (claude !== null) write('CLAUDE.md', claude.join('\n') + (ends ? '\n' : ''));
        if (agents !== null) write('AGENTS.md', agents.join('\r\n'));
        const before = snapshot();
        await init();
        const once = snapshot();
        expect((await init()).written).toBe(false);
        expect(snapshot()).toEqual(once);
        await init({ undo: true });
        expect(snapshot()).toEqual(before);
      }),
      { numRuns: 40 },
    );
  },
);

const broken: [string, (at: InitFolder) => void, string, RegExp][] = [
  ['JSON with an error', ({ write }) => write(settings, '{\n  "a" 1\n}'), 'parse_error', /settings\.json:2:7/],
  ['a list at the top', ({ write }) => write('.mcp.json', '[]'), 'invalid_structure', /\.mcp\.json:1:1/],
  [
    'hooks that are a list',
    ({ write }) => write(settings, '{ "hooks": [] }'),
    'invalid_structure',
    /settings\.json:1:12/,
  ],
  [
    'a folder',
    ({ folder }) => mkdirSync(join(folder, settings), { recursive: true }),
    'invalid_structure',
    /is a folder/,
  ],
  [
    'a file for the folder',
    ({ write }) => write('.claude', 'x'),
    'invalid_structure',
    /is a file where a folder is needed/,
  ],
  ['torn markers', ({ write }) => write('AGENTS.md', '<!-- baton:end -->\n'), 'invalid_structure', /AGENTS\.md:1:1/],
  [
    'no text',
    ({ write }) => write('AGENTS.md', Buffer.from([0xff, 0xfe, 0x41])),
    'parse_error',
    /AGENTS\.md is not UTF-8/,
  ],
  [
    'a read-only file',
    ({ write, folder }) => {
      write('AGENTS.md', 'x');
      chmodSync(join(folder, 'AGENTS.md'), 0o444);
    },
    'unavailable',
    /AGENTS\.md is read-only/,
  ],
  [
    'a link out of the project',
    ({ folder }) => symlinkSync('/etc/hostname', join(folder, 'AGENTS.md')),
    'path_outside_root',
    /AGENTS\.md leads out/,
  ],
  [
    'a link to git’s settings',
    ({ write, folder }) => {
      write('.git/config', '[core]\n');
      symlinkSync('.git/config', join(folder, 'AGENTS.md'));
    },
    'path_outside_root',
    /AGENTS\.md leads out/,
  ],
  [
    'a folder that is a link out',
    ({ folder }) => symlinkSync('/etc', join(folder, '.claude')),
    'path_outside_root',
    /settings\.json leads out/,
  ],
  [
    'a link to nothing',
    ({ folder }) => symlinkSync('absent', join(folder, 'AGENTS.md')),
    'invalid_structure',
    /leads nowhere/,
  ],
  [
    'a link in a circle',
    ({ folder }) => symlinkSync('AGENTS.md', join(folder, 'AGENTS.md')),
    'invalid_structure',
    /ELOOP/,
  ],
  [
    'another server of our name',
    ({ write }) => write('.mcp.json', '{ "mcpServers": { "baton": { "command": "x" } } }'),
    'conflict',
    /\.mcp\.json:1:19/,
  ],
];

for (const [name, breakIt, code, message] of broken) {
  verifies(
    ['INIT.broken', 'INIT.links'],
    `${name}: named with its position, and nothing at all is written`,
    async () => {
      const at = open();
      breakIt(at);
      const before = at.snapshot();
      for (const dry_run of [true, false]) {
        await expect(at.init({ dry_run })).rejects.toMatchObject({
          code,
          message: expect.stringMatching(message),
          alternatives: expect.arrayContaining([expect.any(String)]),
        });
      }
      expect(at.snapshot()).toEqual(before);
      expect(readdirSync(at.folder)).not.toContain('.state');
    },
  );
}

verifies(['INIT.rollback'], 'where the last write fails, the others are put back, their records too', async () => {
  const at = open();
  at.write(settings, foreign);
  at.write('CLAUDE.md', '# Mine\n');
  const before = at.snapshot();
  const records = join(at.folder, '.state/baton/init');
  const target = join(realpathSync(at.folder), 'AGENTS.md');
  const inTheWay = `${createHash('sha256').update(target).digest('hex').slice(0, 24)}.json`;
  mkdirSync(join(records, inTheWay, 'x'), { recursive: true });
  await expect(at.init()).rejects.toMatchObject({
    code: 'unavailable',
    message: expect.stringMatching(/AGENTS\.md cannot be written: EISDIR.*put back: nothing is changed\./),
  });
  expect(at.snapshot()).toEqual(before);
  expect(readdirSync(records)).toEqual([inTheWay]);
});

verifies(['INIT.links', 'INIT.undo'], 'a link inside of the project is written through, and stays a link', async () => {
  const { init, write, snapshot, folder, read } = open();
  write('config/claude.json', foreign);
  mkdirSync(join(folder, '.claude'));
  symlinkSync('../config/claude.json', join(folder, settings));
  write('AGENTS.md', '# Agents\n');
  symlinkSync('AGENTS.md', join(folder, 'CLAUDE.md'));
  const before = snapshot();
  const plan = await init();
  expect(plan.files.map(({ part }) => part)).toEqual(['mcp', 'hooks', 'docs']);
  expect(read('config/claude.json')).toContain('SessionStart');
  expect(snapshot()[settings]).toBe('→ ../config/claude.json');
  expect(read('AGENTS.md').match(/baton:begin/g)).toHaveLength(1);
  await init({ undo: true });
  expect(snapshot()).toEqual(before);
});

verifies(['INIT.docs'], 'where CLAUDE.md imports AGENTS.md the block is in AGENTS.md alone', async () => {
  const { init, write, read } = open();
  await init({ only: ['docs'] });
  expect(read('CLAUDE.md')).toContain('baton:begin');
  write('CLAUDE.md', `@AGENTS.md\n\n${read('CLAUDE.md')}`);
  await init({ only: ['docs'] });
  expect(read('CLAUDE.md')).toBe('@AGENTS.md\n');
  expect(read('AGENTS.md')).toContain('baton:begin');
});

verifies(['INIT.scope'], 'local hooks go next to the project’s; both at once are pointed out', async () => {
  const { init, read, snapshot } = open();
  await init({ scope: 'local', only: ['hooks'] });
  expect(Object.keys(snapshot())).toEqual(['.claude', '.claude/settings.local.json']);
  expect(read('.claude/settings.local.json')).toContain('"SessionEnd"');
  const { remarks } = await init();
  expect(remarks.join('\n')).toMatch(/settings\.local\.json registers the hooks as well/);
  await init({ undo: true });
  expect(snapshot()).toEqual({});
});

for (const moved of [false, true]) {
  const where = moved ? 'CLAUDE_CONFIG_DIR' : 'HOME';
  verifies(
    ['INIT.scope', 'INIT.links', 'INIT.undo'],
    `a user’s hooks go where ${where} says, through the user’s own links`,
    async () => {
      const { init, write, read, snapshot, environment, folder } = open({ git: true });
      const home = moved ? 'config' : '.home/.claude';
      if (moved) environment.CLAUDE_CONFIG_DIR = join(folder, home);
      write('.home/dotfiles/claude.json', foreign);
      mkdirSync(join(folder, home), { recursive: true });
      symlinkSync(join(folder, '.home/dotfiles/claude.json'), join(folder, home, 'settings.json'));
      const before = snapshot();
      const plan = await init({ scope: 'user', only: ['mcp', 'hooks'] });
      expect(plan.files.map(({ path }) => path)).toEqual([join(folder, home, 'settings.json')]);
      expect(plan.remarks).toContain(
        'The server, for all your projects: claude mcp add --scope user baton -- baton mcp',
      );
      expect(read('.home/dotfiles/claude.json')).toContain('SessionStart');
      expect(readdirSync(join(folder, '.state/baton/init'))).toHaveLength(1);
      await init({ scope: 'user', undo: true });
      expect(snapshot()).toEqual(before);
    },
  );
}

verifies(['INIT.scope'], 'in a home folder the settings of project and user are one file, and not two', async () => {
  const { init, environment, folder } = open();
  environment.HOME = folder;
  for (const scope of ['project', 'user'] as const) {
    const { remarks } = await init({ scope, only: ['hooks'] });
    expect(remarks.join('\n')).not.toContain('as well');
    await init({ scope, undo: true });
  }
});

verifies(['INIT.scope'], 'the plugin is pointed out where it registers the hooks as well', async () => {
  const { init, write } = open({ git: true });
  write(settings, '{ "enabledPlugins": { "baton@baton": true } }');
  const { remarks } = await init({ dry_run: true });
  expect(remarks.join('\n')).toMatch(/^The plugin registers the hooks as well.*\/plugin/m);
  expect((await init({ dry_run: true, only: ['docs'] })).remarks).toEqual([]);
});

verifies(['INIT.scope'], 'git is asked whether it ignores what is one user’s alone', async () => {
  const { init, write } = open({ git: true });
  const wanted = '.claude/settings.local.json is yours alone: see that git ignores it.';
  expect((await init({ scope: 'local', dry_run: true })).remarks).toContain(wanted);
  write('.gitignore', 'settings.local.json\n');
  expect((await init({ scope: 'local', dry_run: true })).remarks).not.toContain(wanted);
});

verifies(
  ['INIT.scope', 'INIT.launcher'],
  'outside of git, and with what only one machine has, it reports that',
  async () => {
    const { init, folder, write, environment } = open();
    const { remarks } = await init({ dry_run: true });
    expect(remarks.filter((remark) => remark.includes('not a git repository'))).toHaveLength(1);
    expect((await init({ dry_run: true, scope: 'user', only: ['hooks'] })).remarks.join()).not.toContain('repository');
    write('bin/batonpass/bin/baton.js', '');
    symlinkSync(join(folder, 'bin/batonpass/bin/baton.js'), join(folder, 'bin/baton'));
    environment.PATH = `${join(folder, 'bin')}:${environment.PATH}`;
    const global = await init({ dry_run: true });
    expect(global.launcher.kind).toBe('global');
    expect(global.remarks.join('\n')).toMatch(/install Baton where everybody who shares these files has it/);
    expect(global.remarks.join('\n')).not.toContain('npm install');
  },
);

verifies(
  ['INIT.older', 'INIT.merge'],
  'a line that runs our hook among other words is not doubled, and named',
  async () => {
    const { init, write, read, folder } = open({ git: true });
    const line = 'echo hello; baton hook SessionStart';
    write('noisy.sh', '#!/bin/sh\nexec baton "$@"\n');
    const wrapper = `${join(folder, 'noisy.sh')} hook Stop`;
    const handlers = { SessionStart: line, Stop: wrapper, SubagentStop: '/usr/bin/true hook SubagentStop' };
    const hooks = Object.entries(handlers).map(([event, command]) => [event, [{ hooks: [{ command }] }]]);
    write(settings, JSON.stringify({ hooks: Object.fromEntries(hooks) }));
    const { remarks } = await init({ only: ['hooks'] });
    expect(read(settings).match(/SessionStart/g)).toHaveLength(2);
    expect(read(settings)).toContain(line);
    expect(remarks).toEqual([
      expect.stringContaining('Hosts cannot start Baton before it is installed'),
      expect.stringMatching(
        /SessionStart within another command, which is kept: echo hello; baton hook SessionStart\./,
      ),
      expect.stringMatching(/starts for Stop what looks like a wrapper of Baton/),
    ]);
    expect((await init({ only: ['hooks'] })).written).toBe(false);
    await init({ undo: true, only: ['hooks'] });
    expect(JSON.parse(read(settings))).toEqual({ hooks: Object.fromEntries(hooks) });
  },
);

verifies(['INIT.older'], 'a hook whose answer the host would not wait for is renewed', async () => {
  const { init, read, write } = open({ git: true });
  await init({ only: ['hooks'] });
  write(settings, read(settings).replace('"timeout": 10', '"timeout": 10, "async": true'));
  expect((await init({ only: ['hooks'] })).written).toBe(true);
  expect(read(settings)).not.toContain('async');
});

verifies(
  ['INIT.launcher', 'INIT.older'],
  'once the project installs Baton, a second run changes the launcher in place',
  async () => {
    const { init, write, read, snapshot } = open({ git: true });
    write(settings, foreign);
    await init();
    write('package.json', '{"devDependencies":{"batonpass":"^1"}}');
    write('node_modules/batonpass/bin/baton.js', '');
    const plan = await init();
    expect(plan.launcher).toMatchObject({ kind: 'project' });
    expect(read(settings)).not.toContain('npx');
    expect(read(settings).match(/baton\.js/g)).toHaveLength(6);
    // One user's hooks work in projects that have not installed it.
    expect((await init({ scope: 'user', dry_run: true })).launcher.kind).toBe('absent');
    await init({ undo: true });
    expect(read(settings)).toBe(foreign);
    expect(Object.keys(snapshot())).not.toContain('.mcp.json');
  },
);

verifies(['INIT.record'], 'the record is for its owner alone, and goes with the undoing', async () => {
  const { init, write, folder } = open({ git: true });
  write('.mcp.json', '{ "mcpServers": {} }');
  await init();
  const records = join(folder, '.git/baton/init');
  expect(readdirSync(records)).toHaveLength(4);
  for (const name of readdirSync(records)) expect(statSync(join(records, name)).mode & 0o777).toBe(0o600);
  await init({ undo: true });
  expect(readdirSync(records)).toEqual([]);
});

verifies(['INIT.ask', 'INIT.broken'], 'a plan that is not the one agreed to any more is refused', async () => {
  const { init, write, snapshot } = open();
  const { plan_sha256 } = await init({ dry_run: true });
  write('AGENTS.md', '# New\n');
  const before = snapshot();
  await expect(init({ plan_sha256 })).rejects.toMatchObject({ code: 'conflict' });
  expect(snapshot()).toEqual(before);
});

verifies(
  ['INIT.undo', 'INIT.rollback'],
  'after a crash between record and file, in either order, undoing is still right',
  async () => {
    const { init, write, snapshot, folder } = open();
    // Somebody else's registration, which undoing must not take for ours although it starts Baton.
    write(settings, '{ "hooks": { "Stop": [{ "hooks": [{ "command": "baton hook Stop" }] }] } }');
    const before = snapshot();
    await init();
    for (const [path, content] of Object.entries(before)) if (content !== '/') write(path, content);
    for (const path of ['.mcp.json', 'CLAUDE.md', 'AGENTS.md']) rmSync(join(folder, path));
    expect((await init({ undo: true })).written).toBe(false);
    expect(snapshot()).toEqual(before);
    expect(readdirSync(join(folder, '.state/baton/init'))).toEqual([]);
  },
);
