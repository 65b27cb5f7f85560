import { declare } from './declare.ts';

/** What the queue promises at full strength, beyond the life cycle and source 3. */
export const queue = {
  ...declare('design, stores and places', 'queue', {
    'STORE.payload': 'A payload above 64 KiB is kept once, by its hash; the handoff points to it.',
    'STORE.moving':
      'Handoffs move from store to store with state, lease, history and payload, and are removed only when final.',
    'STORE.without-lease': 'A claim can acknowledge at once, at most once.',
    'STORE.acknowledge-next': 'Acknowledging one and claiming the next is one transaction: both or neither.',
    'STORE.group':
      'Concurrent writes share one transaction; each is refused alone, and each resolves after the commit.',
    'STORE.durability': 'What a commit outlives is chosen: full outlives a power cut, normal the process.',
    'OP.acknowledge-next': 'A claim acknowledges what its caller is done with, in one step, also when it then waits.',
    'OP.list-short':
      'A list leaves out the words of conversations where that is asked: most of what a long one weighs.',
    'OP.payload': 'A payload that is kept apart is named wherever the handoff is shown, and printed when asked for.',
    'STORE.log-cap': 'The write-ahead log does not grow without end.',
  }),
} as const;
