import { execFile } from 'node:child_process';
import { mkdirSync, readdirSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect } from 'vitest';
import { afterEachTest } from '../after-each-test.ts';
import { verifies } from '../verifies.ts';
import { openStage, program, type Stage } from './stage.ts';

const stages: Stage[] = [];

afterEachTest(() => {
  for (const stage of stages.splice(0)) stage.close();
});

function stage(): Stage {
  const opened = openStage({ git: true });
  stages.push(opened);
  return opened;
}

/** Runs shell lines at a terminal of their own; `baton` is the command. @returns what the terminal showed. */
async function atTerminal({ folder, environment }: Stage, lines: readonly string[], path = ''): Promise<string> {
  const script = join(folder, 'lines.sh');
  writeFileSync(script, [`baton() { '${process.execPath}' '${program}' "$@"; }`, ...lines, ''].join('\n'));
  const { stdout } = await promisify(execFile)('script', ['-qec', `sh '${script}'`, '/dev/null'], {
    cwd: folder,
    env: { ...environment, NO_COLOR: '1', PATH: `${path}${process.env.PATH}` },
  });
  return stdout.replaceAll('\r\n', '\n');
}

verifies(
  ['CLI.terminal-token'],
  'at the terminal of the claim a step needs no token, and no other has it',
  async () => {
    const opened = stage();
    const { handoff: first } = await opened.json(['create', '--summary', 'First']);
    const { handoff: second } = await opened.json(['create', '--summary', 'Second']);
    const id = (handoff: { id: string }) => handoff.id.slice(-8);
    const claimed = await atTerminal(opened, [
      'stty cols 80',
      'baton claim',
      `baton report ${id(first)} "Half of it"`,
      'baton claim',
    ]);
    expect(claimed).toContain(`\n  baton ack ${id(first)}\n`);
    expect(claimed).not.toMatch(/--token [0-9a-f]/);
    expect(claimed).toMatch(/claimed until .* {2}First/);

    const elsewhere = await opened.baton(['ack', id(second)]);
    expect([elsewhere.code, elsewhere.stdout]).toEqual([4, '']);
    expect(elsewhere.stderr).toContain('token');

    const [file = ''] = readdirSync(join(opened.environment.XDG_STATE_HOME ?? '', 'baton/terminals'));
    expect(statSync(join(opened.environment.XDG_STATE_HOME ?? '', 'baton/terminals', file)).mode & 0o777).toBe(0o600);
  },
);

verifies(['CLI.terminal-token'], 'every step knows the token, and claim --ack too', async () => {
  const opened = stage();
  for (const summary of ['One', 'Two', 'Three']) await opened.json(['create', '--summary', summary]);
  const { handoffs } = (await opened.json(['list'])) as unknown as { handoffs: { id: string }[] };
  const [three, two, one] = handoffs.map((handoff) => handoff.id.slice(-8));
  const lines = [
    'stty cols 80',
    'baton claim',
    `baton claim --ack ${one}`,
    `baton renew ${two} --lease 30m`,
    `baton release ${two}`,
  ];
  await atTerminal(opened, [...lines, `baton claim ${three}`, `baton fail ${three} --reason "No database"`]);
  const events = (await opened.json(['log'])) as unknown as { events: { name: string }[] };
  const steps = events.events.map(({ name }) => name.replace('handoff-', '')).filter((name) => name !== 'created');
  expect(steps.sort()).toEqual(['acknowledged', 'claimed', 'claimed', 'claimed', 'failed', 'released', 'renewed']);
});

verifies(['CLI.terminal-token'], 'a damaged file of tokens is written again', async () => {
  const opened = stage();
  for (const summary of ['First', 'Second']) await opened.json(['create', '--summary', summary]);
  const damage = 'for file in "$XDG_STATE_HOME"/baton/terminals/*.json; do echo {} > "$file"; done';
  const shown = await atTerminal(opened, ['stty cols 80', 'baton claim', damage, 'baton claim']);
  expect(shown.match(/Yours until/g)).toHaveLength(2);
});

verifies(['CLI.terminal-token'], 'where the token cannot be kept, the answer shows it', async () => {
  const opened = stage();
  await opened.json(['create', '--summary', 'First']);
  mkdirSync(join(opened.environment.XDG_STATE_HOME ?? '', 'baton'), { recursive: true });
  writeFileSync(join(opened.environment.XDG_STATE_HOME ?? '', 'baton/terminals'), 'no folder');
  expect(await atTerminal(opened, ['baton claim'])).toMatch(/baton ack \w{8} --token [0-9a-f]{48}\n/);
});

verifies(
  ['PLACE.hostile-repository', 'CLI.terminal-token'],
  'no program of the folder is run, although the PATH leads to it',
  async () => {
    const opened = stage();
    const { handoff } = await opened.json(['create', '--summary', 'First']);
    for (const name of ['tty', 'ps', 'git', 'xdg-open'])
      writeFileSync(join(opened.folder, name), `#!/bin/sh\ntouch '${opened.folder}/canary'\n`, { mode: 0o755 });
    const id = String(handoff.id).slice(-8);
    const shown = await atTerminal(opened, ['baton claim', `baton report ${id} "Half of it"`], '.:');
    expect(shown).toMatch(/claimed until .* {2}First/);
    expect(readdirSync(opened.folder)).not.toContain('canary');
  },
);
