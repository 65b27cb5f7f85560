import fc from 'fast-check';
import { expect } from 'vitest';
import { hashJson } from '../../packages/batonpass/src/core/canonical-json.ts';
import { completeContent } from '../../packages/batonpass/src/core/complete-content.ts';
import type { Content, ContentInput } from '../../packages/batonpass/src/core/content.ts';
import { createSurroundings } from '../../packages/batonpass/src/core/surroundings.ts';
import { callBy, newHandoff, writer } from '../../packages/batonpass/src/stores/contract/bench.ts';
import { Connection } from '../../packages/batonpass/src/stores/sqlite/connection.ts';
import { openDriver } from '../../packages/batonpass/src/stores/sqlite/driver.ts';
import { migrate } from '../../packages/batonpass/src/stores/sqlite/migrations/migrate.ts';
import { migrations } from '../../packages/batonpass/src/stores/sqlite/migrations/migrations.ts';
import { SqliteStore } from '../../packages/batonpass/src/stores/sqlite/store.ts';
import { verifies } from '../verifies.ts';

/** How the payload was looked for before its place was kept. */
const sought = "coalesce(content -> '$.payload', content -> '$.payload_ref')";
const countStray = `SELECT count(*) AS count FROM handoffs WHERE payload IS NOT ${sought}`;

/** Names and texts that look like the members among which the payload stands. */
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

for (const encoding of ['UTF-8', 'UTF-16le']) {
  verifies(['SPEED.payload-column'], `the payload stands where ${encoding} has it, whatever is around it`, async () => {
    const { connection, store } = await openInMemory(encoding);
    const create = async (input: ContentInput) => {
      await store.create([newHandoff(input)], callBy(writer, 'handoff.create'));
    };
    await create(large);
    await fc.assert(fc.asyncProperty(inputs, create), { numRuns: 200 });
    const { driver } = connection;
    expect(driver.prepare(countStray).get()?.count).toBe(0);
    const seen = driver.prepare('SELECT count(payload) AS some, count(*) AS every FROM handoffs').get();
    expect(Number(seen?.some)).toBeGreaterThan(100);
    expect(Number(seen?.every) - Number(seen?.some)).toBeGreaterThan(10);
    await store.close();
  });
}

verifies(['SPEED.payload-column'], 'a content with members that nobody here knows has it too', async () => {
  const { connection, store } = await openInMemory();
  const input = { payload: { text: '\u{1F600}', payload: 1 }, extra: { payload: { text: 2 } }, phase: 'one' };
  await store.create([newHandoff(input)], callBy(writer, 'handoff.create'));
  const [stored] = (await store.export({ limit: 1 })).handoffs;
  if (stored === undefined) throw new Error('Nothing was exported.');
  const { references: _references, ...known } = stored.handoff.content;
  const unknown = [
    { aside: { payload: 3 } },
    { phase: undefined, pinned: true },
    { zone: { phase: 4, references: [] } },
  ];
  for (const [index, extra] of unknown.entries()) {
    const content = { ...known, ...extra } as unknown as Content;
    const handoff = { ...stored.handoff, id: `${index}`, content, content_sha256: hashJson(content) };
    await store.import([{ handoff, events: stored.events.map((line) => ({ ...line, handoff_id: handoff.id })) }]);
  }
  const rows = connection.driver.prepare('SELECT payload FROM handoffs').all();
  expect(rows.map(({ payload }) => payload)).toEqual(rows.map(() => '{"payload":1,"text":"\u{1F600}"}'));
  await store.close();
});

verifies(['SPEED.payload-column'], 'an edit moves the place along', async () => {
  const { connection, store } = await openInMemory();
  const draft = { ...newHandoff({ payload: { a: 1 } }), state: 'draft' as const };
  const [made] = await store.create([draft], callBy(writer, 'handoff.create'));
  for (const input of [{ payload: { b: [2, 3] }, body: 'before it' }, { body: 'no payload' }, large]) {
    const step = { type: 'edit', ...completeContent(input, { source_agent: 'ada' }) } as const;
    await store.transition(made?.id ?? '', step, callBy(writer, 'handoff.edit'));
    expect(connection.driver.prepare(countStray).get()?.count).toBe(0);
  }
  await store.close();
});

verifies(['SPEED.payload-column'], 'a file of the schema before finds the same places', async () => {
  const driver = await openDriver(':memory:');
  migrate(driver, ':memory:', migrations.slice(0, 4));
  const insert = driver.prepare(`INSERT INTO handoffs (id, project, created_at, state, begun_as_draft, version,
      content_revision, available_at, attempts, max_attempts, fence, kind, source_agent, content_sha256, content)
    VALUES (:id, 'p', 0, 'open', 0, 1, 1, 0, 0, 5, 0, 'context', 'ada', '', :content)`);
  const contents = [large, ...fc.sample(inputs, 200)].map((input) => completeContent(input, { source_agent: 'ada' }));
  for (const [id, { content_json: content }] of contents.entries()) insert.run({ id: `${id}`, content });
  insert.run({ id: 'damaged', content: '{"payload":' });
  const before = driver.prepare(`SELECT id, payload FROM handoffs ORDER BY seq`).all();
  migrate(driver, ':memory:');
  expect(driver.prepare(`SELECT id, payload FROM handoffs ORDER BY seq`).all()).toEqual(before);
  driver.close();
});

verifies(['SPEED.payload-column'], 'what an older Baton writes and edits is found by its places', async () => {
  const { connection, store } = await openInMemory();
  const { driver } = connection;
  const draft = { ...newHandoff({ payload: { a: '\u{1F600}' } }), state: 'draft' as const };
  await store.create([draft], callBy(writer, 'handoff.create'));
  // As schema 5 wrote it: in characters, and nothing in bytes.
  const { content_json } = completeContent({ body: 'ü\u{1F600}', payload: { b: 'ü' } }, { source_agent: 'ada' });
  driver
    .prepare(
      `UPDATE handoffs SET content = :content, payload_at = instr(:content, '"payload":') + length('"payload":'),
       payload_length = length(:content -> '$.payload'), version = version + 1`,
    )
    .run({ content: content_json });
  expect(driver.prepare('SELECT payload FROM handoffs').all()).toEqual([{ payload: '{"b":"ü"}' }]);
  expect(driver.prepare(countStray).get()?.count).toBe(0);
  await store.close();
});
