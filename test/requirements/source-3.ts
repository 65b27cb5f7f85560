import { declare } from './declare.ts';

/** Source 3: the handoff queue in a shared SQLite database. */
export const source3 = {
  ...declare('source 3, tests', 'queue', {
    'TAS-039.test-a.arrange': 'A fresh database has an empty handoffs table.',
    'TAS-039.test-a.payload': 'What one agent writes another claims, with an equal payload.',
    'TAS-039.test-a.consumed': 'A claimed handoff is marked consumed.',
    'TAS-039.test-b.fifo': 'Of three handoffs the oldest unconsumed one is claimed first.',
    'TAS-039.test-b.second': 'The second claim returns the second handoff.',
  }),
  ...declare('source 3, task implementation', 'queue', {
    'TAS-039.service': 'HandOffService is exported.',
    'TAS-039.create': 'createHandoff(taskId, payload, originAgent) returns the id of the new handoff.',
    'TAS-039.claim': 'claimHandoff(taskId) returns handoffId, payload and originAgent.',
    'TAS-039.claim-empty': 'claimHandoff of a task with nothing unclaimed is null.',
    'TAS-039.list-unclaimed': 'listUnclaimed(taskId) returns the unclaimed handoffs of that task alone.',
    'TAS-039.table': 'The table handoffs has the columns id, task_id, payload, origin, created_at and consumed.',
    'TAS-039.create-transaction': 'createHandoff inserts within one short transaction.',
    'TAS-039.claim-atomic': 'Selecting the oldest row, marking it and returning its payload is one atomic step.',
    'TAS-039.payload-json': 'A payload is stored as JSON.',
    'TAS-039.payload-pointer': 'A large payload is stored once, and the row holds metadata and a pointer.',
    'TAS-039.log-tag': 'Operations are logged with REQ:[TAS-039].',
    'TAS-039.log-agent': 'Log lines name the source agent.',
  }),
  ...declare('source 3, code review', 'queue', {
    'TAS-039.review.atomic': 'Two claimers never get the same handoff, in one process or in several.',
    'TAS-039.review.fifo': 'Handoffs of a task are claimed in the order of their creation.',
    'TAS-039.review.parameters': 'Every query is parameterised.',
    'TAS-039.review.stateless': 'No agent keeps state in memory: another process continues from the database.',
    'TAS-039.review.index': 'An index on task and consumed serves the claim.',
  }),
  ...declare('source 3, automated tests', 'queue', {
    'TAS-039.automated.create-claim': 'The test of creating and then claiming passes.',
    'TAS-039.automated.fifo': 'The test of the order passes.',
  }),
  ...declare('source 3, documentation', 'queue', {
    'TAS-039.docs.examples': 'docs/agents/handoff.md has examples of createHandoff and claimHandoff that run.',
    'TAS-039.docs.retention': 'It explains how long data is kept.',
    'TAS-039.docs.polling': 'It explains how agents poll or subscribe.',
    'TAS-039.docs.reference': 'It refers to [TAS-039].',
  }),
  ...declare('source 3, automated verification', 'queue', {
    'TAS-039.smoke.passes': 'scripts/agents/verify_handoff.js inserts, claims, and checks order and consumed flags.',
    'TAS-039.smoke.exit-code': 'It exits non-zero on any discrepancy.',
    'TAS-039.smoke.ci': 'Continuous integration runs it.',
  }),
  ...declare('source 3, precise form', 'queue', {
    'TAS-039.held.foreign-read':
      "SQL written for the source's table reads ours: names, types and meanings are the same.",
    'TAS-039.held.consumed-open': 'consumed is 0 exactly while a handoff is open.',
    'TAS-039.held.foreign-delete': 'A foreign DELETE works.',
    'TAS-039.held.foreign-write-refused': 'Other foreign writing is refused with a clear error.',
    'TAS-039.held.migrates': "A database with the source's own table is migrated, its rows kept in order.",
    'TAS-039.held.memory': 'The path :memory: is accepted.',
    'TAS-039.held.acid': 'A handoff is written whole or not at all, and survives a crash.',
    'TAS-039.held.wal': 'The database works in write-ahead mode.',
    'TAS-039.held.sequence': 'The order is that of a sequence number: equal or backward clocks do not change it.',
    'TAS-039.held.claim-once': 'claimHandoff claims and acknowledges in one statement, at most once.',
    'TAS-039.held.lease-default': 'The lease form, at least once, is the default everywhere else.',
    'TAS-039.held.payload-resolved': 'claimHandoff and listUnclaimed return the original payload, pointers resolved.',
    'TAS-039.held.unique-id': 'The id is unique, though not the primary key.',
  }),
} as const;
