import { declare } from './declare.ts';

/** The speed of a worker on a server, and what the speed must not cost. */
export const postgresConsume = declare('issue postgres', 'postgres', {
  'POSTGRES.remembered':
    'An acknowledgement by its token alone takes what that token still holds; what others moved since is checked again.',
  'CONSUME.ahead': 'Where there is room, the next half is requested before the last has arrived; both count as held.',
  'CONSUME.refill':
    'A loop with a large prefetch claims it by halves: one half is in flight while the other is handled.',
});
