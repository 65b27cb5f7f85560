import { execFileSync, spawn } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { afterEach, expect, vi } from 'vitest';
import { openBaton } from '../../packages/batonpass/src/index.ts';
import { askGit } from '../../packages/batonpass/src/workspace/git.ts';
import { openWorkspace } from '../../packages/batonpass/src/workspace/project.ts';
import { readRepositorySettings } from '../../packages/batonpass/src/workspace/repository-settings.ts';
import { openStage, program, type Stage } from '../doors/stage.ts';
import { verifies } from '../verifies.ts';
import { openTrap } from './trap-server.ts';
import { writeSettings, writeTrusted } from './trusted-settings.ts';

const stages: Stage[] = [];

function stage(git = true): Stage {
  const opened = openStage({ git });
  stages.push(opened);
  return opened;
}

afterEach(() => {
  vi.restoreAllMocks();
  vi.unstubAllEnvs();
  for (const opened of stages.splice(0)) opened.close();
});

async function contextOf({ folder: cwd, environment }: Stage, more: Record<string, string> = {}) {
  const baton = await openBaton({ cwd, environment: { ...environment, ...more } });
  await baton.close();
  return baton.context;
}

const wishes = {
  project: 'github.com/victim/secret',
  store: 'sqlite:forged.db',
  agent: 'maria',
  durability: 'normal',
  lease_ms: 86_400_000,
  retention: '1s',
  plans: 'forged-plans',
  extractor: 'model',
  model: { base_url: 'http://127.0.0.1:9/v1', model: 'stranger', timeout_ms: 7 },
};

verifies(['TRUST.stricter'], 'untrusted, only what allows less takes effect', async () => {
  const opened = stage();
  const { configuration: usual, project } = await contextOf(opened);
  writeSettings(opened, { ...wishes, review: 'always', budget: 1_000 });
  const found = await contextOf(opened);
  expect(found.configuration).toEqual({ ...usual, review: 'always', budget: 1_000 });
  expect(found.project).toBe(project);
  expect(found.store_url).toBe(`sqlite:${join(opened.folder, '.git/baton/baton.db')}`);
  expect(found.repository.ignored.toSorted()).toEqual(Object.keys(wishes).toSorted());

  writeSettings(opened, { review: 'never', budget: 9_999_999 });
  expect((await contextOf(opened)).configuration).toEqual(usual);
  writeSettings(opened, { review: 'always' });
  expect((await contextOf(opened, { BATON_REVIEW: 'never' })).configuration.review).toBe('never');
  mkdirSync(join(opened.folder, '.home/.config/baton'), { recursive: true });
  writeFileSync(join(opened.folder, '.home/.config/baton/config.json'), '{"review":"always","budget":500}');
  writeSettings(opened, { review: 'extracted', budget: 1_000 });
  expect((await contextOf(opened)).configuration).toMatchObject({ review: 'always', budget: 500 });
});

verifies(['TRUST.ask'], 'agreed to, exactly these values take effect, until one of them changes', async () => {
  const opened = stage();
  const { git, folder } = opened;
  git('worktree', 'add', '--quiet', join(folder, 'second'), '-b', 'other');
  await writeTrusted(opened, wishes);
  const { configuration, repository } = await contextOf(opened);
  expect(configuration).toMatchObject({ ...wishes, store: `sqlite:${join(folder, 'forged.db')}` });
  expect(repository).toEqual({ is_trusted: true, ignored: [] });
  writeSettings(opened, JSON.stringify(Object.fromEntries(Object.entries(wishes).toReversed()), null, 3));
  expect((await contextOf(opened)).repository.is_trusted).toBe(true);
  const second = { ...opened, folder: join(folder, 'second') };
  writeSettings(second, wishes);
  expect((await contextOf(second)).configuration.agent).toBe('maria');
  writeSettings(opened, { ...wishes, agent: 'other' });
  expect((await contextOf(opened)).repository).toMatchObject({ is_trusted: false });
  writeSettings(opened, { ...wishes, $schema: 'x' });
  expect((await contextOf(opened)).repository.is_trusted).toBe(false);

  // The same values in another repository are another's.
  const elsewhere = stage();
  writeSettings(elsewhere, wishes);
  const environment = { XDG_STATE_HOME: opened.environment.XDG_STATE_HOME ?? '' };
  expect((await contextOf(elsewhere, environment)).repository.is_trusted).toBe(false);
  expect(readdirSync(join(folder, '.git/baton'), { recursive: true }).join()).not.toContain('trust');
});

