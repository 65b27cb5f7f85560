import { setTimeout } from 'node:timers/promises';
import { openStore } from '../packages/batonpass/src/stores/open.ts';
import { answerAsParticipant } from './processes.ts';
import { project } from './sample-work.ts';

/** The receiver that waits: it reports when it was notified of each handoff, and what its waiting costs. */

/** The handoff of a notification, and its time by the clock that all processes of a machine share, in nanoseconds. */
export interface Woken {
  handoff_id: string;
  at_ns: string;
}

/** What a time of waiting cost. */
export interface IdleCost {
  cpu_ms: number;
  waited_ms: number;
}

const [place = ''] = process.argv.slice(2);
const store = await openStore(place.startsWith('postgres:') ? place : `sqlite:${place}`);
void tellEvents();
answerAsParticipant(({ idle_ms }) => stayIdle(Number(idle_ms)));

async function tellEvents(): Promise<void> {
  for await (const { handoff_id } of store.subscribe({ project }, new AbortController().signal)) {
    process.send?.({ handoff_id, at_ns: String(process.hrtime.bigint()) } satisfies Woken);
  }
}

async function stayIdle(idle_ms: number): Promise<IdleCost> {
  const begun_ms = performance.now();
  const before = process.cpuUsage();
  await setTimeout(idle_ms);
  const { user, system } = process.cpuUsage(before);
  return { cpu_ms: (user + system) / 1_000, waited_ms: performance.now() - begun_ms };
}
