import type { Handoff } from '../../../packages/batonpass/src/core/handoff.ts';
import type { StoredHandoff } from '../../../packages/batonpass/src/core/store.ts';
import {
  type Bench,
  callBy,
  claimOf,
  editTo,
  hook,
  LEASE_MS,
  newHandoff,
  receiver,
  reviewer,
  rival,
  writer,
} from '../../../packages/batonpass/src/stores/contract/bench.ts';
import { type Cast, LARGE_PAYLOAD, OFFER } from './scene.ts';

/** What a deed has to work with. */
export interface Doing {
  bench: Bench;
  cast: Cast;
  /** What another store has. */
  foreign: readonly StoredHandoff[];
}

/** One way of writing to a store: calls of one iteration of the event loop, which are kept or refused together. */
export interface Deed {
  name: string;
  /** What comes before, on a disk that works. */
  prepare?: (doing: Doing) => Promise<unknown>;
  calls: (doing: Doing) => Promise<unknown>[];
}

const one = (name: string, call: (doing: Doing) => Promise<unknown>): Deed => ({
  name,
  calls: (doing) => [call(doing)],
});

/** Every writing verb of the port, each in every variant that writes other rows. */
export const deeds: readonly Deed[] = [
  one('create one', ({ bench }) => bench.create({ title: 'new' })),
  one('create many', ({ bench }) => bench.create({ title: 'a' }, { payload: LARGE_PAYLOAD }, { state: 'draft' })),
  one('create with a key', ({ bench }) =>
    bench.store.create([newHandoff({ title: 'keyed' })], callBy(writer, 'handoff.create', 'key')),
  ),
  one('supersede', ({ bench, cast }) => bench.create({ title: 'newer', supersedes_id: cast.open })),
  one('claim', ({ bench }) => bench.claim(receiver, { max: 2 })),
  one('claim with a key', ({ bench }) => bench.store.claim(claimOf(), callBy(receiver, 'handoff.claim', 'key'))),
  one('claim for a session', ({ bench, cast }) => bench.claim(hook, { id: cast.open, offer: OFFER })),
  one('claim and acknowledge', ({ bench, cast }) => bench.claim(receiver, { acknowledges: cast.claimed })),
  one('claim without a lease', ({ bench }) => bench.claim(receiver, { without_lease: true })),
  one('renew', ({ bench, cast: { claimed } }) =>
    bench.step(receiver, claimed, { type: 'renew', token: claimed.token, lease_ms: 2 * LEASE_MS }),
  ),
  one('acknowledge', ({ bench, cast: { claimed } }) =>
    bench.step(receiver, claimed, { type: 'acknowledge', token: claimed.token }),
  ),
  one('release', ({ bench, cast: { claimed } }) =>
    bench.step(receiver, claimed, { type: 'release', token: claimed.token }),
  ),
  one('fail', ({ bench, cast: { claimed } }) =>
    bench.step(receiver, claimed, { type: 'fail', token: claimed.token, reason: 'It broke.' }),
  ),
  one('ask', ({ bench, cast: { claimed } }) =>
    bench.step(receiver, claimed, { type: 'ask', token: claimed.token, question: 'Why?' }),
  ),
  one('answer', ({ bench, cast }) =>
    bench.step(reviewer, { id: cast.waiting }, { type: 'answer', answer: 'The first.', lease_ms: LEASE_MS }),
  ),
  one('inject', ({ bench, cast }) =>
    bench.step(hook, cast.offered, { type: 'inject', session: OFFER.session, rendered_sha256: 'r', row: 'user' }),
  ),
  one('edit', ({ bench, cast }) => bench.step(reviewer, { id: cast.draft }, editTo({ payload: LARGE_PAYLOAD }))),
  one('approve', ({ bench, cast }) => approve(bench, cast.draft)),
  one('withdraw', ({ bench, cast }) => bench.step(reviewer, { id: cast.open }, { type: 'withdraw' })),
  one('reopen', ({ bench, cast }) => bench.step(reviewer, { id: cast.withdrawn }, { type: 'reopen' })),
  one('import', ({ bench, foreign }) => bench.store.import(foreign)),
  one('remove', ({ bench, cast }) => bench.store.remove([cast.acknowledged])),
  {
    name: 'a read after leases have ended',
    prepare: async ({ bench }) => bench.clock.move(2 * LEASE_MS),
    calls: ({ bench }) => [bench.store.list({ filter: {}, limit: 100 })],
  },
  {
    name: 'a group',
    // Where no other call wrote at the same time before, the first of a group is not kept waiting for the others.
    prepare: async ({ bench }) => Promise.all([1, 2, 3, 4].map(() => bench.claim(rival, { kind: 'nothing' }))),
    calls: ({ bench, cast: { claimed, draft } }) => [
      bench.create({ title: 'first' }),
      bench.claim(rival, { task_id: 'T' }),
      bench.step(receiver, claimed, { type: 'acknowledge', token: claimed.token }),
      bench.step(reviewer, { id: draft }, { type: 'withdraw' }),
      bench.create({ title: 'last', payload: LARGE_PAYLOAD }),
    ],
  },
];

async function approve(bench: Bench, id: string): Promise<Handoff> {
  const { content_sha256 } = await bench.read({ id });
  return bench.step(reviewer, { id }, { type: 'approve', content_sha256, rendered_sha256: 'r', budget: 2_000 });
}