verifies(['TRUST.ask'], 'what was changed since it was shown, or cannot hold, is not agreed to', async () => {
  const opened = stage();
  writeSettings(opened, wishes);
  const baton = await openBaton({ cwd: opened.folder, environment: opened.environment });
  const shown = await baton.run('project.trust', {});
  expect(shown).toMatchObject({ file: 'baton.config.json', trusted: false });
  expect(shown.values).toContainEqual({ name: 'model.base_url', value: 'http://127.0.0.1:9/v1' });
  expect(shown.values.map(({ name }) => name)).toEqual([
    ...Object.keys(wishes).slice(0, -1),
    'model.base_url',
    'model.model',
    'model.timeout_ms',
  ]);
  const agree = (values_sha256: string | null) => baton.run('project.trust', { values_sha256: values_sha256 ?? '' });
  writeSettings(opened, { ...wishes, agent: 'other' });
  await expect(agree(shown.values_sha256)).rejects.toMatchObject({ code: 'conflict' });
  for (const [settings, code] of [
    [{ reveiw: 'never' }, 'invalid_input'],
    [{ store: 'sqlite:../handoffs.db' }, 'path_outside_root'],
    [{ store: 'sqlite:/tmp/handoffs.db' }, 'path_outside_root'],
    [{ plans: '../plans' }, 'path_outside_root'],
    [{ model: { base_url: 'http://elsewhere.example/v1' } }, 'invalid_input'],
    [{ model: { api_key_env: 'PGPASSWORD' } }, 'invalid_input'],
  ] as const) {
    writeSettings(opened, settings);
    const { values_sha256 } = await baton.run('project.trust', {});
    await expect(agree(values_sha256)).rejects.toMatchObject({ code });
  }
  await baton.close();
  expect(existsSync(join(opened.folder, '.state/baton/trusted'))).toBe(false);
});

verifies(
  ['TRUST.ask'],
  'the command shows every value and asks a person at a terminal; no other caller can agree',
  async () => {
    const { folder, environment, baton, json } = stage();
    writeSettings({ folder, environment }, { agent: 'maria', model: { price: { input: 3, output: 15 } } });
    const piped = await baton(['trust'], { input: 'y\n' });
    expect(piped).toMatchObject({
      code: 1,
      stdout:
        'baton.config.json is not trusted: it can only restrict.\n' +
        '  agent               "maria"\n  model.price.input   3\n  model.price.output  15\n',
    });
    expect(piped.stderr).toContain('! Nothing is trusted: a person decides, at a terminal.');
    const answer = (text: string) =>
      new Promise<string>((resolve) => {
        // Part of util-linux, which every Linux has.
        const command = `'${process.execPath}' '${program}' trust`;
        const terminal = spawn('script', ['-qec', command, '/dev/null'], {
          cwd: folder,
          env: { ...environment, NO_COLOR: '1' },
        });
        let shown = '';
        terminal.stdout.on('data', (chunk) => {
          if (!shown.includes('[y/N]') && `${shown}${chunk}`.includes('[y/N]')) terminal.stdin.write(text);
          shown += chunk;
        });
        terminal.once('close', () => resolve(shown));
      });
    expect(await answer('n\r')).toContain('Nothing is trusted.');
    expect(await json(['status'])).toMatchObject({ actor: { type: 'person' } });
    expect(await answer('y\r')).toMatch(
      /model\.price\.output {2}15[\s\S]*Let these values take effect\? \[y\/N\][\s\S]*baton\.config\.json is trusted/,
    );
    expect(await json(['status'])).toMatchObject({ actor: { name: 'maria' } });
    expect((await baton(['status'])).stderr).not.toContain('not trusted');
    const { kept_in } = await json<{ id: string; kept_in: string }>(['trust']);
    expect(readFileSync(kept_in, 'utf8')).toContain(join(folder, '.git'));
    rmSync(kept_in);
    expect(await json(['status'])).toMatchObject({ actor: { type: 'person' } });
  },
);

verifies(['TRUST.told'], 'doctor says what is ignored, why, and what to do', async () => {
  const opened = stage();
  writeSettings(opened, { project: 'x', '\u001b[31mred': 1 });
  const { stdout, stderr } = await opened.baton(['doctor', '--json']);
  expect(stderr).toBe('');
  const { findings } = JSON.parse(stdout) as { findings: { id: string }[] };
  expect(findings.find(({ id }) => id === 'settings-ignored')).toMatchObject({
    level: 'warning',
    what: "This repository's baton.config.json is not trusted, so it does not set project, what Baton does not know.",
    why: expect.stringContaining('without your consent it can only restrict'),
    next: 'See its values and decide: baton trust',
  });
  await writeTrusted(opened, { project: 'x' });
  expect((await opened.baton(['doctor', '--json'])).stdout).toContain('settings-trusted');
});

