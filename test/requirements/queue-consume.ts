import { declare } from './declare.ts';

/** The worker loop, and how a receiver learns of work in another process. */
export const queueConsume = {
  ...declare('facts, performance 10.5: the loop', 'queue', {
    'CONSUME.handle':
      'Each handoff is given to the handler, oldest first, and acknowledged; what a handler throws fails it.',
    'CONSUME.bounds':
      'No more handlers run than asked for, and no more is claimed than handlers and prefetch have room.',
    'CONSUME.together': 'Acknowledgements share transactions with each other and with the next claim.',
    'CONSUME.renew': 'Every held lease, of a running or a waiting handoff, is renewed when a third of it has passed.',
    'CONSUME.lost':
      'A lost lease aborts its handler; nothing is acknowledged, and the loop does not handle it twice at once.',
    'CONSUME.wait': 'A loop without work waits for a sign and asks the store for nothing meanwhile but at slow looks.',
    'CONSUME.stop':
      'A stopped loop claims nothing, releases what did not start, lets handlers finish, and leaves nothing behind.',
    'CONSUME.grace': 'After the grace handlers are told to stop; what they leave undone is released.',
    'CONSUME.unavailable':
      'An unavailable store is asked again with growing pauses and reported; work done is not thrown away.',
    'CONSUME.permanent': 'What no retry heals ends the loop with that error, after the handlers.',
    'CONSUME.model':
      'Whatever handlers do and whenever the loop stops, the counts add up and nothing is handled twice at once.',
    'CONSUME.kill': 'What a killed loop held is handled by another after its leases have lapsed.',
  }),
  ...declare('facts, performance 8: waking', 'queue', {
    'WAKE.processes': 'A subscription and a waiting claim are woken by what another process commits.',
    'WAKE.one': 'Of several waiters that one create wakes, one gets it and the others wait on.',
    'WAKE.burst': 'A burst of events comes whole, each once and in order, at the pace of its reader.',
    'WAKE.unwatched': 'Where the log cannot be watched, events are found all the same.',
    'WAKE.recreated': 'A log that was removed and made anew is watched again.',
    'WAKE.shared': 'However many wait in one process, one watcher serves them, as long as one of them waits.',
    'WAKE.late': 'A sign that comes before its commit can be read is followed by looks until it can.',
  }),
} as const;
