import { declare } from './declare.ts';

/** What makes the store on a server fast, and must not make it wrong. */
export const postgresSpeed = declare('issue postgres', 'postgres', {
  'POSTGRES.shared':
    'Calls of one commit group share a transaction; each is refused alone, and each other one takes effect.',
  'POSTGRES.prepared': 'A server or pooler that forgets prepared statements gets the whole statements from then on.',
});