verifies(
  ['TRUST.unreadable', 'TRUST.told'],
  'a file that cannot be read is named, and the command continues',
  async () => {
    const opened = stage();
    const path = join(opened.folder, 'baton.config.json');
    const makers: Record<string, () => void> = {
      'is not JSON': () => writeFileSync(path, '{ "review": \u001b[31m'),
      'is not a JSON object': () => writeFileSync(path, '[1]'),
      'is not a regular file': () => symlinkSync('/dev/zero', path),
      'has 70000 bytes': () => writeFileSync(path, ' '.repeat(70_000)),
    };
    for (const [words, make] of Object.entries(makers)) {
      rmSync(path, { force: true });
      make();
      const { code, stderr } = await opened.baton(['create', '--summary', 'x']);
      expect({ code, stderr }).toEqual({ code: 0, stderr: expect.stringContaining(words) });
      expect(stderr).not.toContain('\u001b');
    }
    rmSync(path);
    execFileSync('mkfifo', [path]);
    expect(await opened.baton(['list'])).toMatchObject({
      code: 0,
      stderr: expect.stringContaining('not a regular file'),
    });
    const long = join(opened.folder, 'x'.repeat(300));
    expect(() => readRepositorySettings(long)).toThrow(/cannot be read: ENAMETOOLONG/);
  },
);

verifies(
  ['TRUST.user', 'CLI.configuration'],
  'the user’s own file sets everything, below the environment',
  async () => {
    const opened = stage();
    const path = join(opened.folder, '.home/.config/baton/config.json');
    mkdirSync(dirname(path), { recursive: true });
    const own = join(opened.folder, 'own.db');
    writeFileSync(
      path,
      JSON.stringify({ ...wishes, store: `sqlite:${own}`, model: { base_url: 'https://own.example/v1' } }),
    );
    expect(await contextOf(opened)).toMatchObject({
      store_url: `sqlite:${own}`,
      project: wishes.project,
      configuration: { agent: 'maria', extractor: 'model', model: { base_url: 'https://own.example/v1' } },
    });
    expect((await contextOf(opened, { BATON_AGENT: 'sam' })).configuration.agent).toBe('sam');
    writeFileSync(path, '{ "store": "sqlite:relative.db" }');
    await expect(contextOf(opened)).rejects.toMatchObject({ code: 'invalid_input' });
    writeFileSync(path, '{ "store": ');
    await expect(contextOf(opened)).rejects.toMatchObject({ code: 'parse_error' });
    writeFileSync(path, '{ "stor": 1 }');
    await expect(contextOf(opened)).rejects.toMatchObject({ code: 'invalid_input' });
  },
);

verifies(['TRUST.no-secrets'], 'a trusted server gets no password of the user’s', async () => {
  // Each password message is refused, as a server does.
  const asks = Buffer.from([0x52, 0, 0, 0, 8, 0, 0, 0, 3]);
  const refusal = Buffer.from('SERROR\0C28P01\0Mno\0\0');
  const refused = Buffer.concat([Buffer.from([0x45, 0, 0, 0, refusal.length + 4]), refusal]);
  const trap = await openTrap((socket, sent) => {
    if (sent[0] === 0x70) socket.end(refused);
    else socket.write(asks);
  });
  const opened = stage();
  writeFileSync(join(opened.folder, '.home.pgpass'), '*:*:*:*:password-of-a-file\n', { mode: 0o600 });
  Object.assign(opened.environment, {
    PGPASSWORD: 'password-of-the-user',
    PGPASSFILE: join(opened.folder, '.home.pgpass'),
  });
  const { port } = trap;
  for (const store of [
    `postgres://sam@127.0.0.1:${port}/db`,
    `postgres://sam@127.0.0.1:${port}/db#x`,
    `postgres:///db?host=127.0.0.1&port=${port}&user=sam`,
    `postgres://sam:@127.0.0.1:${port}/db?password=`,
  ]) {
    await writeTrusted(opened, { store });
    expect((await opened.baton(['list'])).code).not.toBe(0);
    expect((await opened.baton(['store', 'migrate'])).code).not.toBe(0);
  }
  expect(trap.text()).toContain('none');
  expect(trap.text()).not.toContain('password-of');
  await writeTrusted(opened, { store: `postgres://sam:in-the-url@127.0.0.1:${port}/db` });
  await opened.baton(['list']);
  expect(trap.text()).toContain('in-the-url');
  // Who names the server is asked for the password, and gives it.
  await opened.baton(['list', '--store', `postgres://sam@127.0.0.1:${port}/db`]);
  expect(trap.text()).toContain('password-of-the-user');
});

