import assert from 'node:assert/strict';
import {
  type Bench,
  callBy,
  claimOf,
  editTo,
  hook,
  LEASE_MS,
  newHandoff,
  only,
  receiver,
  refusal,
  reviewer,
  rival,
  tokenOf,
  writer,
} from './bench.ts';
import type { ContractCase } from './case.ts';

/** Which receiver gets which handoff, and that no other does. */
export const claimCases: readonly ContractCase[] = [
  {
    ids: ['LIFE.claim', 'LIFE.fence', 'LIFE.events', 'LIFE.consumed'],
    name: 'a claim gives a lease with token and fence, counts an attempt and writes one event without the token',
    run: async (bench) => {
      const created = await bench.createOne();
      bench.clock.move(1_000);
      const claimed = await bench.claimOne(receiver);
      const expires_at = new Date(Date.parse(bench.now) + LEASE_MS).toISOString();
      const lease = {
        holder: 'receiver',
        holder_type: 'agent' as const,
        token: tokenOf(claimed),
        fence: 1,
        expires_at,
      };
      assert.deepEqual(claimed.delivery, {
        ...created.delivery,
        state: 'claimed',
        version: 2,
        attempts: 1,
        fence: 1,
        lease,
        consumed: 1,
      });
      const [, event] = await bench.store.events({ handoff_id: created.id, limit: 10 });
      assert.deepEqual(
        { ...event, seq: 0 },
        {
          seq: 0,
          handoff_id: created.id,
          name: 'handoff-claimed',
          at: bench.now,
          actor: receiver,
          from: 'open',
          to: 'claimed',
          details: { fence: 1, attempts: 1 },
        },
      );
      assert.ok(!JSON.stringify(event).includes(tokenOf(claimed)));
    },
  },
  {
    ids: ['LIFE.lease'],
    name: 'nobody but the claimer ever sees the token',
    run: async (bench) => {
      const created = await bench.createOne();
      const token = tokenOf(await bench.claimOne(receiver));
      const renewed = await bench.step(receiver, created, { type: 'renew', token, lease_ms: LEASE_MS });
      const seen = [
        renewed,
        await bench.read(created),
        await bench.store.list({ filter: {}, limit: 10 }),
        await bench.store.events({ limit: 100 }),
        await refusal(bench.claim(rival, { id: created.id }), 'already_claimed').then(({ message, details }) => [
          message,
          details,
        ]),
      ];
      assert.ok(!JSON.stringify(seen).includes(token));
      assert.equal(renewed.delivery.lease?.holder, 'receiver');
    },
  },
  {
    ids: ['STORE.exclusive', 'LIFE.claim'],
    name: 'two claimers never get one handoff, and the second gets the next',
    run: async (bench) => {
      const [first, second] = await bench.create({ title: 'a' }, { title: 'b' });
      const claims = await Promise.all([bench.claim(receiver), bench.claim(rival), bench.claim(writer)]);
      // Who asked at once is given one each in any order.
      const given = claims.flat().map(({ id }) => id);
      assert.deepEqual(given.sort(), [first?.id, second?.id]);
      assert.equal(new Set(claims.flat().map(tokenOf)).size, 2);
    },
  },
  {
    ids: ['LIFE.fifo'],
    name: 'a claim takes the oldest of its task, of its project and of its kind, and not the others',
    run: async (bench) => {
      const [a, b, c] = await bench.create({ task_id: 'A' }, { task_id: 'B', kind: 'plan' }, { task_id: 'B' });
      const elsewhere = { ...newHandoff({ task_id: 'B' }), project: 'elsewhere' };
      await bench.store.create([elsewhere], callBy(writer, 'handoff.create'));
      assert.deepEqual(await bench.claim(receiver, { task_id: 'C' }), []);
      assert.deepEqual(await bench.claim(receiver, { kind: 'result' }), []);
      assert.equal((await bench.claimOne(receiver, { task_id: 'B' })).id, b?.id);
      assert.equal((await bench.claimOne(receiver, { kind: 'context' })).id, a?.id);
      assert.equal((await bench.claimOne(receiver)).id, c?.id);
      assert.deepEqual(await bench.claim(receiver), []);
    },
  },
  {
    ids: ['LIFE.fifo'],
    name: 'a handoff with a target is offered to that agent only, in its position among those without a target',
    run: async (bench) => {
      const [others, anybody, mine, last] = await bench.create(
        { target_agent: 'rival' },
        {},
        { target_agent: 'receiver' },
        {},
      );
      const claimed = await bench.claim(receiver, { max: 10 });
      assert.deepEqual(
        claimed.map(({ id }) => id),
        [anybody?.id, mine?.id, last?.id],
      );
      const error = await refusal(bench.claim(receiver, { id: others?.id }), 'conflict');
      assert.match(error.message, /addressed to rival/);
      assert.equal((await bench.claimOne(rival)).id, others?.id);
    },
  },
  {
    ids: ['LIFE.claim', 'LIFE.fifo'],
    name: 'a claim of several takes the oldest ones, each with its own token, and no more than there are',
    run: async (bench) => {
      await bench.create({}, {}, {});
      const two = await bench.claim(receiver, { max: 2 });
      assert.equal(two.length, 2);
      assert.notEqual(tokenOf(two[0] ?? only([])), tokenOf(two[1] ?? only([])));
      assert.equal((await bench.claim(rival, { max: 1_000 })).length, 1);
    },
  },
  {
    ids: ['LIFE.claim'],
    name: 'a named handoff is claimed out of order, and a refusal gives the reason',
    run: async (bench) => {
      const [, second, other] = await bench.create({}, { task_id: 'T', scope: 'src/a' }, { kind: 'plan' });
      assert.equal((await bench.claimOne(receiver, { id: second?.id })).id, second?.id);
      const held = await refusal(bench.claim(rival, { id: second?.id }), 'already_claimed');
      assert.equal(held.details.holder, 'receiver');
      await refusal(bench.claim(receiver, { id: 'NOBODY' }), 'not_found');
      const elsewhere = { ...callBy(receiver, 'handoff.claim'), project: 'elsewhere' };
      await refusal(bench.store.claim(claimOf({ id: other?.id, project: 'elsewhere' }), elsewhere), 'not_found');
      await refusal(bench.claim(receiver, { id: other?.id, kind: 'context' }), 'conflict');
      await refusal(bench.claim(receiver, { id: other?.id, scope: 'src' }), 'conflict');
      assert.equal((await bench.claimOne(receiver, { id: other?.id, kind: 'plan', max: 5 })).id, other?.id);
    },
  },
  {
    ids: ['LIFE.hook'],
    name: "a hook's claim counts no attempt, so that sessions that never showed it do not kill it",
    run: async (bench) => {
      const created = await bench.createOne({ max_attempts: 1 });
      for (let round = 1; round <= 3; round += 1) {
        const claimed = await bench.claimOne(hook);
        assert.equal(claimed.delivery.attempts, 0);
        assert.equal(claimed.delivery.fence, round);
        bench.clock.move(LEASE_MS);
        assert.equal(await bench.stateOf(created), 'open');
      }
    },
  },
  {
    ids: ['LIFE.frozen'],
    name: 'a claimer gets the content that was opened, whoever tries to edit it',
    run: async (bench) => {
      const created = await bench.createOne({ title: 'opened' });
      await refusal(bench.step(reviewer, created, editTo({ title: 'other' })), 'conflict');
      const claimed = await bench.claimOne(receiver);
      await refusal(bench.step(reviewer, created, editTo({ title: 'other' })), 'already_claimed');
      assert.deepEqual(claimed.content, created.content);
      assert.deepEqual((await bench.read(created)).content, created.content);
    },
  },
  {
    ids: ['LIFE.claim'],
    name: 'a claim skips the handoffs that it excludes, unless it names one',
    run: async (bench) => {
      const [first, second] = await bench.create({}, {});
      const exclude_ids = [first?.id ?? ''];
      assert.equal((await bench.claimOne(receiver, { exclude_ids })).id, second?.id);
      assert.deepEqual(await bench.claim(receiver, { exclude_ids }), []);
      assert.equal((await bench.claimOne(receiver, { id: first?.id ?? '', exclude_ids })).id, first?.id);
      await refusal(bench.claim(receiver, { exclude_ids: [''] }), 'invalid_input');
    },
  },
  {
    ids: ['STORE.scope'],
    name: 'a scope matches itself, paths below and above it, and no neighbour with the same prefix',
    run: async (bench) => {
      await bench.create(...scopes.map((scope) => ({ scope })));
      assert.deepEqual(await listed(bench, 'src/auth'), ['src', 'src/auth', 'src/auth/token.ts']);
      assert.deepEqual(await listed(bench, './src/auth/'), ['src', 'src/auth', 'src/auth/token.ts']);
      assert.deepEqual(await listed(bench, 'src/auth/token.ts'), ['src', 'src/auth', 'src/auth/token.ts']);
      assert.deepEqual(await listed(bench, 'src/auth/other.ts'), ['src', 'src/auth']);
      assert.deepEqual(await listed(bench, 'src'), scopes.slice(0, 6));
      assert.deepEqual(await listed(bench, 'sr'), []);
      assert.deepEqual(await listed(bench, '100%_a'), ['100%_a/b']);
      assert.deepEqual(await listed(bench, './/'), scopes);
      assert.deepEqual(await listed(bench, 'Src'), []);
    },
  },
  {
    ids: ['STORE.scope', 'LIFE.fifo'],
    name: 'a scoped claim takes the oldest in its scope and reports how many without a scope it left out',
    run: async (bench) => {
      const [, , match, unscoped] = await bench.create({ scope: 'docs' }, {}, { scope: 'src/auth/token.ts' }, {});
      const answer = await bench.store.claim(claimOf({ scope: 'src/auth', max: 5 }), callBy(receiver, 'handoff.claim'));
      assert.deepEqual(
        answer.handoffs.map(({ id }) => id),
        [match?.id],
      );
      assert.equal(answer.unscoped_left_out, 2);
      const rest = await bench.claim(receiver, { scope: 'src/auth', include_unscoped: true, max: 5 });
      assert.equal(rest.length, 2);
      assert.equal(rest[1]?.id, unscoped?.id);
    },
  },
  {
    ids: ['STORE.scope'],
    name: 'an empty claim also reports what it left out, and counts only what the claimer could claim',
    run: async (bench) => {
      await bench.create({}, { target_agent: 'rival' }, { state: 'draft' }, { kind: 'plan' });
      const call = callBy(receiver, 'handoff.claim');
      const request = claimOf({ scope: 'src' });
      assert.deepEqual(await bench.store.claim(request, call), { handoffs: [], unscoped_left_out: 2 });
      const plans = await bench.store.claim({ ...request, kind: 'plan' }, call);
      assert.deepEqual(plans, { handoffs: [], unscoped_left_out: 1 });
    },
  },
];

const scopes = ['src', 'src/auth', 'src/auth/token.ts', 'src/authz', 'src/auth0', 'src/auth.ts', 'docs', '100%_a/b'];

async function listed(bench: Bench, scope: string): Promise<string[]> {
  const { handoffs } = await bench.store.list({ filter: { scope }, limit: 100 });
  return handoffs.flatMap(({ content }) => content.scope ?? []).reverse();
}
