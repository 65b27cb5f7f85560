import { declare } from './declare.ts';

/** What the queue guarantees beyond the life cycle and source 3. */
export const queue = {
  ...declare('design, stores and places', 'queue', {
    'STORE.payload': 'A payload above 64 KiB is kept once, by its hash; the handoff points to it.',
    'STORE.moving':
      'Handoffs are copied from store to store with state, lease, history and payload, and are removed only when final.',
    'STORE.without-lease': 'A claim can acknowledge at once, at most once.',
    'STORE.acknowledge-next': 'Acknowledging one and claiming the next is one transaction: both or neither.',
    'STORE.group':
      'Concurrent writes share one transaction; each is refused alone, and each resolves after the commit.',
    'STORE.durability':
      'The durability of a commit is chosen: full survives a power cut, normal the end of the process.',
    'OP.acknowledge-next': 'A claim acknowledges its caller’s finished handoff, in one step, also when it then waits.',
    'OP.list-short': 'A list leaves out the words of conversations on request: most of the size of a long one.',
    'OP.payload': 'A payload that is stored separately is named wherever the handoff is shown, and printed on request.',
    'STORE.log-cap': 'The write-ahead log does not grow without end.',
  }),
} as const;
