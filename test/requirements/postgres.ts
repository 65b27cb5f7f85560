import { declare } from './declare.ts';

/** The store for teams and many machines: the same contract, on a server. */
export const postgres = declare('issue postgres', 'postgres', {
  'POSTGRES.contract':
    'The store on a Postgres server passes the suite and the sequence model that every store passes.',
  'POSTGRES.race': 'Processes that create and claim at once claim each handoff once, first in first out in each task.',
  'POSTGRES.plan': 'A claim reads open handoffs by its index, for any length of the history.',
  'POSTGRES.restart': 'A server that is restarted under its workers loses nothing and duplicates nothing.',
  'POSTGRES.ambiguous': 'A commit whose connection was lost is looked up: it counts once, with either outcome.',
  'POSTGRES.time': "Leases follow the server's clock, not the machines' clocks.",
  'POSTGRES.events':
    'No line of history gets a sequence number below one that a reader has passed, in any order of commits.',
  'POSTGRES.wake':
    'A commit of another process wakes a subscription by notification; without notifications it polls, and reports that.',
  'POSTGRES.schema':
    'A schema is created by one of several processes, named by the URL; one of another version or a foreign one is refused.',
  'POSTGRES.refusals': 'A server that cannot serve is refused with the next step, and no password is ever shown.',
});
