import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, existsSync, mkdirSync, readFileSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { afterEach, expect } from 'vitest';
import type { StudioFacts } from '../../../packages/batonpass/src/doors/http/studio.ts';
import { verifies } from '../../verifies.ts';
import { openStage, program, type Stage } from '../stage.ts';

const stages: Stage[] = [];
const children: ChildProcess[] = [];

afterEach(async () => {
  for (const child of children.splice(0)) await end(child, 'SIGKILL');
  for (const stage of stages.splice(0)) stage.close();
});

function openFolder(): Stage {
  const stage = openStage({ git: true });
  stages.push(stage);
  return stage;
}

interface Started {
  child: ChildProcess;
  facts: StudioFacts;
  told: Promise<string>;
}

/** Starts the command and waits until it says where it listens. */
async function start(stage: Stage, words: string[] = [], environment: NodeJS.ProcessEnv = {}): Promise<Started> {
  const child = spawn(process.execPath, [program, 'studio', '--json', ...words], {
    cwd: stage.folder,
    env: { ...stage.environment, DISPLAY: '', WAYLAND_DISPLAY: '', BROWSER: '', ...environment },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  children.push(child);
  const told = text(child.stderr ?? process.stdin);
  let printed = '';
  for await (const piece of child.stdout ?? []) {
    printed += String(piece);
    if (printed.trimEnd().endsWith('}')) break;
  }
  if (printed === '') throw new Error(`studio said nothing: ${await told}`);
  return { child, facts: JSON.parse(printed) as StudioFacts, told };
}

async function end(child: ChildProcess, signal: NodeJS.Signals): Promise<number | null> {
  if (child.exitCode === null && child.signalCode === null) {
    const exited = once(child, 'exit');
    child.kill(signal);
    await exited;
  }
  return child.exitCode;
}

const wordOf = (stage: Stage) => join(stage.folder, '.git/baton/baton.db.server.json');

verifies(
  ['HTTP.studio', 'HTTP.exposure'],
  'it serves, the next start finds it, and its end leaves nothing behind',
  async () => {
    const stage = openFolder();
    const first = await start(stage);
    expect(first.facts).toMatchObject({ is_reused: false, is_exposed: false, auth: false, is_opened: false });
    expect(first.facts.url).toMatch(/^http:\/\/127\.0\.0\.1:\d+$/);
    expect((await fetch(`${first.facts.url}/ready`)).status).toBe(200);
    expect(statSync(wordOf(stage)).mode & 0o777).toBe(0o600);

    const second = await start(stage);
    expect(second.facts).toMatchObject({ is_reused: true, url: first.facts.url, pid: first.facts.pid });
    expect(second.facts.browser_url).not.toBe(first.facts.browser_url);
    if (second.child.exitCode === null) await once(second.child, 'exit');
    expect([second.child.exitCode, await second.told]).toEqual([0, '']);

    expect(await end(first.child, 'SIGTERM')).toBe(143);
    expect(existsSync(wordOf(stage))).toBe(false);
    await expect(fetch(`${first.facts.url}/health`)).rejects.toThrow();
  },
);

verifies(['HTTP.studio'], 'what a killed server left behind misleads no client', async () => {
  const stage = openFolder();
  const first = await start(stage);
  await end(first.child, 'SIGKILL');
  expect(existsSync(wordOf(stage))).toBe(true);
  const second = await start(stage);
  expect(second.facts.is_reused).toBe(false);
  expect(JSON.parse(readFileSync(wordOf(stage), 'utf8')).pid).toBe(second.child.pid);
});

verifies(
  ['HTTP.proof', 'HTTP.studio'],
  'a process that listens where a killed server was gets no token, and nothing of it is printed',
  async () => {
    const stage = openFolder();
    const first = await start(stage);
    const { token } = JSON.parse(readFileSync(wordOf(stage), 'utf8')) as { token: string };
    const word = readFileSync(wordOf(stage));
    await end(first.child, 'SIGKILL');
    const asked: { url: string | undefined; headers: string; body: string }[] = [];
    let answer = '';
    const impostor = createServer(async (request, response) => {
      asked.push({ url: request.url, headers: JSON.stringify(request.headers), body: await text(request) });
      response.setHeader('content-type', 'application/json').end(answer);
    });
    await new Promise<void>((resolve) => impostor.listen(Number(new URL(first.facts.url).port), '127.0.0.1', resolve));
    try {
      const lies = [
        '{"link":"link_\\u001b[2J evil","proof":"link_evil"}',
        JSON.stringify({ proof: 'x'.repeat(43) }),
        JSON.stringify({ proof: 'x'.repeat(100_000) }),
        'evil',
      ];
      for (const lie of lies) {
        answer = lie;
        writeFileSync(wordOf(stage), word);
        const next = await start(stage);
        expect(next.facts.is_reused).toBe(false);
        expect(JSON.stringify(next.facts)).not.toContain('evil');
        await end(next.child, 'SIGKILL');
      }
      expect(asked).toHaveLength(lies.length);
      expect(JSON.stringify(asked)).not.toContain(token);
      // A file that somebody else may have put there is not even looked into.
      for (const spoil of [
        () => chmodSync(wordOf(stage), 0o644),
        () => writeFileSync(wordOf(stage), String(word).replace('127.0.0.1', 'evil.example')),
      ]) {
        writeFileSync(wordOf(stage), word);
        spoil();
        const next = await start(stage);
        expect(next.facts.is_reused).toBe(false);
        await end(next.child, 'SIGKILL');
        chmodSync(wordOf(stage), 0o600);
      }
      expect(asked).toHaveLength(lies.length);
    } finally {
      impostor.closeAllConnections();
      await new Promise((resolve) => impostor.close(resolve));
    }
  },
);

verifies(['HTTP.studio', 'HTTP.browser'], 'the browser gets an address that lets it in', async () => {
  const stage = openFolder();
  const browser = join(stage.folder, 'browser.sh');
  const shown = join(stage.folder, 'shown');
  writeFileSync(browser, `#!/bin/sh\nprintf %s "$1" > ${shown}.part && mv ${shown}.part ${shown}\n`);
  chmodSync(browser, 0o755);
  const { facts } = await start(stage, [], { BROWSER: browser });
  expect(facts.is_opened).toBe(true);
  // The browser is a separate process; the server answers while it starts.
  while (!existsSync(shown)) await fetch(`${facts.url}/health`);
  const [url, secret] = readFileSync(shown, 'utf8').split('/#enter=');
  expect(url).toBe(facts.url);
  const body = JSON.stringify({ secret });
  const answer = await fetch(`${url}/api/session`, {
    method: 'POST',
    body,
    headers: { 'content-type': 'application/json' },
  });
  expect(answer.status).toBe(200);
  const quiet = await start(stage, ['--no-open'], { BROWSER: browser });
  expect(quiet.facts.is_opened).toBe(false);
});

verifies(['PLACE.hostile-repository', 'HTTP.browser'], 'no browser of the folder worked in is started', async () => {
  const stage = openFolder();
  writeFileSync(join(stage.folder, 'xdg-open'), `#!/bin/sh\ntouch ${stage.folder}/canary\n`, { mode: 0o755 });
  const programs = join(stage.folder, 'programs');
  mkdirSync(programs);
  symlinkSync(execFileSync('sh', ['-c', 'command -v git'], { encoding: 'utf8' }).trim(), join(programs, 'git'));
  const { child, facts } = await start(stage, [], { DISPLAY: ':0', PATH: `.:${programs}` });
  expect(facts.is_opened).toBe(false);
  await end(child, 'SIGTERM');
  expect(existsSync(join(stage.folder, 'canary'))).toBe(false);
});

verifies(
  ['HTTP.exposure', 'HTTP.secrets'],
  'beyond this machine it reports that, and its log holds no token',
  async () => {
    const stage = openFolder();
    const refused = await stage.baton(['studio', '--host', '0.0.0.0', '--json']);
    expect([refused.code, JSON.parse(refused.stderr).error.code]).toEqual([2, 'invalid_input']);
    const { token } = await stage.json<{ token: string }>(['token', 'create', 'codex']);
    const { child, facts, told } = await start(stage, ['--host', '0.0.0.0', '--auth']);
    expect(facts).toMatchObject({ is_exposed: true, auth: true });
    expect(facts.browser_url).toBeUndefined();
    const url = `http://127.0.0.1:${new URL(facts.url).port}`;
    const answer = await fetch(`${url}/api/handoff.status?token=${token}`, {
      headers: { authorization: `Bearer ${token}` },
    });
    expect(answer.status).toBe(400);
    await end(child, 'SIGTERM');
    expect(await told).not.toContain(token.split('_')[2]);
    expect(existsSync(wordOf(stage))).toBe(false);
  },
);

verifies(['HTTP.tokens', 'HTTP.exposure'], 'the commands say what was made, and what is exposed', async () => {
  const stage = openFolder();
  const made = await stage.baton(['token', 'create', 'codex', '--role', 'reviewer', '--expires', '1d']);
  expect(made.stdout).toMatch(/^baton_[0-9a-f]{24}_[\w-]{43}\n$/);
  expect(made.stderr).toContain('codex is reviewer of');
  expect((await stage.baton(['token', 'list'])).stdout).toMatch(/codex\s+reviewer/);
  const child = spawn(process.execPath, [program, 'studio', '--no-open', '--auth'], {
    cwd: stage.folder,
    env: stage.environment,
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  children.push(child);
  let told = '';
  for await (const piece of child.stderr) {
    told += String(piece);
    if (told.includes('Ctrl-C')) break;
  }
  expect(told).toMatch(
    /^Listens on http:\/\/127\.0\.0\.1:\d+: this machine only; only tokens have access\.\nServes .*\/mcp/,
  );
});
