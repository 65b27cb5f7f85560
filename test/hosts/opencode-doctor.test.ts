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
    const { findings } = JSON.parse(stdout) as { findings: { id: string; level: string }[] };
    const ids = findings.map(({ id }) => id);
    expect(ids).not.toContain('settings-unreadable');
    expect(ids).toContain('hooks-registered');
    expect(findings.filter(({ level }) => level === 'problem')).toEqual([]);
    // The command is asked for its version once, and none of its hooks is.
    expect(ids.filter((id) => id === 'command-found')).toHaveLength(1);
  },
);
