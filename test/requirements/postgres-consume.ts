import { declare } from './declare.ts';

/** A worker on a server at its pace, and what it must not cost. */
export const postgresConsume = declare('issue postgres', 'postgres', {
  'POSTGRES.remembered':
    'An acknowledgement by its token alone takes what is still held by it; what others moved since is judged anew.',
  'CONSUME.ahead': 'Where there is room, the next half is asked for before the last has come; both count as held.',
  'CONSUME.refill': 'A loop with much ahead claims it by halves: one half is on its way while the other is worked at.',
});
