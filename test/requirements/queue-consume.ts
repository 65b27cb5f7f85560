import { declare } from './declare.ts';

/** The worker loop, and how a receiver is notified of work in another process. */
export const queueConsume = {
  ...declare('facts, performance 10.5: the loop', 'queue', {
    'CONSUME.handle':
      'Each handoff is given to the handler, oldest first, and acknowledged; what a handler throws fails it.',
    'CONSUME.bounds':
      'No more handlers run than requested, and no more is claimed than handlers and prefetch have room for.',
    'CONSUME.together': 'Acknowledgements share transactions with each other and with the next claim.',
    'CONSUME.renew': 'Every held lease, of a running or a waiting handoff, is renewed when a third of it has passed.',
    'CONSUME.lost':
      'A lost lease aborts its handler; nothing is acknowledged, and the loop does not handle it twice at once.',
    'CONSUME.wait':
      'A loop without work waits for a notification and meanwhile queries the store only by slow polling.',
    'CONSUME.stop':
      'A stopped loop claims nothing, releases what did not start, lets handlers finish, and leaves nothing behind.',
    'CONSUME.grace': 'After the grace period handlers get the abort signal; what they leave undone is released.',
    'CONSUME.unavailable':
      'An unavailable store is retried with growing pauses and reported; finished work is not thrown away.',
    'CONSUME.permanent': 'An error that no retry fixes ends the loop with that error, after the handlers.',
    'CONSUME.model':
      'For any handlers and any time of the stop, the counts add up and nothing is handled twice at once.',
    'CONSUME.kill': 'What a killed loop held is handled by another after its leases have lapsed.',
  }),
  ...declare('facts, performance 8: waking', 'queue', {
    'WAKE.processes': 'A subscription and a waiting claim are woken by a commit of another process.',
    'WAKE.one': 'Of several waiters that one create wakes, one gets the handoff and the others continue to wait.',
    'WAKE.burst': 'A burst of events arrives whole, each once and in order, at the pace of its reader.',
    'WAKE.unwatched': 'Where the log cannot be watched, events are still found.',
    'WAKE.recreated': 'A log that was removed and recreated is watched again.',
    'WAKE.shared': 'One watcher serves all waiters of a process, as long as one of them waits.',
    'WAKE.late': 'A notification that arrives before its commit can be read is followed by polling until it can.',
  }),
} as const;
