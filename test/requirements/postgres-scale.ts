import { declare } from './declare.ts';

/** The store on a server as it grows, and what lies beyond one server. */
export const postgresScale = declare('issue postgres', 'postgres', {
  'POSTGRES.bloat': 'Dead rows that an old transaction keeps cost a claim nothing: it begins behind them.',
  'POSTGRES.returned': 'What came back to a place that claims have passed is claimed first.',
  'POSTGRES.lapses': 'A lease that has ended is found by every process, although each looks only at what ended lately.',
  'POSTGRES.shared-sql': 'Statements and schema use no more of SQL than docs/scale.md names.',
  'POSTGRES.cost-model':
    'The model of a server adds up: every handoff is created, claimed and acknowledged once, and no server works more than it can.',
  'POSTGRES.bloat-bench': 'The load of the benchmark creates, claims and acknowledges each handoff once.',
});
