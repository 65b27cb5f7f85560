import { writeSync } from 'node:fs';
import { completeContent } from '../../packages/batonpass/src/core/complete-content.ts';
import { openSqliteStore } from '../../packages/batonpass/src/stores/sqlite/store.ts';

/**
 * One process of the race: `node race-worker.ts FILE NAME ROLE COUNT`. It reports each operation on stdout after it was
 * acknowledged and before it begins the next one, so that whatever was reported must outlive its death.
 */

const PROJECT = 'race';
const LEASE_MS = 15 * 60_000;

const [file = '', name = '', role = '', count = '0'] = process.argv.slice(2);
const store = await openSqliteStore(file);
const actor = { name, type: 'agent' } as const;
const call = (operation: string) => ({ actor, project: PROJECT, operation });

function report(line: object): void {
  writeSync(1, `${JSON.stringify(line)}\n`);
}

async function write(): Promise<void> {
  for (let index = 0; index < Number(count); index += 1) {
    const completed = completeContent({ task_id: `task-${index % 3}` }, { source_agent: name });
    const given = { ...completed, project: PROJECT, state: 'open', max_attempts: 1_000 } as const;
    for (const { id } of await store.create([given], call('handoff.create'))) report({ created: id });
  }
}

/** Claims until nothing is left; acknowledges what it claimed where its role says so. */
async function claim(acknowledges: boolean): Promise<void> {
  for (let done = 0; done < Number(count); done += 1) {
    const { handoffs } = await store.claim({ project: PROJECT, lease_ms: LEASE_MS, max: 1 }, call('handoff.claim'));
    const [claimed] = handoffs;
    if (claimed === undefined) return;
    const { id, delivery } = claimed;
    report({ claimed: id, fence: delivery.fence });
    if (!acknowledges) continue;
    const step = { type: 'acknowledge', token: delivery.lease?.token } as const;
    await store.transition(id, step, call('handoff.acknowledge'));
    report({ acknowledged: id });
  }
}

report({ ready: name });
if (role === 'writer') await write();
if (role === 'claimer') await claim(false);
if (role === 'receiver') await claim(true);
await store.close();
