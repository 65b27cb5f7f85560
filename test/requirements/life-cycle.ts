import type { Requirement } from './requirement.ts';

const lifeCycleSource = 'design, the life cycle';
const storeSource = 'design, stores and places';

const ofLifeCycle = (behaviour: string, milestone: Requirement['milestone'] = 'foundation') =>
  ({ source: lifeCycleSource, behaviour, milestone }) as const;

const ofStores = (behaviour: string, milestone: Requirement['milestone'] = 'foundation') =>
  ({ source: storeSource, behaviour, milestone }) as const;

/** Every line of the life cycle's table, every rule next to it, and what a store guarantees in addition. */
export const lifeCycle = {
  'LIFE.table': ofLifeCycle(
    'One pure transition table holds every step; each other step is refused and changes nothing.',
  ),
  'LIFE.create': ofLifeCycle('A handoff is created as a draft, or open where no review is required.'),
  'LIFE.edit': ofLifeCycle(
    'A draft can be edited, counted by content_revision, against the version that the editor saw.',
  ),
  'LIFE.approve': ofLifeCycle('Approving a draft opens it and binds to exactly one content hash.'),
  'LIFE.claim': ofLifeCycle('A claim gives an open handoff to one receiver with a lease and counts an attempt.'),
  'LIFE.renew': ofLifeCycle('The holder renews its lease.'),
  'LIFE.acknowledge': ofLifeCycle('The holder acknowledges what it claimed.'),
  'LIFE.release': ofLifeCycle('The holder releases what it claimed; the attempt is not counted.'),
  'LIFE.lapse': ofLifeCycle(
    'A lapsed lease re-opens the handoff at its old position, or leaves it dead after max_attempts.',
  ),
  'LIFE.fail': ofLifeCycle(
    'A failure re-opens after a jittered back-off of 10 s doubling to 10 min, or leaves it dead.',
  ),
  'LIFE.ask': ofLifeCycle('A question stops the lease; an answer gives the holder a fresh one.'),
  'LIFE.waiting': ofLifeCycle('A person releases or withdraws a waiting handoff.'),
  'LIFE.withdraw': ofLifeCycle('A draft or open handoff can be withdrawn: by its writer, its addressee, or a person.'),
  'LIFE.break': ofLifeCycle(
    'A person who confirms it ends the lease of another: the handoff is open or withdrawn, the old token refused.',
  ),
  'LIFE.supersede': ofLifeCycle('A new handoff withdraws the one that it supersedes, in one transaction.'),
  'LIFE.expire': ofLifeCycle('An open handoff expires when expires_at passes; drafts and claimed ones do not.'),
  'LIFE.acknowledge-open': ofLifeCycle('A receiver acknowledges an open handoff without claiming it, once.'),
  'LIFE.reopen': ofLifeCycle('A dead, expired or withdrawn handoff is opened again with its attempts reset.'),
  'LIFE.clock': ofLifeCycle('Lapse and expiry need no daemon: the next call applies them, one event each, reads too.'),
  'LIFE.lease': ofLifeCycle('Every holder step needs the present token; a stale one is always lease_lost.'),
  'LIFE.fence': ofLifeCycle("A handoff's fence only rises, with each claim and each broken lease."),
  'LIFE.fifo': ofLifeCycle(
    'Claims follow the order of creation among open, available handoffs for the claimer or nobody.',
  ),
  'LIFE.list': ofLifeCycle('A list is newest first and answers its filter as the reference does.'),
  'LIFE.hook': ofLifeCycle("A hook's claim counts no attempt."),
  'LIFE.injected': ofLifeCycle('Proof in the transcript records injected and acknowledges.', 'hosts'),
  'LIFE.text': ofLifeCycle('A claim returns the text for a model, unless the caller does not want it.', 'http'),
  'LIFE.unproved': ofLifeCycle('A claim states, before it takes anything, that a proof is to be looked for.', 'hosts'),
  'LIFE.session': ofLifeCycle('A newer save of a session supersedes its older unclaimed one.', 'hosts'),
  'LIFE.resume': ofLifeCycle('Resuming finds the newest open context of project and branch.', 'hosts'),
  'LIFE.frozen': ofLifeCycle('Opened content never changes.'),
  'LIFE.events': ofLifeCycle('Every transition writes one event in its own transaction; no event holds a token.'),
  'LIFE.idempotency': ofLifeCycle('A key gives the same answer to the same input for 24 h, and conflict to another.'),
  'LIFE.review': ofLifeCycle("The project's review policy decides whether a handoff starts as a draft."),
  'LIFE.consumed': ofLifeCycle('consumed is 0 only while open.'),
  'STORE.ablations': ofStores('A store without any one of its conditions fails the contract suite.'),
  'STORE.exclusive': ofStores('Two claimers never get one handoff.'),
  'STORE.atomic': ofStores('A call takes effect whole or not at all.'),
  'STORE.copies': ofStores('A caller’s change to a returned value or an input never reaches the store.'),
  'STORE.limits': ofStores('A store refuses input that is out of bounds before it touches anything.'),
  'STORE.scope': ofStores('Scopes match by segment, in both directions; what has no scope is counted, not hidden.'),
  'STORE.text': ofStores('Any well-formed text comes back unchanged; lone surrogates are refused.'),
  'STORE.subscribe': ofStores('A subscription gives every event once, in order, and ends when asked to.'),
  'STORE.capabilities': ofStores('A store declares its capabilities.'),
  'STORE.close': ofStores('A closed store refuses calls; closing twice does no harm.'),
  'STORE.answers-end': ofStores('The stored answer for a retry is removed once its time is over.'),
  'STORE.model': ofStores('Every store answers random operation sequences as the memory store does.'),
  'STORE.durable': ofStores('An acknowledged handoff is there when the file is opened again.'),
  'STORE.processes': ofStores('Processes see and are woken by what others commit to the same file.'),
  'STORE.race': ofStores('Eight processes claim each handoff exactly once, first in first out in each task.'),
  'STORE.kill': ofStores('Killed writers and claimers lose nothing acknowledged and leave everything claimable.'),
  'STORE.migration': ofStores('A schema is made in one transaction, by one of several processes.'),
  'STORE.newer-schema': ofStores('A database of another version of Baton is refused and left as it is.'),
  'STORE.foreign': ofStores("Another program's file is refused and left as it is."),
  'STORE.sqlite-version': ofStores('A SQLite library that can corrupt a WAL is refused.'),
  'STORE.private': ofStores('Files are made 0600 and folders 0700.'),
  'STORE.unwritable': ofStores('A place that cannot be written is unavailable, with the possible remedies.'),
  'STORE.full': ofStores(
    'A full disk is unavailable; nothing of the call is kept, and free space is enough to recover.',
  ),
  'STORE.damaged': ofStores('A damaged database is unavailable, not a crash.'),
  'STORE.locked': ofStores('A write that waits too long for other processes is unavailable.'),
  'STORE.network': ofStores('A network file system is refused for SQLite.'),
  'STORE.url': ofStores('A store is chosen by its URL; an unknown one is refused with the list of known ones.'),
  'STORE.foreign-reads': ofStores("SQL written for source 3's table reads the file."),
  'STORE.indexes': ofStores('Claims and lists of what is open are served by partial indexes.'),
} as const satisfies Record<string, Requirement>;
