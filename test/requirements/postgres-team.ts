import { declare } from './declare.ts';

/** The store on a server, for a team: what its network, its server and its people may do to it. */
export const postgresTeam = declare('issue postgres', 'postgres', {
  'PGTEAM.way':
    'Behind a network that delays, drops and stalls, nothing is lost and nothing is done twice; keys resolve what is in doubt.',
  'PGTEAM.unhurried': 'Creating a schema may take longer than any answer to a call.',
  'PGTEAM.silence': 'A server or connection that stops answering is a time-out error, and blocks no shutdown.',
  'PGTEAM.doubt': 'A call whose commit may still happen is reported as in doubt, and never as rolled back.',
  'PGTEAM.time':
    "Two machines with clocks an hour apart see leases, expiries and back-offs by the server's clock alone.",
  'PGTEAM.copy':
    'A store is copied to a server and back while both are in use, continues after a kill, and is verified by counts and hashes.',
  'PGTEAM.url': 'The URL of the store sets its schema, its connections, its waits and its encryption.',
  'PGTEAM.replica': 'A server in recovery, which only reads, is refused with the next step.',
  'PGTEAM.failover':
    'A promoted standby is the store as far as it was replicated: all calls with synchronous commits, else without the last ones.',
  'PGTEAM.pooler':
    'Behind a connection pooler in transaction mode everything works; the loss of notifications is reported, and polling replaces them.',
  'PGTEAM.prune': 'Old finished handoffs move into a schema next to the store on the server.',
  'PGTEAM.roles':
    'Three roles divide the privileges: the owner migrates, agents work and cannot rewrite history, the monitor reads counts.',
  'PGTEAM.migrate': 'The schema of a store on a server is created by a command, and by its owner alone.',
  'PGTEAM.guide': 'The commands of the guide for teams run and print what it shows.',
});
