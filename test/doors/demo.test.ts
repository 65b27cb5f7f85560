import { mkdirSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'vitest';
import { verifies } from '../verifies.ts';
import { openStage } from './stage.ts';

verifies(['CLI.demo'], 'the demo succeeds, shows the whole flow, and leaves nothing behind', async () => {
  const stage = openStage({ git: false });
  try {
    const temporary = join(stage.folder, 'temporary');
    mkdirSync(temporary);
    const { code, stdout, stderr } = await stage.baton(['demo'], { environment: { TMPDIR: temporary } });
    expect(`${code} ${stderr}`).toMatch(/^0 /);
    const history = stdout.slice(stdout.indexOf('$ baton log'));
    for (const step of ['created', 'approved', 'claimed', 'lapsed', 'acknowledged']) expect(history).toContain(step);
    const byItself = stdout.slice(stdout.indexOf('$ baton hook SessionEnd'));
    for (const step of ['created', 'claimed', 'injected', 'acknowledged']) expect(byItself).toContain(step);
    expect(stdout).toMatch(/\$ kill -9 \d+/);
    expect(readdirSync(temporary).filter((name) => name.startsWith('baton-'))).toEqual([]);
    const killed = Number(stdout.match(/\$ kill -9 (\d+)/)?.[1]);
    expect(() => process.kill(killed, 0)).toThrow(/ESRCH/);
  } finally {
    stage.close();
  }
});

verifies(
  ['CLI.demo'],
  'the demo that a person stops ends quietly at each step, and leaves nothing behind',
  async () => {
    for (const step of ['baton import', 'baton claim --as night', 'baton claim --as day', 'baton hook SessionEnd']) {
      const stage = openStage({ git: false });
      try {
        const temporary = join(stage.folder, 'temporary');
        mkdirSync(temporary);
        Object.assign(stage.environment, { TMPDIR: temporary });
        const child = stage.start(['demo']);
        let printed = '';
        let complaints = '';
        child.stderr?.on('data', (chunk) => {
          complaints += chunk;
        });
        child.stdout?.on('data', (chunk) => {
          const isReached = printed.includes(step);
          printed += chunk;
          if (!isReached && printed.includes(step)) child.kill('SIGINT');
        });
        const code = await new Promise((resolve) => child.once('close', resolve));
        expect([step, code]).toEqual([step, 130]);
        expect(complaints).not.toContain('defect');
        expect(readdirSync(temporary).filter((name) => name.startsWith('baton-'))).toEqual([]);
      } finally {
        stage.close();
      }
    }
  },
);
