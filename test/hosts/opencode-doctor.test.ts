import { expect } from 'vitest';
import { afterEachTest } from '../after-each-test.ts';
import { openStage, type Stage } from '../doors/stage.ts';
import { verifies } from '../verifies.ts';

const stages: Stage[] = [];
afterEachTest(() => {
  for (const stage of stages.splice(0)) stage.close();
});

verifies(
  ['DOCTOR.registration'],
  'a plugin of OpenCode is code, not settings: its hooks are found and tried',
  async () => {
    const stage = openStage({ git: true });
    stages.push(stage);
    await stage.json(['init', '--host', 'opencode']);
    const { stdout } = await stage.baton(['doctor', '--json']);
    const { findings } = JSON.parse(stdout) as { findings: { id: string; level: string; what: string }[] };
    const ids = findings.map(({ id }) => id);
    expect(ids).not.toContain('settings-unreadable');
    expect(ids).toContain('hooks-registered');
    expect(findings.filter(({ level }) => level === 'problem')).toEqual([]);
    // The command is asked for its version, not one of its hooks.
    expect(findings.filter(({ id, what }) => id === 'command-found' && / hook /.test(what))).toEqual([]);
  },
);
