import { type Amount, bareClaim, bareCreate, bareNext } from './bare-contenders.ts';
import { claimByCallers, consumeAll, createByCallers, storeClaim, storeCreate, storeNext } from './baton-contenders.ts';
import type { Contender } from './contest.ts';
import { addWithPlainjob, completeWithPlainjob, workWithPlainjob } from './plainjob-queue.ts';
import { createInputs } from './sample-work.ts';
import { queueTargets, type Target } from './targets.ts';

/** Two contenders for the same work, and the target ratio of their speeds. */
export interface Match {
  target: Target;
  ours: Contender;
  theirs: Contender;
  /** What is inside of the timed part and what comes before it. */
  how: string;
}

/** How many handoffs a round moves; enough for some tenths of a second. */
export interface Sizes {
  normal: number;
  full: number;
  batched: number;
}

/** Against the bare statements: the rows of both sides are prepared, complete and hashed. */
export function matchesOverBare({ normal, full, batched }: Sizes): Match[] {
  const atNormal = { count: normal, batch: 1, durability: 'normal' } as const;
  const atFull = { count: full, batch: 1, durability: 'full' } as const;
  const batchesAtNormal = { count: batched, batch: 100, durability: 'normal' } as const;
  const batchesAtFull = { count: batched, batch: 100, durability: 'full' } as const;
  const create = pair(storeCreate, bareCreate, 'contents completed and rows encoded before');
  const claim = pair(storeClaim, bareClaim, 'contents parsed on both sides');
  const next = pair(storeNext, bareNext, 'contents parsed on both sides');
  return [
    create(queueTargets.createFull, atFull),
    create(queueTargets.createNormal, atNormal),
    claim(queueTargets.claimFull, atFull),
    claim(queueTargets.claimNormal, atNormal),
    next(queueTargets.nextFull, atFull),
    next(queueTargets.nextNormal, atNormal),
    create(queueTargets.createBatchFull, batchesAtFull),
    create(queueTargets.createBatchNormal, batchesAtNormal),
    claim(queueTargets.claimBatchFull, batchesAtFull),
    claim(queueTargets.claimBatchNormal, batchesAtNormal),
  ];
}

type OfAmount = (amount: Amount) => Contender;

function pair(ours: OfAmount, theirs: OfAmount, how: string): (target: Target, amount: Amount) => Match {
  return (target, amount) => ({ target, ours: ours(amount), theirs: theirs(amount), how });
}

/**
 * Against plainjob: both sides begin at the writer's object, and ours completes and hashes it. Each figure is shown with
 * its limit on this machine: our bare statements, grouped alike, against the same contender.
 */
export function matchesOverPlainjob({ normal: count }: Sizes): Match[] {
  const inputs = createInputs(count);
  const add = { prepare: (path: string) => addWithPlainjob(path, inputs) };
  const complete = { prepare: (path: string) => completeWithPlainjob(path, inputs) };
  const work = { prepare: (path: string) => workWithPlainjob(path, inputs) };
  const atFull = { count, batch: 16, durability: 'full' } as const;
  return [
    {
      target: queueTargets.createOverPlainjob,
      ours: createByCallers({ count, callers: 16 }),
      theirs: add,
      how: 'from the object: ours is completed and hashed within',
    },
    {
      target: queueTargets.bareCreateOverPlainjob,
      ours: bareCreate(atFull),
      theirs: add,
      how: 'rows completed, hashed and encoded before',
    },
    {
      target: queueTargets.claimOverPlainjob,
      ours: claimByCallers({ count, callers: 16 }),
      theirs: complete,
      how: 'contents parsed on both sides',
    },
    {
      target: queueTargets.bareClaimOverPlainjob,
      ours: bareClaim(atFull),
      theirs: complete,
      how: 'contents parsed on both sides',
    },
    {
      target: queueTargets.consumeOverPlainjob,
      ours: consumeAll({ count, concurrency: 16, prefetch: 100 }),
      theirs: work,
      how: '100 fetched ahead; contents parsed on both sides',
    },
    {
      target: queueTargets.bareBatchOverPlainjob,
      ours: bareClaim({ count, batch: 100, durability: 'normal' }),
      theirs: work,
      how: 'contents parsed on both sides',
    },
  ];
}
