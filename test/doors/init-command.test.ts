import { execFileSync, spawn } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { PassThrough } from 'node:stream';
import { afterEach, expect } from 'vitest';
import { askYesOrNo, isAtTerminal } from '../../packages/batonpass/src/doors/cli/confirm.ts';
import { version } from '../../packages/batonpass/src/index.ts';
import { installPacked } from '../packed-package.ts';
import { verifies } from '../verifies.ts';
import { openStage, program, type Stage } from './stage.ts';

const stages: Stage[] = [];

function stage(git = true): Stage {
  const opened = openStage({ git });
  // No Baton of this machine's user takes part.
  opened.environment.PATH = `${dirname(process.execPath)}:/usr/bin:/bin`;
  stages.push(opened);
  return opened;
}

afterEach(() => {
  for (const opened of stages.splice(0)) opened.close();
});

verifies(
  ['INIT.plan', 'INIT.ask'],
  'it shows each line, writes without asking where no person is there, and undoes it',
  async () => {
    const { baton, folder } = stage();
    writeFileSync(join(folder, 'AGENTS.md'), '# Agents\n');
    const before = readdirSync(folder);
    const dry = await baton(['init', '--dry-run']);
    expect(dry).toMatchObject({ code: 0 });
    expect(dry.stdout).toMatch(/would create \.mcp\.json\n {2}line 1\n {2}\+\{\n {2}\+ {2}"mcpServers"/);
    expect(dry.stdout).toMatch(/would change AGENTS\.md\n {2}line 1\n {3}# Agents\n {2}\+\n {2}\+<!-- baton:begin -->/);
    expect(readdirSync(folder)).toEqual(before);

    const done = await baton(['init']);
    expect(done.code).toBe(0);
    expect(done.stdout).toContain(`Hosts start it as: ${process.execPath} ${program} hook EVENT`);
    expect(done.stdout.split('\n').slice(3)).toEqual([
      'created .mcp.json (8 lines)',
      expect.stringMatching(/^created \.claude\/settings\.json \(\d\d lines\)$/),
      expect.stringMatching(/^created CLAUDE\.md \(\d\d lines\)$/),
      expect.stringMatching(/^changed AGENTS\.md \(\+\d\d\)$/),
      '',
    ]);
    expect(done.stderr).toMatch(/approve the server "baton"[\s\S]*baton\.js doctor/);
    expect(existsSync(join(folder, '.claude/settings.json'))).toBe(true);

    expect(await baton(['init'])).toMatchObject({ code: 0, stdout: 'Nothing to do: Baton is registered here.\n' });
    // Line ends are no lines: a change of them alone has no size.
    const registered = readFileSync(join(folder, 'AGENTS.md'), 'utf8');
    writeFileSync(
      join(folder, 'AGENTS.md'),
      registered.replace(/<!-- baton:begin[\s\S]*/, (block) => block.replaceAll('\n', '\r\n')),
    );
    expect((await baton(['init'])).stdout).toMatch(/\nchanged AGENTS\.md\n$/);
    expect(readFileSync(join(folder, 'AGENTS.md'), 'utf8').trimEnd()).toBe(registered.trimEnd());

    expect((await baton(['init', '--undo', '--dry-run'])).stdout).toContain('-<!-- baton:begin -->');
    expect((await baton(['init', '--undo'])).stdout).toMatch(
      /^removed \.mcp\.json\nremoved \.claude\/settings\.json\nremoved CLAUDE\.md\nchanged AGENTS\.md \(-\d\d\)\n$/,
    );
    expect(readdirSync(folder)).toEqual(before);
    expect(await baton(['init', '--undo'])).toMatchObject({
      code: 0,
      stdout: 'Nothing to undo: Baton is not registered here.\n',
    });
  },
);

verifies(['INIT.plan'], '--json gives the plan as data, and --only narrows it', async () => {
  const { json } = stage();
  const plan = await json<{ files: { part: string }[]; written: boolean }>([
    'init',
    '--dry-run',
    '--only',
    'mcp',
    '--only',
    'docs',
  ]);
  expect(plan.files.map(({ part }) => part)).toEqual(['mcp', 'docs', 'docs']);
  expect(plan.written).toBe(false);
});

verifies(['INIT.plan'], 'a wrong part is named in one sentence, with the parts there are', async () => {
  const { baton } = stage();
  expect(await baton(['init', '--only', 'mcp,foo'])).toMatchObject({
    code: 2,
    stdout: '',
    stderr: 'baton: --only takes mcp, hooks, docs; not "foo".\n',
  });
  const { stderr } = await baton(['init', '--only', 'foo', '--json']);
  expect(JSON.parse(stderr)).toMatchObject({ error: { code: 'invalid_input' } });
});

verifies(['INIT.scope', 'INIT.undo'], 'what it says to do next fits what was written, and takes it back', async () => {
  const { baton, folder } = stage();
  const user = await baton(['init', '--user', '--only', 'hooks']);
  expect(user.stdout).toContain('Hosts start it as');
  expect(user.stderr).not.toContain('approve');
  const advice = /Undo it at any time: .*bin\/baton\.js (.*)$/m;
  const said = advice.exec(user.stderr.replaceAll('\n  ', ' '))?.[1];
  expect(said).toBe('init --user --undo');
  expect((await baton(['init', '--undo'])).stderr.replaceAll('\n  ', ' ')).toMatch(
    /settings\.json still registers the hooks: baton init --user --undo --only hooks --host claude-code/,
  );
  expect((await baton(said?.split(' ') ?? [])).stdout).toMatch(/^removed .*settings\.json\n$/);
  expect(existsSync(join(folder, '.home/.claude'))).toBe(false);

  const docs = await baton(['init', '--only', 'docs']);
  expect(`${docs.stdout}${docs.stderr}`).not.toMatch(/Hosts start it as|Open Claude Code/);
  const local = await baton(['init', '--local', '--only', 'mcp,hooks']);
  expect(local.stderr).toContain('approve the server "baton"');
  expect(advice.exec(local.stderr.replaceAll('\n  ', ' '))?.[1]).toBe('init --local --undo');
});

verifies(['INIT.scope'], 'hooks of other hosts are not called doubled, nor such a host one to register', async () => {
  const { baton } = stage();
  await baton(['init', '--host', 'claude-code,codex,gemini-cli,opencode,cursor']);
  const again = await baton(['init', '--host', 'codex']);
  expect(again.stderr).not.toContain('as well');
  expect(again.stderr.match(/--host \S+/g)).toEqual(['--host copilot-cli', '--host vscode']);
  await baton(['init', '--user', '--only', 'hooks', '--host', 'cursor']);
  // Another host has hooks in both places, and is not what this run is for.
  expect((await baton(['init', '--undo', '--host', 'codex'])).stderr).not.toContain('still registers');
  expect((await baton(['init', '--host', 'cursor'])).stderr.replaceAll('\n  ', ' ')).toMatch(
    /hooks\.json registers the hooks as well.*: baton init --user --undo --only hooks --host cursor$/m,
  );
});

verifies(
  ['INIT.broken', 'INIT.scope'],
  'two scopes at once, and a broken file, are refused with what to do',
  async () => {
    const { baton, folder } = stage();
    expect(await baton(['init', '--local', '--user'])).toMatchObject({ code: 2, stdout: '' });
    mkdirSync(join(folder, '.claude'));
    writeFileSync(join(folder, '.claude/settings.json'), '{\n  "a": 1,,\n}');
    const { code, stderr, stdout } = await baton(['init']);
    expect({ code, stdout }).toEqual({ code: 6, stdout: '' });
    expect(stderr).toMatch(/\.claude\/settings\.json:2:10 [\s\S]*→ Correct the file/);
    expect(existsSync(join(folder, '.mcp.json'))).toBe(false);
  },
);

verifies(['INIT.rollback'], 'a disk that takes no more leaves everything as it was', async () => {
  const { folder, environment } = stage();
  writeFileSync(join(folder, 'CLAUDE.md'), `${'x'.repeat(99)}\n`.repeat(2_000));
  const before = readdirSync(folder);
  // Files of more than 64 KiB cannot be written: those of the settings can, the document cannot.
  const command = `ulimit -f 128; exec "${process.execPath}" "${program}" init`;
  const run = () =>
    execFileSync('sh', ['-c', command], { cwd: folder, env: environment, encoding: 'utf8', stdio: 'pipe' });
  expect(run).toThrowError(
    expect.objectContaining({
      status: 9,
      stderr: expect.stringMatching(/CLAUDE\.md cannot be written: EFBIG.*put back/s),
    }),
  );
  expect(readdirSync(folder)).toEqual(before);
  expect(readdirSync(join(folder, '.git/baton/init'))).toEqual([]);
});

verifies(['INIT.ask'], 'a question is answered by yes or no, and everything else is no', async () => {
  const ask = async (answer: string | null, signal = new AbortController().signal) => {
    const [input, output] = [new PassThrough(), new PassThrough()];
    const answered = askYesOrNo('Go ahead?', { input, output }, signal);
    if (answer === null) input.end();
    else input.write(answer);
    return { yes: await answered, asked: String(output.read()) };
  };
  expect(await ask('y\n')).toEqual({ yes: true, asked: 'Go ahead? [y/N] ' });
  expect((await ask('YES \n')).yes).toBe(true);
  for (const answer of ['\n', 'n\n', 'yesterday\n', null]) expect((await ask(answer)).yes).toBe(false);
  expect((await ask('', AbortSignal.abort())).yes).toBe(false);
  expect([isAtTerminal({ isTTY: true }, { isTTY: true }), isAtTerminal({ isTTY: true }, {})]).toEqual([true, false]);
});

verifies(['INIT.ask'], 'on a terminal it shows the plan, asks, and does what the answer says', async () => {
  // Part of util-linux, which every Linux has.
  const { folder, environment, baton } = stage();
  const answer = (words: string, text: string) =>
    new Promise<{ shown: string; code: number | null }>((resolve) => {
      const command = `'${process.execPath}' '${program}' ${words}`;
      const terminal = spawn('script', ['-qec', command, '/dev/null'], {
        cwd: folder,
        env: { ...environment, NO_COLOR: '1' },
      });
      let shown = '';
      terminal.stdout.on('data', (chunk) => {
        const asked = shown.split('[y/N]').length;
        shown += chunk;
        const now = shown.split('[y/N]').length;
        // The second question is whether agents write.
        if (now > asked) terminal.stdin.write(now > 2 ? 'n\r' : text);
      });
      terminal.once('close', (code) => resolve({ shown, code }));
    });
  const no = await answer('init', 'n\r');
  expect(no.shown).toMatch(
    /would create \.mcp\.json[\s\S]*\+<!-- baton:begin -->[\s\S]*\nEach line: baton init --dry-run\r\n[^\n]*Go ahead\? \[y\/N\][\s\S]*Nothing was written\./,
  );
  expect(no.code).toBe(1);
  expect((await answer('init', '\u0003')).shown).toContain('Nothing was written.');
  expect(existsSync(join(folder, '.mcp.json'))).toBe(false);
  const yes = await answer('init', 'y\r');
  expect(yes.code).toBe(0);
  expect(yes.shown).toMatch(
    /\r\ncreated \.mcp\.json \(8 lines\)\r\ncreated \.claude\/settings\.json \(\d\d lines\)\r\n/,
  );
  expect(yes.shown.match(/Hosts start it as/g)).toHaveLength(1);
  expect((await baton(['init'])).stdout).toMatch(/Nothing to do/);
  expect((await answer('init --undo --yes', '')).shown).not.toContain('[y/N]');
  expect(existsSync(join(folder, '.mcp.json'))).toBe(false);
});

verifies(['INIT.agents'], 'on a terminal it offers once to let agents write, and no is the default', async () => {
  const { folder, environment, baton } = stage();
  const settings = join(folder, 'home/.config/baton/config.json');
  environment.HOME = join(folder, 'home');
  mkdirSync(environment.HOME);
  /** Each answer is typed when its question is there. */
  const answer = (words: string, answers: readonly string[]) =>
    new Promise<{ shown: string; code: number | null }>((resolve) => {
      const command = `'${process.execPath}' '${program}' ${words}`;
      const options = { cwd: folder, env: { ...environment, NO_COLOR: '1' } };
      const terminal = spawn('script', ['-qec', command, '/dev/null'], options);
      let [shown, typed] = ['', 0];
      terminal.stdout.on('data', (chunk) => {
        shown += chunk;
        while (shown.split('[y/N]').length - 1 > typed) {
          terminal.stdin.write(answers[typed] ?? 'n\r');
          typed += 1;
        }
      });
      terminal.once('close', (code) => resolve({ shown, code }));
    });
  const offered = /ask its own agent once to write the handoff\?/;
  const refused = await answer('init', ['y\r', '\r']);
  expect(refused).toMatchObject({ code: 0, shown: expect.stringMatching(offered) });
  expect([existsSync(join(folder, '.mcp.json')), existsSync(settings)]).toEqual([true, false]);
  expect((await answer('init --undo', ['y\r'])).shown).not.toMatch(offered);
  expect((await answer('init --only docs', ['y\r'])).shown).not.toMatch(offered);
  await baton(['init', '--undo', '--yes']);
  const agreed = await answer('init', ['y\r', 'y\r']);
  expect(agreed.shown.replaceAll(/\s+/g, ' ')).toContain('with the tokens of your account');
  expect(JSON.parse(readFileSync(settings, 'utf8'))).toEqual({ extractor: 'host' });
  // Who has chosen is not asked again.
  expect((await answer('init --undo', ['y\r'])).shown).not.toMatch(offered);
  expect((await answer('init', ['y\r'])).shown).not.toMatch(offered);
});

verifies(
  ['INIT.installed', 'INIT.launcher'],
  'a packed and installed Baton registers its own script, which starts',
  async () => {
    const { folder, environment } = stage();
    installPacked(folder);
    writeFileSync(join(folder, 'package.json'), JSON.stringify({ devDependencies: { batonpass: version } }));
    execFileSync(process.execPath, ['node_modules/batonpass/bin/baton.js', 'init'], {
      cwd: folder,
      env: environment,
      stdio: 'pipe',
    });

    const { hooks } = JSON.parse(readFileSync(join(folder, '.claude/settings.json'), 'utf8'));
    const [{ command, args }] = hooks.SessionStart[0].hooks;
    expect([command, ...args]).toEqual([
      'node',
      // biome-ignore lint/suspicious/noTemplateCurlyInString: the host fills it in
      '${CLAUDE_PROJECT_DIR}/node_modules/batonpass/bin/baton.js',
      'hook',
      'SessionStart',
    ]);
    // biome-ignore lint/suspicious/noTemplateCurlyInString: as above
    const script = (args[0] as string).replace('${CLAUDE_PROJECT_DIR}', folder);
    const printed = execFileSync(command, [script, '--version'], { cwd: folder, env: environment, encoding: 'utf8' });
    expect(printed.trim()).toBe(version);
  },
);
