import { declare } from './declare.ts';

/** The store for teams and many machines: the same contract, on a server. */
export const postgres = declare('issue postgres', 'postgres', {
  'POSTGRES.contract':
    'The store on a Postgres server passes the suite and the sequence model that every store passes.',
  'POSTGRES.race': 'Processes that create and claim at once claim each handoff once, first in first out in each task.',
  'POSTGRES.plan': 'A claim reads what is open by its index, however long the history is.',
  'POSTGRES.restart': 'A server that is restarted under its workers loses nothing and doubles nothing.',
  'POSTGRES.ambiguous': 'A commit whose connection was lost is looked up: it counts once, whatever came of it.',
  'POSTGRES.time': "Leases follow the server's clock, whatever the machines' clocks say.",
  'POSTGRES.events':
    'No line of history gets a place before one that a reader has passed, in whatever order is committed.',
  'POSTGRES.wake': 'What another process commits wakes a subscription by notification; without, it looks, and says so.',
  'POSTGRES.schema':
    'A schema is made by one of several processes, named by the URL; one of another version or a foreign one is refused.',
  'POSTGRES.refusals': 'A server that cannot serve is refused with the next step, and no password is ever shown.',
});
