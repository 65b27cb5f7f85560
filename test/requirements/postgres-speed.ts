import { declare } from './declare.ts';

/** What makes the store on a server fast, and must not make it wrong. */
export const postgresSpeed = declare('issue postgres', 'postgres', {
  'POSTGRES.shared': 'Calls of one turn share a transaction; each is refused alone, and what was asked for is done.',
  'POSTGRES.prepared': 'A server or pooler that forgets prepared statements gets them whole from then on.',
});
