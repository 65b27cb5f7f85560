import assert from 'node:assert/strict';
import {
  callBy,
  hook,
  LARGE_PAYLOAD as large,
  newHandoff,
  PROJECT,
  receiver,
  refusal,
  reviewer,
  START_MS,
  writer,
} from './bench.ts';
import type { ContractCase } from './case.ts';

/** Creating, and what a new handoff replaces. */
export const createCases: readonly ContractCase[] = [
  {
    ids: ['LIFE.create', 'LIFE.consumed'],
    name: 'a new handoff is open, with its content, its hash and its first event',
    run: async (bench) => {
      const given = newHandoff({ summary: 'Tokens rotate', task_id: 'T-1', decisions: ['Use RS256'] });
      const [created] = await bench.store.create([given], callBy(writer, 'handoff.create'));
      assert.ok(created);
      assert.match(created.id, /^[0-9A-HJKMNP-TV-Z]{26}$/);
      assert.deepEqual(
        { ...created, id: '' },
        {
          id: '',
          schema: 1,
          created_at: bench.now,
          project: PROJECT,
          content_sha256: given.content_sha256,
          content: given.content,
          delivery: {
            state: 'open',
            version: 1,
            content_revision: 1,
            available_at: bench.now,
            attempts: 0,
            max_attempts: 5,
            fence: 0,
            consumed: 0,
          },
        },
      );
      assert.deepEqual(await bench.read(created), created);
      const [event] = await bench.store.events({ handoff_id: created.id, limit: 10 });
      const details = { content_sha256: given.content_sha256 };
      const expected = {
        handoff_id: created.id,
        name: 'handoff-created',
        at: bench.now,
        actor: writer,
        to: 'open',
        details,
      };
      assert.deepEqual({ ...event, seq: 0 }, { seq: 0, ...expected });
    },
  },
  {
    ids: ['LIFE.create', 'LIFE.consumed'],
    name: 'a draft is consumed for source 3 and nobody can claim it',
    run: async (bench) => {
      const draft = await bench.createOne({ state: 'draft' });
      assert.equal(draft.delivery.consumed, 1);
      assert.deepEqual(await bench.claim(receiver), []);
      await refusal(bench.claim(receiver, { id: draft.id }), 'conflict');
    },
  },
  {
    ids: ['LIFE.create', 'LIFE.fifo'],
    name: 'handoffs created in one call keep their order',
    run: async (bench) => {
      const created = await bench.create({ title: 'first' }, { title: 'second' }, { title: 'third' });
      const claimed = await bench.claim(receiver, { max: 10 });
      assert.deepEqual(
        claimed.map(({ id }) => id),
        created.map(({ id }) => id),
      );
      assert.equal(new Set(created.map(({ id }) => id)).size, 3);
    },
  },
  {
    ids: ['LIFE.create'],
    name: 'creating nothing is allowed and changes nothing',
    run: async (bench) => {
      assert.deepEqual(await bench.create(), []);
      assert.deepEqual(await bench.store.events({ limit: 10 }), []);
    },
  },
  {
    ids: ['LIFE.create'],
    name: 'an expiry given in another time zone is kept as the same instant',
    run: async (bench) => {
      const created = await bench.createOne({ expires_at: '2026-03-01T15:00:00.5+02:00' });
      assert.equal(created.delivery.expires_at, '2026-03-01T13:00:00.500Z');
      assert.deepEqual(await bench.read(created), created);
    },
  },
  {
    ids: ['LIFE.supersede', 'LIFE.events'],
    name: 'a handoff that supersedes another withdraws it in the same transaction',
    run: async (bench) => {
      const old = await bench.createOne({ title: 'old' });
      const draft = await bench.createOne({ title: 'draft', state: 'draft' });
      const [fresh, second] = await bench.create({ supersedes_id: old.id }, { supersedes_id: draft.id });
      assert.equal(await bench.stateOf(old), 'withdrawn');
      assert.equal(await bench.stateOf(draft), 'withdrawn');
      const [, event] = await bench.store.events({ handoff_id: old.id, limit: 10 });
      assert.equal(event?.name, 'handoff-superseded');
      assert.deepEqual(event?.details, { superseded_by: fresh?.id });
      const offered = await bench.claim(receiver, { max: 10 });
      assert.deepEqual(
        offered.map(({ id }) => id),
        [fresh?.id, second?.id],
      );
    },
  },
  {
    ids: ['LIFE.supersede', 'LIFE.review'],
    name: 'a handoff that a draft supersedes is offered until the draft is approved',
    run: async (bench) => {
      const old = await bench.createOne({ title: 'old' });
      const draft = await bench.createOne({ title: 'new', supersedes_id: old.id, state: 'draft' });
      assert.equal((await bench.read(old)).delivery.state, 'open');
      const { content_sha256 } = draft;
      const step = { type: 'approve', content_sha256, rendered_sha256: 'b'.repeat(64), budget: 2_000 } as const;
      await bench.step(reviewer, draft, step);
      assert.equal((await bench.read(old)).delivery.state, 'withdrawn');
    },
  },
  {
    ids: ['LIFE.supersede', 'STORE.atomic'],
    name: 'a create whose superseded handoff is held, finished or unknown adds nothing',
    run: async (bench) => {
      const held = await bench.createOne({ title: 'held' });
      await bench.claimOne(receiver);
      await refusal(bench.create({ title: 'kept?' }, { supersedes_id: held.id }), 'already_claimed');
      const done = await bench.createOne({ title: 'done' });
      await bench.step(receiver, done, { type: 'acknowledge' });
      await refusal(bench.create({ supersedes_id: done.id }), 'conflict');
      await refusal(bench.create({ title: 'kept?' }, { supersedes_id: 'NOBODY' }), 'not_found');
      const twice = await bench.createOne({ title: 'twice' });
      await refusal(bench.create({ supersedes_id: twice.id }, { supersedes_id: twice.id }), 'conflict');
      assert.equal(await bench.stateOf(twice), 'open');
      assert.equal((await bench.store.list({ filter: {}, limit: 10 })).handoffs.length, 3);
    },
  },
  {
    ids: ['LIFE.supersede'],
    name: "another project's handoff cannot be superseded",
    run: async (bench) => {
      const old = await bench.createOne();
      const elsewhere = { ...newHandoff({ supersedes_id: old.id }), project: 'elsewhere' };
      const call = { ...callBy(hook, 'handoff.create'), project: 'elsewhere' };
      await refusal(bench.store.create([elsewhere], call), 'not_found');
      assert.equal(await bench.stateOf(old), 'open');
    },
  },
  {
    ids: ['LIFE.create', 'LIFE.fifo'],
    name: 'a clock that stops or goes back changes neither the order nor what is offered',
    run: async (bench) => {
      const first = await bench.createOne();
      const second = await bench.createOne();
      bench.clock.move(-3_600_000);
      const third = await bench.createOne();
      const claimed = await bench.claim(receiver, { max: 10 });
      assert.deepEqual(
        claimed.map(({ id }) => id),
        [first.id, second.id, third.id],
      );
      const { handoffs } = await bench.store.list({ filter: {}, limit: 10 });
      assert.deepEqual(
        handoffs.map(({ id }) => id),
        [third.id, second.id, first.id],
      );
      assert.ok(Date.parse(third.created_at) < START_MS);
    },
  },
  {
    ids: ['STORE.copies'],
    name: "a caller's changes of its input or of an answer never reach the store",
    run: async (bench) => {
      const given = newHandoff({ title: 'kept', next_steps: ['one'] });
      const [created] = await bench.store.create([given], callBy(reviewer, 'handoff.create'));
      assert.ok(created);
      given.content.title = 'changed';
      created.content.next_steps.push('two');
      created.delivery.state = 'dead';
      const read = await bench.read(created);
      read.content.title = 'changed too';
      const listed = (await bench.store.list({ filter: {}, limit: 1 })).handoffs[0];
      assert.equal(listed?.content.title, 'kept');
      assert.deepEqual(listed?.content.next_steps, ['one']);
      assert.equal(listed?.delivery.state, 'open');
    },
  },
  {
    ids: ['STORE.payload'],
    name: 'a large payload is stored once; a list, a claim and a read return a reference to it',
    run: async (bench) => {
      const [first, second] = await bench.create({ payload: large }, { payload: large });
      assert.ok(first && second);
      assert.deepEqual(Object.keys(first.content).includes('payload'), false);
      assert.equal(first.content.payload_ref?.sha256, second.content.payload_ref?.sha256);
      assert.deepEqual(await bench.read(first), first);
      const json = await bench.store.readPayload(first.id);
      assert.deepEqual(JSON.parse(json ?? ''), large);
      assert.equal(Buffer.byteLength(json ?? ''), first.content.payload_ref?.bytes);
      const claimed = await bench.claimOne(receiver);
      assert.deepEqual(claimed.content, first.content);
      const small = await bench.createOne({ payload: { text: 'small' } });
      assert.deepEqual(small.content.payload, { text: 'small' });
      assert.equal(await bench.store.readPayload(small.id), null);
      assert.equal(await bench.store.readPayload('NOBODY'), null);
    },
  },
  {
    ids: ['STORE.payload'],
    name: 'a reference to a payload of no handoff of the project is refused, one to an existing payload is stored',
    run: async (bench) => {
      const { content } = await bench.createOne({ payload: large });
      const again = await bench.createOne({ payload_ref: content.payload_ref });
      assert.deepEqual(JSON.parse((await bench.store.readPayload(again.id)) ?? ''), large);
      const unknown = { sha256: 'a'.repeat(64), bytes: 70_000, media_type: 'application/json' as const };
      await refusal(bench.create({ payload_ref: unknown }), 'invalid_input');
      const foreign = { ...newHandoff({ payload_ref: content.payload_ref }), project: 'elsewhere' };
      await refusal(bench.store.create([foreign], callBy(writer, 'handoff.create')), 'invalid_input');
      assert.equal((await bench.store.list({ filter: {}, limit: 9 })).handoffs.length, 2);
    },
  },
];
