import { writeSync } from 'node:fs';
import { createInterface } from 'node:readline';
import { isHandoffError } from '../../packages/batonpass/src/core/errors.ts';
import { HandoffStore } from '../../packages/batonpass/src/handoff-store/handoff-store.ts';
import { sampleInput } from './record-stage.ts';

/** One process that works on a folder of records: `node record-worker.ts ORDER`, the order as JSON. */

/** Its commands. */
export type RecordCommand =
  | { do: 'create'; count: number }
  | { do: 'acknowledge'; ids: string[] }
  /** Creates, lists and acknowledges what it created, for ever. */
  | { do: 'work' };

/** What it says: each beginning before the store is called, each answer before the next call. */
export type RecordWord =
  | { said: 'ready' }
  | { said: 'created'; id: string }
  | { said: 'acknowledges' | 'acknowledged'; id: string }
  | { said: 'refused'; id: string; code: string; by: string }
  | { said: 'warned'; text: string }
  | { said: 'done' };

const { dir, name } = JSON.parse(process.argv[2] ?? '{}') as { dir: string; name: string };
const say = (word: RecordWord) => writeSync(1, `${JSON.stringify(word)}\n`);
const store = new HandoffStore(dir, { onWarning: (text) => say({ said: 'warned', text }) });

async function create(): Promise<string> {
  const { id } = await store.create(sampleInput({ source_agent: name }));
  say({ said: 'created', id });
  return id;
}

async function acknowledge(id: string): Promise<void> {
  say({ said: 'acknowledges', id });
  try {
    await store.acknowledge(id, name);
    say({ said: 'acknowledged', id });
  } catch (error) {
    if (!isHandoffError(error)) throw error;
    say({ said: 'refused', id, code: error.code, by: String(error.details.acknowledged_by) });
  }
}

say({ said: 'ready' });
for await (const line of createInterface({ input: process.stdin })) {
  const command = JSON.parse(line) as RecordCommand;
  if (command.do === 'create') for (let made = 0; made < command.count; made += 1) await create();
  else if (command.do === 'acknowledge') for (const id of command.ids) await acknowledge(id);
  else {
    for (;;) {
      const ids = [await create(), await create(), await create()];
      await acknowledge(ids[0] ?? '');
      await store.list({ limit: 5 });
      await acknowledge(ids[2] ?? '');
    }
  }
  say({ said: 'done' });
}
