import type { StoreSurroundings } from '../../../packages/batonpass/src/core/store.ts';
import {
  Bench,
  callBy,
  createClock,
  hook,
  MINUTE_MS,
  newHandoff,
  receiver,
  reviewer,
  START_MS,
  tokenOf,
} from '../../../packages/batonpass/src/stores/contract/bench.ts';
import { CrashDisk } from './crash-disk.ts';
import { type CrashStore, type CrashStoreOptions, openCrashStore } from './crash-store.ts';

/** Which handoff of a scene is in which state. */
export interface Cast {
  draft: string;
  open: string;
  claimed: { id: string; token: string };
  offered: { id: string; token: string };
  waiting: string;
  withdrawn: string;
  acknowledged: { id: string; version: number };
}

/** A database with a handoff in every state, and the disk that it is on. */
export interface Scene {
  disk: CrashDisk;
  cast: Cast;
}

/** An offer of a hook's claim. */
export const OFFER = { host: 'h', session: 's', rendered_sha256: 'r' };

/** A payload that is stored separately, in its own pages. */
export const LARGE_PAYLOAD = { text: 'x'.repeat(70_000) };

/** A clock fixed a minute after a scene was made, constant random numbers, and tokens that no scene has. */
export function createStillness(): StoreSurroundings & { move: (ms: number) => void } {
  const { surroundings, move } = createClock(START_MS + MINUTE_MS);
  return { ...surroundings, random: () => 0.5, createToken: () => `new-${surroundings.createToken()}`, move };
}

/** Opens a scene's store with words for it. */
export async function openBench(
  path: string,
  disk: CrashDisk,
  options: CrashStoreOptions = {},
): Promise<CrashStore & { bench: Bench }> {
  const { move, ...surroundings } = createStillness();
  const opened = await openCrashStore(path, disk, { ...surroundings, ...options });
  return { ...opened, bench: new Bench(opened.store, { surroundings, move }) };
}

/** Sets a scene; its store is closed again. */
export async function setScene(path: string): Promise<Scene> {
  const disk = new CrashDisk();
  const clock = createClock();
  const { store } = await openCrashStore(path, disk, clock.surroundings);
  const cast = await fill(new Bench(store, clock));
  await store.close();
  return { disk, cast };
}

async function fill(bench: Bench): Promise<Cast> {
  const claim = async (title: string) => bench.claimOne(receiver, { id: (await bench.createOne({ title })).id });
  const claimed = await claim('claimed');
  const waiting = await claim('waiting');
  await bench.step(receiver, waiting, { type: 'ask', token: tokenOf(waiting), question: 'Which one?' });
  const { id: toOffer } = await bench.createOne({ title: 'offered' });
  const offered = await bench.claimOne(hook, { id: toOffer, offer: OFFER });
  const withdrawn = await bench.createOne({ title: 'withdrawn' });
  await bench.step(reviewer, withdrawn, { type: 'withdraw' });
  const done = await claim('acknowledged');
  const acknowledged = await bench.step(receiver, done, { type: 'acknowledge', token: tokenOf(done) });
  const draft = await bench.createOne({ title: 'draft', state: 'draft' });
  const [open] = await bench.create({ title: 'open', payload: LARGE_PAYLOAD }, { title: 'next', task_id: 'T' });
  return {
    draft: draft.id,
    open: open?.id ?? '',
    claimed: { id: claimed.id, token: tokenOf(claimed) },
    offered: { id: offered.id, token: tokenOf(offered) },
    waiting: waiting.id,
    withdrawn: withdrawn.id,
    acknowledged: { id: acknowledged.id, version: acknowledged.delivery.version },
  };
}

/** A handoff as another store would send it, not known in a scene. */
export async function foreignHandoffs(path: string) {
  const { store } = await openCrashStore(path, new CrashDisk(), createClock(START_MS - MINUTE_MS).surroundings);
  await store.create([newHandoff({ title: 'from afar', payload: LARGE_PAYLOAD })], callBy(receiver, 'handoff.create'));
  const { handoffs } = await store.export({ limit: 10 });
  await store.close();
  return handoffs;
}
