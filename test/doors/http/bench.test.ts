import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'vitest';
import { contendersOf } from '../../../bench/http.ts';
import { startParticipant } from '../../../bench/processes.ts';
import { openStore } from '../../../packages/batonpass/src/index.ts';
import { verifies } from '../../verifies.ts';

verifies(['HTTP.bench'], 'the door and the bare route do the same work for the same clients', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'baton-http-'));
  const participant = await startParticipant('http-client-process.ts', []);
  try {
    for (const task of ['list', 'claim'] as const) {
      let taken = 0;
      const sizes = { requests: 40, clients: 5 };
      const { ours, theirs } = contendersOf(task, participant, sizes, ({ taken_ms }) => {
        taken += taken_ms.length;
      });
      for (const [name, { prepare }] of Object.entries({ ours, theirs })) {
        const path = join(folder, `${task}-${name}.db`);
        const { work, close, operations } = await prepare(path);
        await work();
        await close();
        const store = await openStore(`sqlite:${path}`);
        const { handoffs } = await store.list({ filter: { state: ['claimed'] }, limit: 1_000 });
        await store.close();
        expect([operations, handoffs.length]).toEqual([40, task === 'claim' ? 40 : 0]);
      }
      expect(taken).toBe(40);
    }
  } finally {
    await participant.end();
    rmSync(folder, { recursive: true, force: true });
  }
});
