import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'vitest';
import { contendersOf, gatherCrew } from '../../../bench/http.ts';
import { openStore } from '../../../packages/batonpass/src/index.ts';
import { verifies } from '../../verifies.ts';

verifies(['HTTP.bench'], 'the door and the bare route do the same work for the same clients', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'baton-http-'));
  const crew = await gatherCrew();
  try {
    for (const task of ['list', 'claim', 'rendered'] as const) {
      let taken = 0;
      const sizes = { requests: 40, clients: 5 };
      const { ours, theirs } = contendersOf(task, crew, sizes, ({ taken_ms }) => {
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
        expect([operations, handoffs.length]).toEqual([40, task === 'list' ? 0 : 40]);
      }
      expect(taken).toBe(40);
    }
  } finally {
    await crew.end();
    rmSync(folder, { recursive: true, force: true });
  }
});
