import { type ChildProcess, spawn } from 'node:child_process';
import { join } from 'node:path';
import { afterEach, expect } from 'vitest';
import { holdsBack } from '../extraction/model/model-stream.ts';
import { serve } from '../extraction/model/stage.ts';
import { verifies } from '../verifies.ts';
import { goodTurns, openProject, replies, snapshot } from './planning-run-stage.ts';

const worker = join(import.meta.dirname, 'planning-run-worker.ts');

const children: ChildProcess[] = [];

afterEach(() => {
  for (const child of children.splice(0)) child.kill('SIGKILL');
});

/** The turn at which the first run is killed: before it did anything, and when only its end was missing. */
for (const killedAt of [0, goodTurns.length - 1]) {
  verifies(
    ['PLANRUN.kill', 'PLANRUN.runs'],
    `killed while the model gives turn ${killedAt + 1}, another run takes over: one plan, one next handoff`,
    async () => {
      const never = new Promise<never>(() => {});
      const before = replies(goodTurns.slice(0, killedAt));
      const server = await serve(...before, holdsBack(goodTurns[killedAt] ?? {}, never), ...replies(goodTurns));
      const { library, clock, folder, environment, plans } = await openProject(server);
      const { id } = await library.run('planning.hand-on', { snapshot });

      const child = spawn(process.execPath, [worker, folder], { env: environment, stdio: 'ignore' });
      children.push(child);
      const ended = new Promise<NodeJS.Signals | null>((resolve) => child.once('exit', (_code, by) => resolve(by)));
      await server.arrival(killedAt);
      child.kill('SIGKILL');
      expect(await ended).toBe('SIGKILL');

      // Its lease still runs: no other caller gets the handoff.
      await expect(library.run('planning.run', { id })).rejects.toMatchObject({ code: 'already_claimed' });
      clock.now_ms += 3_600_000;
      const { outcome } = await library.run('planning.run', {});
      expect(outcome).toBe('completed');
      expect(plans()).toEqual(['signed-cookies']);
      const { handoffs } = await library.run('handoff.list', { kind: 'plan' });
      expect(handoffs.map(({ content }) => content.parent_id)).toEqual([id]);
      const { runs } = await library.run('planning.runs', { id });
      expect(runs.map(({ number, outcome: end, steps }) => [number, end, steps.length])).toEqual([
        [1, 'lapsed', killedAt],
        [2, 'completed', goodTurns.length],
      ]);
    },
    60_000,
  );
}
