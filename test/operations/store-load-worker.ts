import { writeSync } from 'node:fs';
import { completeContent } from '../../packages/batonpass/src/core/complete-content.ts';
import { isHandoffError } from '../../packages/batonpass/src/index.ts';
import { openStore } from '../../packages/batonpass/src/stores/open.ts';

/**
 * A process that works with a store until its standard input ends: `node store-load-worker.ts STORE NAME PROJECT
 * PAUSE_MS`, the store a file or a URL. It says what it did after the store acknowledged it, so that all that it reported must be found
 * again.
 */

const [place = '', name = '', project = 'load', pause_ms = '0'] = process.argv.slice(2);
const store = await openStore(/^postgres:/.test(place) ? place : `sqlite:${place}`);
const actor = { name, type: 'agent' } as const;
const call = (operation: string) => ({ actor, project, operation });
const handle = { isAsked: true };
process.stdin.on('end', () => {
  handle.isAsked = false;
});
process.stdin.resume();

function say(line: object): void {
  writeSync(1, `${JSON.stringify(line)}\n`);
}

/** A refusal is no end: the work continues with the next handoff. */
async function attempt<T>(work: () => Promise<T>): Promise<T | undefined> {
  try {
    return await work();
  } catch (error) {
    if (!isHandoffError(error)) throw error;
    say({ refused: error.code });
    return undefined;
  }
}

for (let round = 0; handle.isAsked; round += 1) {
  if (pause_ms !== '0') await new Promise((resolve) => setTimeout(resolve, Number(pause_ms)));
  const payload = { round, text: 'x'.repeat(round % 7 === 0 ? 70_000 : 100) };
  const completed = completeContent({ task_id: `task-${round % 3}`, payload }, { source_agent: name });
  const given = { ...completed, project, state: 'open' } as const;
  const created = await attempt(() => store.create([given], call('handoff.create')));
  for (const { id, delivery } of created ?? []) say({ id, version: delivery.version });
  const claim = () => store.claim({ project, lease_ms: 3_600_000, max: 1 }, call('handoff.claim'));
  const [held] = (await attempt(claim))?.handoffs ?? [];
  if (held === undefined) continue;
  say({ id: held.id, version: held.delivery.version });
  const token = held.delivery.lease?.token ?? '';
  const step = round % 4 === 0 ? ({ type: 'release', token } as const) : ({ type: 'acknowledge', token } as const);
  const moved = await attempt(() => store.transition(held.id, step, call(`handoff.${step.type}`)));
  if (moved !== undefined) say({ id: moved.id, version: moved.delivery.version });
}
await store.close();
