import assert from 'node:assert/strict';
import { callBy, newHandoff, receiver, refusal, reviewer, tokenOf } from './bench.ts';
import type { ContractCase } from './case.ts';

/** Texts that stores, their queries and their encodings have been known to change. */
const naughty: readonly string[] = [
  `'; DROP TABLE handoffs; --`,
  '%_[]^$*?\\',
  '"double" \'single\' `back`',
  'nul \u0000 inside',
  'line\nbreak\r\nand\ttab',
  '😀 astral, e\u0301 combining, ﷽',
  '\u202Eright to left\u202C and \uFEFF a mark inside',
  '\u{E0041} tag, \u200B zero width',
  '\uFFFD replacement, \uFFFF last',
  '{"json": [1, null]} :name ?1 $x @y',
  '__proto__',
  'NULL',
  '0123',
  '1e400',
];

/** Any well-formed text is only text. */
export const naughtyTextCases: readonly ContractCase[] = [
  {
    ids: ['STORE.text'],
    name: 'every text of a content is returned unchanged',
    run: async (bench) => {
      const given = naughty.map((text) =>
        newHandoff({
          summary: `S ${text}`,
          body: text,
          payload: { [text]: [text, { nested: text }] },
          next_steps: [`N ${text}`],
        }),
      );
      const created = await bench.store.create(given, callBy(reviewer, 'handoff.create'));
      for (const [index, { id }] of created.entries()) {
        assert.deepEqual((await bench.read({ id })).content, given[index]?.content);
      }
    },
  },
  {
    ids: ['STORE.text'],
    name: 'a text as task, agent, scope, phase and project finds its handoff and no other',
    run: async (bench) => {
      for (const text of naughty) {
        const name = `N ${text} N`;
        const given = { ...newHandoff({ task_id: name, target_agent: name, scope: name, phase: name }), project: name };
        await bench.store.create([given], { ...callBy({ name, type: 'agent' }, name, name), project: name });
      }
      for (const text of naughty) {
        const name = `N ${text} N`;
        for (const filter of [
          { project: name },
          { task_id: name },
          { target_agent: name },
          { phase: name },
          { scope: name },
        ]) {
          assert.equal((await bench.store.list({ filter, limit: 100 })).handoffs.length, 1, JSON.stringify(filter));
        }
        const request = { project: name, task_id: name, scope: name };
        const claimed = await bench.claimOne({ name, type: 'agent' }, request);
        assert.equal(claimed.idempotency_key, name);
        assert.equal((await bench.store.events({ project: name, limit: 10 })).length, 2);
      }
    },
  },
  {
    ids: ['STORE.text'],
    name: 'reasons, questions and answers are returned unchanged',
    run: async (bench) => {
      for (const text of naughty) {
        const created = await bench.createOne();
        const token = tokenOf(await bench.claimOne(receiver, { id: created.id }));
        await bench.step(receiver, created, { type: 'ask', token, question: text });
        await bench.step(reviewer, created, { type: 'answer', answer: text, lease_ms: 60_000 });
        const failed = await bench.step(receiver, created, { type: 'fail', token, reason: text });
        assert.deepEqual(await bench.read(created), failed);
        const { waiting_on, failure } = failed.delivery;
        assert.deepEqual([waiting_on?.question, waiting_on?.answer, failure?.reason], [text, text, text]);
        const reasons = (await bench.store.events({ handoff_id: created.id, limit: 10 })).map(({ reason }) => reason);
        assert.deepEqual(reasons.slice(2), [text, text, text]);
      }
    },
  },
  {
    ids: ['STORE.text'],
    name: 'a key named __proto__ is data, at every depth',
    run: async (bench) => {
      const payload = JSON.parse(
        '{"__proto__":{"polluted":true},"list":[{"__proto__":1}],"constructor":null}',
      ) as object;
      const created = await bench.createOne({ payload });
      const read = await bench.read(created);
      assert.equal(JSON.stringify(read.content.payload), JSON.stringify(created.content.payload));
      assert.ok(Object.hasOwn(read.content.payload as object, '__proto__'));
      assert.equal(({} as Record<string, unknown>).polluted, undefined);
    },
  },
  {
    ids: ['STORE.text'],
    name: 'a lone surrogate, which no encoding keeps, is refused and changes nothing',
    run: async (bench) => {
      const created = await bench.createOne();
      const lone = 'lone \uD83D surrogate';
      await refusal(bench.step(reviewer, created, { type: 'withdraw', reason: lone }), 'invalid_input');
      await refusal(bench.claim({ name: lone, type: 'agent' }), 'invalid_input');
      await refusal(bench.claim(receiver, { task_id: lone }), 'invalid_input');
      assert.equal(await bench.stateOf(created), 'open');
    },
  },
];
