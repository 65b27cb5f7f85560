import assert from 'node:assert/strict';
import { callBy, LARGE_PAYLOAD as large, newHandoff, receiver, refusal, writer } from './bench.ts';
import type { ContractCase } from './case.ts';

/** Payloads too large for a list to carry. */
export const payloadCases: readonly ContractCase[] = [
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
