import { declare } from './declare.ts';

/** A worker on a server at its pace, and what it must not cost. */
export const postgresConsume = declare('issue postgres', 'postgres', {
  'POSTGRES.remembered':
    'What a process remembers of its claims spares a look and decides nothing: what others moved since is judged anew.',
  'CONSUME.refill': 'A loop with much ahead claims again when half of it is used, not for each handoff that ends.',
});
