import { existsSync, mkdtempSync, readdirSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'vitest';
import { askGit } from '../../packages/batonpass/src/workspace/git.ts';
import { openStage } from '../doors/stage.ts';
import { verifies } from '../verifies.ts';

verifies(['TRUST.linked-out'], 'no link of a repository leads an exported handoff out of it', async () => {
  const stage = openStage({ git: true });
  const outside = mkdtempSync(join(tmpdir(), 'baton-outside-'));
  try {
    symlinkSync(outside, join(stage.folder, 'handoffs'));
    symlinkSync(outside, join(stage.folder, 'own'));
    askGit(stage.folder, ['add', 'handoffs']);
    const created = await stage.baton(['create', '--summary', 'Mine.', '--json']);
    const { handoff } = JSON.parse(created.stdout) as { handoff: { id: string } };
    // Records go into a folder of this name.
    for (const words of [
      ['--to', 'handoffs'],
      ['--to', 'handoffs/new'],
      ['--form', 'record'],
    ]) {
      const { code, stderr } = await stage.baton(['export', handoff.id, ...words]);
      expect([code, stderr]).toEqual([2, expect.stringMatching(/is a link of this project that leads out of it/)]);
    }
    expect(readdirSync(outside)).toEqual([]);
    // A link that git does not track was made on this machine.
    expect((await stage.baton(['export', handoff.id, '--to', 'own'])).code).toBe(0);
    expect(existsSync(join(outside, 'findings-001.md'))).toBe(true);
  } finally {
    stage.close();
    rmSync(outside, { recursive: true });
  }
});