verifies(['TRUST.owner'], 'a repository of another user opens nothing, unless git was told to trust it', () => {
  const { folder } = stage();
  // Git has this variable for its own tests of the same rule.
  vi.stubEnv('GIT_TEST_ASSUME_DIFFERENT_OWNER', '1');
  vi.stubEnv('GIT_CONFIG_GLOBAL', join(folder, 'global'));
  const user = process.geteuid?.() ?? 0;
  vi.spyOn(process, 'geteuid').mockReturnValue(user + 1);
  mkdirSync(join(folder, 'below'));
  expect(() => openWorkspace(join(folder, 'below'))).toThrow(/dubious ownership/);
  writeFileSync(join(folder, 'global'), `[safe]\n\tdirectory = ${folder}\n`);
  expect(openWorkspace(join(folder, 'below')).root).toBe(folder);
});

verifies(
  ['TRUST.pointer'],
  'work trees, submodules and a git folder within open; a pointer to another’s does not',
  () => {
    const [own, other] = [stage(), stage()];
    const { git, folder } = own;
    const at = (path: string) => openWorkspace(path);
    git('worktree', 'add', '--quiet', join(folder, 'tree'));
    git('-c', 'protocol.file.allow=always', 'submodule', '--quiet', 'add', other.folder, 'sub');
    expect(at(join(folder, 'tree'))).toEqual({ root: join(folder, 'tree'), git_common_dir: join(folder, '.git') });
    expect(at(join(folder, 'sub')).git_common_dir).toBe(join(folder, '.git/modules/sub'));

    const bare = stage(false).folder;
    execFileSync('git', ['clone', '--quiet', '--bare', folder, join(bare, '.bare')]);
    writeFileSync(join(bare, '.git'), 'gitdir: ./.bare\n');
    expect(at(bare)).toEqual({ root: bare, git_common_dir: join(bare, '.bare') });

    const apart = stage(false).folder;
    execFileSync('git', ['init', '--quiet', `--separate-git-dir=${join(folder, 'apart')}`, apart]);
    expect(() => at(apart)).toThrow(/does not name this folder back/);
    execFileSync('git', [`--git-dir=${join(folder, 'apart')}`, 'config', 'core.worktree', apart]);
    expect(at(apart).git_common_dir).toBe(join(folder, 'apart'));

    for (const target of [
      join(other.folder, '.git'),
      join(folder, '.git/worktrees/tree'),
      join(folder, '.git/modules/sub'),
    ]) {
      const hostile = stage(false).folder;
      writeFileSync(join(hostile, '.git'), `gitdir: ${target}\n`);
      expect(() => at(hostile)).toThrow(/does not name this folder back/);
      rmSync(join(hostile, '.git'));
      symlinkSync(target, join(hostile, '.git'));
      expect(() => at(hostile)).toThrow(/does not name this folder back/);
    }
    writeFileSync(join(other.folder, '.git/commondir'), join(folder, '.git'));
    expect(() => at(other.folder)).toThrow(/which it is no work tree of/);
  },
);

verifies(
  ['PLACE.hostile-repository'],
  'a folder in the form of a bare repository is none, with anything around it',
  () => {
    const { folder, git } = stage();
    const canary = join(folder, 'canary');
    git('clone', '--quiet', '--bare', '.', 'bare');
    writeFileSync(
      join(folder, 'bare/config'),
      `[core]\n\tbare = false\n\tworktree = .\n\tfsmonitor = "touch ${canary}"\n`,
    );
    expect(() => askGit(join(folder, 'bare'), ['status', '--porcelain'])).toThrow(/does not answer/);
    expect(existsSync(canary)).toBe(false);
  },
);

verifies(
  ['HTTP.lock-out', 'TRUST.stricter'],
  'proxies are named by the user alone, and count for the server',
  async () => {
    const opened = stage();
    writeSettings(opened, { proxies: ['10.0.0.0/8'] });
    expect((await contextOf(opened)).configuration.proxies).toEqual([]);
    await expect(writeTrusted(opened, { proxies: ['10.0.0.0/8'] })).rejects.toMatchObject({
      code: 'invalid_input',
      message: expect.stringContaining('only your own settings can do that'),
    });
    writeSettings(opened, {});
    mkdirSync(join(opened.folder, '.home/.config/baton'), { recursive: true });
    const own = (proxies: string[]) =>
      writeFileSync(join(opened.folder, '.home/.config/baton/config.json'), JSON.stringify({ proxies }));
    own(['10.0.0.7', 'fd00::/8']);
    expect((await contextOf(opened)).configuration.proxies).toEqual(['10.0.0.7', 'fd00::/8']);
    own(['proxy.example']);
    const served = await opened.baton(['studio', '--no-open']);
    expect(served).toMatchObject({ stderr: expect.stringContaining('"proxy.example" is not the address of a proxy') });
  },
);
