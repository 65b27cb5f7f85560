import { declare } from './declare.ts';

/** The store on a server as it grows, and what is beyond one server. */
export const postgresScale = declare('issue postgres', 'postgres', {
  'POSTGRES.bloat': 'Dead rows that an old transaction keeps cost a claim nothing: its scan starts after them.',
  'POSTGRES.returned': 'A handoff that returned to a position that claims have passed is claimed first.',
  'POSTGRES.lapses': 'A lease that has ended is found by every process, although each scans only the most recent ends.',
  'POSTGRES.shared-sql': 'Statements and schema use only the SQL that docs/scale.md names.',
  'POSTGRES.cost-model':
    'The model of a server is consistent: every handoff is created, claimed and acknowledged once, and no server exceeds its capacity.',
  'POSTGRES.bloat-bench': 'The load of the benchmark creates, claims and acknowledges each handoff once.',
});
