import { declare } from './declare.ts';

/** What is proved with real processes, and what tests the proof itself. */
export const queueHistory = {
  ...declare('design, stores and places', 'queue', {
    'HISTORY.checker':
      'The checker distinguishes lost, unexpected, duplicate, stolen, out of order, late and recovered in a history.',
    'HISTORY.sound': 'A run on the whole store has a sound history.',
    'HISTORY.ablations': 'Without token, lease, key or guard the same run fails the checker.',
    'RELIABLE.scale':
      'Eight processes that create and claim on one file at once: each handoff once, in order, and no process gets a busy error.',
    'RELIABLE.kill': 'Processes killed at any moment lose no answered call and duplicate nothing.',
    'RELIABLE.removed':
      'A database that was removed or replaced while it was open acknowledges nothing more, and is recovered.',
    'RELIABLE.fencing': 'A holder that is stopped past its lease and then continues changes nothing.',
    'RELIABLE.clock':
      'A clock that is set back or forward steals no lease, changes no order and makes no age negative.',
    'RELIABLE.skew':
      'A process whose clock runs ahead ends leases early, one that runs behind loses its own: holders are refused, no handoff is worked on twice, order stays.',
    'RELIABLE.poison':
      'A handoff whose receiver dies each time is dead after max_attempts; the queue behind it continues.',
  }),
} as const;
