import { execFileSync, spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, statSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { afterEach, expect } from 'vitest';
import { askGit } from '../../packages/batonpass/src/workspace/git.ts';
import { openWorkspace, readBranch } from '../../packages/batonpass/src/workspace/project.ts';
import { identifyProject } from '../../packages/batonpass/src/workspace/project-identity.ts';
import { normalizeRemote } from '../../packages/batonpass/src/workspace/remote.ts';
import { openStage, program, type Stage } from '../doors/stage.ts';
import { writeTrusted } from '../trust/trusted-settings.ts';
import { verifies } from '../verifies.ts';

const stages: Stage[] = [];

function stage(git: boolean): Stage {
  const opened = openStage({ git });
  stages.push(opened);
  return opened;
}

afterEach(() => {
  for (const opened of stages.splice(0)) opened.close();
});

const count = async ({ json }: Stage, folder?: string) =>
  (await json<{ handoffs: unknown[] }>(['list'], folder === undefined ? {} : { folder })).handoffs.length;

verifies(['PLACE.common-dir'], 'the store survives git clean -fdx and git stash -a', async () => {
  const opened = stage(true);
  await opened.baton(['create', '--summary', 'Keep me']);
  writeFileSync(join(opened.folder, 'untracked.txt'), 'x');
  opened.git('stash', '--all', '--quiet');
  opened.git('clean', '-fdx', '--quiet');
  expect(existsSync(join(opened.folder, 'untracked.txt'))).toBe(false);
  expect(await count(opened)).toBe(1);
  expect(statSync(join(opened.folder, '.git/baton/baton.db')).mode & 0o777).toBe(0o600);
});

verifies(['PLACE.worktrees'], 'two worktrees and their sub-folders share one store and one project', async () => {
  const opened = stage(true);
  await opened.baton(['create', '--summary', 'From the first']);
  const second = join(opened.folder, 'second');
  opened.git('worktree', 'add', '--quiet', second, '-b', 'other');
  mkdirSync(join(second, 'src'));
  const claimed = await opened.json<{ handoff: { content: { summary: string } } }>(['claim'], {
    folder: join(second, 'src'),
  });
  expect(claimed.handoff.content.summary).toBe('From the first');
  expect(await count(opened, second)).toBe(1);
});

verifies(
  ['PLACE.outside-git'],
  'outside git the store is in the user’s state folder, one for each project',
  async () => {
    const opened = stage(false);
    for (const name of ['one', 'two']) {
      mkdirSync(join(opened.folder, name));
      await opened.baton(['create', '--summary', name], { folder: join(opened.folder, name) });
    }
    expect(existsSync(join(opened.folder, '.state/baton/baton.db'))).toBe(true);
    expect(await count(opened, join(opened.folder, 'one'))).toBe(1);
  },
);

verifies(
  ['PLACE.project'],
  'a project is its remote without credentials, else its root commit, else its folder’s name',
  async () => {
    const opened = stage(true);
    const root = opened.git('rev-list', '--max-parents=0', 'HEAD').trim();
    expect(identifyProject(openWorkspace(opened.folder))).toBe(root);
    opened.git('remote', 'add', 'upstream', 'https://example.com/up/stream.git');
    opened.git('remote', 'add', 'origin', 'https://sam:secret@github.com/acme/tidepool.git');
    expect(identifyProject(openWorkspace(opened.folder))).toBe('github.com/acme/tidepool');
    const bare = stage(false);
    mkdirSync(join(bare.folder, 'notes'));
    expect(identifyProject(openWorkspace(join(bare.folder, 'notes')))).toMatch(/^notes-[0-9a-f]{8}$/);
    mkdirSync(join(bare.folder, 'other/notes'), { recursive: true });
    const [one, two] = ['notes', 'other/notes'].map((path) => identifyProject(openWorkspace(join(bare.folder, path))));
    expect(one).not.toBe(two);
  },
);

verifies(['CLI.errors'], 'a folder that does not exist is named, with the option that gives it', () => {
  const folder = join(stage(false).folder, 'absent');
  expect(() => openWorkspace(folder)).toThrowError(
    expect.objectContaining({
      code: 'file_not_found',
      message: `The folder ${folder} does not exist.`,
      alternatives: [expect.stringContaining('--cwd')],
    }),
  );
});

verifies(['PLACE.pinned'], 'a remote that comes later hides nothing that was handed over before', async () => {
  const opened = stage(false);
  opened.git('init', '--quiet');
  await opened.baton(['create', '--summary', 'Before the first commit']);
  opened.git('commit', '--quiet', '--allow-empty', '--message=begin');
  opened.git('remote', 'add', 'origin', 'https://github.com/acme/tidepool.git');
  expect(await count(opened)).toBe(1);
  const claimed = await opened.json<{ handoff: { project: string } }>(['claim']);
  expect(claimed.handoff.project).toMatch(new RegExp(`^${basename(opened.folder)}-[0-9a-f]{8}$`));
});

verifies(['PLACE.project'], 'every spelling of a remote is one project, and none keeps credentials', () => {
  const spellings = [
    'https://github.com/acme/tidepool',
    'https://github.com/acme/tidepool.git/',
    'https://user:token@github.com/acme/tidepool.git',
    'ssh://git@github.com:22/acme/tidepool.git',
    'git@github.com:acme/tidepool.git',
    'GitHub.com:acme/tidepool',
  ];
  for (const spelling of spellings) expect(normalizeRemote(spelling)).toBe('github.com/acme/tidepool');
  for (const secret of [
    'https://user:p@ssw0rd@github.com/acme/tidepool.git',
    'https://user:sec/ret@github.com/acme/tidepool',
    'https://user:secret@github.com:8443/acme/tidepool',
  ]) {
    expect(normalizeRemote(secret)).toBe('github.com/acme/tidepool');
  }
  expect(normalizeRemote('https://user:secret@[::1]:8080/x.git')).toBe('[::1]/x');
  expect(normalizeRemote('https://user:secret@host:8443')).toBe('host');
  expect(normalizeRemote('/srv/git/tidepool.git')).toBe('/srv/git/tidepool');
  expect(normalizeRemote('C:/git/tidepool')).toBe('C:/git/tidepool');
});

/** The host that git hands to ssh for a remote. */
function hostOfGit(url: string, folder: string): string {
  const ssh = join(folder, 'ssh');
  writeFileSync(
    ssh,
    '#!/bin/sh\nfor word do case $word in git-*) ;; *) last=$word;; esac; done\necho "<$last>" >&2\n',
    {
      mode: 0o755,
    },
  );
  const env = { ...process.env, GIT_SSH_COMMAND: `'${ssh}'`, GIT_SSH_VARIANT: 'ssh' };
  const { stderr } = spawnSync('git', ['ls-remote', url], { cwd: folder, env, encoding: 'utf8' });
  return /<(?:.*@)?([^>]*)>/.exec(stderr)?.[1] ?? '';
}

verifies(['PLACE.remote-host'], 'a remote names the host that git connects to, however it is written', () => {
  const { folder } = stage(false);
  const remotes: [string, string][] = [
    ['git@evil.example:x@github.com:victim/repo.git', 'evil.example/x@github.com:victim/repo'],
    ['evil.example:x@github.com:victim/repo.git', 'evil.example/x@github.com:victim/repo'],
    ['a@b@evil.example:x@github.com:victim/repo', 'evil.example/x@github.com:victim/repo'],
    ['ssh://git@evil.example%2Fx@github.com/victim/repo', 'evil.example%2Fx@github.com/victim/repo'],
    ['ssh://github.com%40evil.example/x@github.com/victim/repo', 'evil.example/x@github.com/victim/repo'],
    ['ssh://evil.example:+22/y@github.com/victim/repo', 'evil.example/y@github.com/victim/repo'],
    ['git+ssh://evil.example:/y@github.com/victim/repo', 'evil.example/y@github.com/victim/repo'],
    ['git@github.com:victim/a@b:c', 'github.com/victim/a@b:c'],
    ['[git@github.com:2222]:victim/repo', 'github.com/victim/repo'],
  ];
  for (const [url, identity] of remotes) {
    expect(normalizeRemote(url)).toBe(identity);
    expect(identity, url).toMatch(new RegExp(`^${hostOfGit(url, folder)}[/%]`));
  }
  // ssh gets an address without its brackets.
  for (const [url, identity] of [
    ['ssh://2001:db8::bad/y@github.com/victim/repo', '2001:db8::bad/y@github.com/victim/repo'],
    ['ssh://git@[2001:db8::bad]:22/victim/repo', '[2001:db8::bad]/victim/repo'],
    ['git@[2001:db8::bad]:victim/repo', '[2001:db8::bad]/victim/repo'],
  ] as const) {
    expect(normalizeRemote(url)).toBe(identity);
    expect(hostOfGit(url, folder)).toBe('2001:db8::bad');
  }
});

verifies(['PLACE.remote-host'], 'what git reads as no host of its own takes no host’s name', () => {
  const remotes: [string, string][] = [
    // libcurl ends a host there.
    ['https://evil.example?x@github.com/victim/repo', 'evil.example?x@github.com/victim/repo'],
    ['https://evil.example#@github.com/victim/repo', 'evil.example#@github.com/victim/repo'],
    ['file://x@github.com/victim/repo', '//x@github.com/victim/repo'],
    ['github.com/victim/repo.git', './github.com/victim/repo'],
    ['ext::ssh evil.example x@github.com:victim/repo', 'ext::github.com/victim/repo'],
    ['https::https://user:secret@evil.example/x', 'https::evil.example/x'],
  ];
  for (const [url, identity] of remotes) expect(normalizeRemote(url)).toBe(identity);
  const opened = stage(true);
  opened.git('remote', 'add', 'other', 'https://evil.example/x\nremote.origin.url git@github.com:victim/repo');
  expect(identifyProject(openWorkspace(opened.folder))).toMatch(/^evil\.example\/x/);
});

verifies(
  ['PLACE.common-dir', 'CLI.errors'],
  'a repository that git does not answer for is an error, not another store',
  async () => {
    const opened = stage(false);
    writeFileSync(join(opened.folder, '.git'), 'gitdir: /nowhere/at/all\n');
    const { code, stderr } = await opened.baton(['create', '--summary', 'x']);
    expect(code).toBe(9);
    expect(stderr).toContain('Git does not answer for the repository');
    expect(existsSync(join(opened.folder, '.state'))).toBe(false);
  },
);

verifies(['PLACE.project'], 'an environment that points git elsewhere does not change the project', async () => {
  const [here, elsewhere] = [stage(true), stage(true)];
  elsewhere.git('remote', 'add', 'origin', 'https://github.com/acme/elsewhere.git');
  const environment = { GIT_DIR: join(elsewhere.folder, '.git') };
  const { project } = await here.json<{ project: string }>(['status'], { environment });
  expect(project).toBe(here.git('rev-list', '--max-parents=0', 'HEAD').trim());
});

verifies(
  ['PLACE.outside-git', 'CLI.configuration'],
  'a store that the project’s file names is in the project, for every folder of it',
  async () => {
    const opened = stage(true);
    await writeTrusted(opened, { store: 'sqlite:handoffs.db' });
    mkdirSync(join(opened.folder, 'src'));
    await opened.baton(['create', '--summary', 'x'], { folder: join(opened.folder, 'src') });
    expect(await count(opened)).toBe(1);
    expect(existsSync(join(opened.folder, 'handoffs.db'))).toBe(true);
  },
);

verifies(['PLACE.hostile-repository'], 'nothing that a repository’s configuration names is run', async () => {
  const opened = stage(true);
  const canary = join(opened.folder, 'canary');
  const checker = join(opened.folder, 'checker');
  writeFileSync(checker, `#!/bin/sh\ntouch ${canary}\n`, { mode: 0o755 });
  opened.git('config', 'gpg.program', checker);
  mkdirSync(join(opened.folder, '.specstory/history'), { recursive: true });
  writeFileSync(join(opened.folder, '.specstory/history/a.md'), '_**User**_\n\nhello\n');
  opened.git('add', '.specstory');
  const head = `tree ${opened.git('write-tree').trim()}\nauthor a <a@b> 1700000000 +0000\ncommitter a <a@b> 1700000000 +0000`;
  const signature = 'gpgsig -----BEGIN PGP SIGNATURE-----\n \n iQ\n -----END PGP SIGNATURE-----';
  writeFileSync(join(opened.folder, 'signed'), `${head}\n${signature}\n\nsigned\n`);
  opened.git('reset', '--quiet', '--soft', opened.git('hash-object', '-t', 'commit', '-w', 'signed').trim());
  opened.git('config', 'core.fsmonitor', `touch ${canary}; false`);
  opened.git('config', 'core.pager', `touch ${canary}`);
  opened.git('config', 'log.showSignature', 'true');
  expect(askGit(opened.folder, ['status', '--porcelain'])).not.toBeNull();
  await opened.baton(['sessions']);
  await opened.baton(['sessions', '--repository']);
  expect(existsSync(canary)).toBe(false);
});

verifies(['CLI.node-version'], 'with an old Node the user sees what to do before anything is imported', () => {
  for (const old of ['20.20.2', '22.22.2', '23.11.1', '24.14.1']) expect(runUnder(old)).toMatchObject({ status: 10 });
  const failure = runUnder('20.20.2');
  expect(failure.stderr).toMatch(/Node 20\.20\.2 is too old; Baton needs 22\.22\.3, 24\.15 or newer/);
  expect(failure.stderr).toContain('nvm install 24');
  for (const new_enough of ['22.22.3', '24.15.0', '26.0.0']) expect(runUnder(new_enough).status).toBeUndefined();
});

function runUnder(version: string): { status?: number; stderr?: string } {
  const pretend = `Object.defineProperty(process.versions, 'node', { value: '${version}' }); process.argv.push('--version'); await import(${JSON.stringify(program)});`;
  try {
    execFileSync(process.execPath, ['--input-type=module', '-e', pretend], { encoding: 'utf8', stdio: 'pipe' });
  } catch (error) {
    return error as { status: number; stderr: string };
  }
  return {};
}

verifies(
  ['PLACE.branch'],
  'the branch is read from git’s file: of work trees, with slashes, detached, before a commit',
  () => {
    const opened = stage(true);
    const branchOf = (folder: string) => readBranch(openWorkspace(folder));
    expect(branchOf(opened.folder)).toBe(opened.git('symbolic-ref', '--short', 'HEAD').trim());
    opened.git('checkout', '--quiet', '-b', 'feature/a.b');
    mkdirSync(join(opened.folder, 'src'));
    expect(branchOf(join(opened.folder, 'src'))).toBe('feature/a.b');
    const other = join(opened.folder, 'other tree');
    opened.git('worktree', 'add', '--quiet', '-b', 'second', other);
    expect([branchOf(other), branchOf(opened.folder)]).toEqual(['second', 'feature/a.b']);
    opened.git('checkout', '--quiet', '--detach');
    expect(branchOf(opened.folder)).toBeUndefined();
    // A form that only git can read, as with other stores of references.
    writeFileSync(join(opened.folder, '.git/HEAD'), 'ref: refs/kept/elsewhere\n');
    expect(branchOf(opened.folder)).toBe('kept/elsewhere');
    const empty = join(opened.folder, 'empty');
    execFileSync('git', ['init', '--quiet', '--initial-branch=trunk', empty]);
    expect(branchOf(empty)).toBe('trunk');
    expect(branchOf(stage(false).folder)).toBeUndefined();
  },
);
