import assert from 'node:assert/strict';
import { editTo, newHandoff, receiver, refusal, reviewer } from './bench.ts';
import type { ContractCase } from './case.ts';

const RENDERED = { rendered_sha256: 'b'.repeat(64), budget: 2_000 };

/** Drafts: edited, approved, withdrawn. */
export const draftCases: readonly ContractCase[] = [
  {
    ids: ['LIFE.edit'],
    name: 'an edit replaces a whole draft, counts a revision, and the draft is found by its new content',
    run: async (bench) => {
      const draft = await bench.createOne({ title: 'before', task_id: 'A', state: 'draft' });
      const after = { title: 'after', task_id: 'B', scope: 'src/b' };
      const { content, content_sha256 } = newHandoff(after);
      const edited = await bench.step(reviewer, draft, editTo(after, 1));
      assert.deepEqual(edited.content, content);
      assert.equal(edited.content_sha256, content_sha256);
      assert.deepEqual([edited.delivery.version, edited.delivery.content_revision], [2, 2]);
      assert.deepEqual(await bench.read(draft), edited);
      const find = async (task_id: string) =>
        (await bench.store.list({ filter: { task_id }, limit: 9 })).handoffs.length;
      assert.deepEqual([await find('A'), await find('B')], [0, 1]);
    },
  },
  {
    ids: ['LIFE.edit'],
    name: 'an edit of a former version is a conflict and changes nothing',
    run: async (bench) => {
      const draft = await bench.createOne({ title: 'before', state: 'draft' });
      await bench.step(reviewer, draft, editTo({ title: 'first' }, 1));
      await refusal(bench.step(reviewer, draft, editTo({ title: 'late' }, 1)), 'conflict');
      assert.equal((await bench.read(draft)).content.title, 'first');
    },
  },
  {
    ids: ['LIFE.edit', 'LIFE.expire'],
    name: "an edit moves the draft's expiry to its content's",
    run: async (bench) => {
      const draft = await bench.createOne({ state: 'draft', expires_at: '2026-03-01T13:00:00Z' });
      const edited = await bench.step(reviewer, draft, editTo({ expires_at: '2026-03-01T16:00:00+02:00' }));
      assert.equal(edited.delivery.expires_at, '2026-03-01T14:00:00.000Z');
      const cleared = await bench.step(reviewer, draft, editTo({}));
      assert.equal(cleared.delivery.expires_at, undefined);
      assert.deepEqual(await bench.read(draft), cleared);
    },
  },
  {
    ids: ['LIFE.approve', 'LIFE.frozen', 'LIFE.consumed'],
    name: 'an approval opens the draft, records who approved what, and cannot be given twice',
    run: async (bench) => {
      const draft = await bench.createOne({ state: 'draft' });
      const { content_sha256 } = draft;
      const opened = await bench.step(reviewer, draft, { type: 'approve', content_sha256, ...RENDERED });
      assert.equal(opened.delivery.state, 'open');
      assert.equal(opened.delivery.consumed, 0);
      assert.deepEqual(opened.delivery.approval, { by: 'reviewer', at: bench.now, content_sha256, ...RENDERED });
      assert.deepEqual(await bench.read(draft), opened);
      await refusal(bench.step(reviewer, draft, { type: 'approve', content_sha256, ...RENDERED }), 'conflict');
      const claimed = await bench.claimOne(receiver);
      assert.deepEqual(claimed.delivery.approval, opened.delivery.approval);
    },
  },
  {
    ids: ['LIFE.approve'],
    name: 'an approval of a content that was edited meanwhile is a conflict',
    run: async (bench) => {
      const draft = await bench.createOne({ title: 'reviewed', state: 'draft' });
      await bench.step(reviewer, draft, editTo({ title: 'slipped in' }));
      const step = { type: 'approve', content_sha256: draft.content_sha256, ...RENDERED } as const;
      await refusal(bench.step(reviewer, draft, step), 'conflict');
      assert.equal(await bench.stateOf(draft), 'draft');
    },
  },
  {
    ids: ['LIFE.withdraw'],
    name: 'drafts and open handoffs are withdrawn with a reason, and are then offered to nobody',
    run: async (bench) => {
      const [open] = await bench.create({});
      const draft = await bench.createOne({ state: 'draft' });
      for (const each of [open, draft]) {
        assert.ok(each);
        const withdrawn = await bench.step(reviewer, each, { type: 'withdraw', reason: 'Outdated.' });
        assert.equal(withdrawn.delivery.state, 'withdrawn');
        assert.equal((await bench.store.events({ handoff_id: each.id, limit: 9 })).at(-1)?.reason, 'Outdated.');
        await refusal(bench.step(reviewer, each, { type: 'withdraw' }), 'conflict');
      }
      assert.deepEqual(await bench.claim(receiver), []);
    },
  },
  {
    ids: ['LIFE.table'],
    name: 'a step with an unknown handoff is not_found',
    run: async (bench) => {
      await refusal(bench.step(reviewer, { id: 'NOBODY' }, { type: 'withdraw' }), 'not_found');
      assert.equal(await bench.store.get('NOBODY'), null);
      assert.equal(await bench.store.get(''), null);
    },
  },
];
