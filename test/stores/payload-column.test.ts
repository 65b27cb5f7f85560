import fc from 'fast-check';
import { expect } from 'vitest';
import { completeContent } from '../../packages/batonpass/src/core/complete-content.ts';
import type { Content, ContentInput } from '../../packages/batonpass/src/core/content.ts';
import { createSurroundings } from '../../packages/batonpass/src/core/surroundings.ts';
import { callBy, newHandoff, writer } from '../../packages/batonpass/src/stores/contract/bench.ts';
import { Connection } from '../../packages/batonpass/src/stores/sqlite/connection.ts';
import { openDriver } from '../../packages/batonpass/src/stores/sqlite/driver.ts';
import { SqliteStore } from '../../packages/batonpass/src/stores/sqlite/store.ts';
import { verifies } from '../verifies.ts';

/** Names and texts that look like the members next to the payload. */
const misleading = fc.constantFrom(
  'payload',
  'payload_ref',
  'phase',
  'references',
  'extra',
  'x"payload',
  ',"payload":',
  ',"references":[]',
  '\\',
  '\u{1F600}',
  '__proto__',
  'ü',
);
const values = fc.letrec<{ value: unknown }>((tie) => ({
  value: fc.oneof(
    { depthSize: 'small' },
    misleading,
    fc.jsonValue(),
    fc.array(tie('value'), { maxLength: 3 }),
    fc.dictionary(misleading, tie('value'), { maxKeys: 4 }),
  ),
})).value;
const inputs = fc.record<ContentInput>(
  {
    body: misleading,
    payload: values,
    extra: fc.dictionary(misleading, values, { maxKeys: 3 }),
    phase: misleading,
    references: fc.array(fc.record({ type: misleading, identifier: misleading }), { maxLength: 2 }),
    tried: fc.array(fc.record({ what: misleading, outcome: misleading }), { maxLength: 2 }),
  },
  { requiredKeys: [] },
) as fc.Arbitrary<ContentInput>;

const large = { payload: { text: '\u{1F600}'.repeat(20_000) } };

async function openInMemory(encoding = 'UTF-8') {
  const connection = await Connection.open(':memory:', {
    openDriver: async (path) => {
      const driver = await openDriver(path);
      driver.exec(`PRAGMA encoding = '${encoding}'`);
      return driver;
    },
  });
  expect(connection.driver.prepare('PRAGMA encoding').get()?.encoding).toBe(encoding);
  return { connection, store: new SqliteStore(connection, createSurroundings()) };
}

/** What the column must hold next to each content. */
function expectPayloads({ driver }: Connection): void {
  for (const { content, payload } of driver.prepare('SELECT content, payload FROM handoffs').all()) {
    const { payload: own, payload_ref } = JSON.parse(String(content)) as Content;
    expect(payload === null ? undefined : JSON.parse(String(payload))).toEqual(own === undefined ? payload_ref : own);
  }
}

for (const encoding of ['UTF-8', 'UTF-16le']) {
  verifies(
    ['SPEED.payload-column'],
    `the column is the payload in ${encoding}, with any content around it`,
    async () => {
      const { connection, store } = await openInMemory(encoding);
      const create = async (input: ContentInput) => {
        await store.create([newHandoff(input)], callBy(writer, 'handoff.create'));
      };
      await create(large);
      await create({ payload: { a: 1 }, extra: { added_later: { payload: 2 } } });
      await fc.assert(fc.asyncProperty(inputs, create), { numRuns: 200 });
      expectPayloads(connection);
      await store.close();
    },
  );
}

verifies(['SPEED.payload-column'], 'an edit changes it, and a damaged content has none', async () => {
  const { connection, store } = await openInMemory();
  const draft = { ...newHandoff({ payload: { a: 1 } }), state: 'draft' as const };
  const [made] = await store.create([draft], callBy(writer, 'handoff.create'));
  for (const input of [{ payload: { b: [2, 3] }, body: 'before it' }, { body: 'no payload' }, large]) {
    const step = { type: 'edit', ...completeContent(input, { source_agent: 'ada' }) } as const;
    await store.transition(made?.id ?? '', step, callBy(writer, 'handoff.edit'));
    expectPayloads(connection);
  }
  connection.driver.exec(`UPDATE handoffs SET content = '{"payload":', version = version + 1`);
  expect(connection.driver.prepare('SELECT payload FROM handoffs').all()).toEqual([{ payload: null }]);
  await store.close();
});
