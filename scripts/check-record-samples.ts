import { deepStrictEqual } from 'node:assert';
import { cpSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { makeTemporaryFolder } from '../packages/batonpass/src/disk/temporary-folder.ts';
import { openBaton } from '../packages/batonpass/src/index.ts';
import { HandoffStore } from '../packages/batonpass/src/records.ts';

/** `node check-record-samples.ts FOLDER`: records that other programs wrote are read, listed and round-trip byte for byte. */
const [samples = ''] = process.argv.slice(2);

/** Every file below `handoffs`, by name. */
function readAll(dir: string): Record<string, string> {
  const folder = join(dir, 'handoffs');
  return Object.fromEntries(readdirSync(folder).map((name) => [name, readFileSync(join(folder, name), 'utf8')]));
}

const place = makeTemporaryFolder('baton-records-');
try {
  const [copy, back] = [join(place.path, 'copy'), join(place.path, 'back')];
  cpSync(samples, copy, { recursive: true });
  const given = readAll(samples);
  const warnings: string[] = [];
  const store = new HandoffStore(copy, { onWarning: (text) => warnings.push(text) });
  const lines = given['index.jsonl']?.trimEnd().split('\n') ?? [];
  const entries = await store.list();
  deepStrictEqual(
    entries.toReversed(),
    lines.map((line) => JSON.parse(line)),
  );
  for (const { id } of entries) deepStrictEqual(await store.get(id), JSON.parse(given[`${id}.json`] ?? ''));
  const baton = await openBaton({ cwd: place.path, environment: {}, store: `sqlite:${join(place.path, 'baton.db')}` });
  const { store_url } = baton.context;
  const report = await baton.file.storeCheck({ folder: copy });
  const there = await baton.store.copy({ from: `handoffs:${copy}`, to: store_url });
  const again = await baton.store.copy({ to: `handoffs:${back}` });
  await baton.close();
  deepStrictEqual([there.differing, again.differing, report.findings, warnings], [[], [], [], []]);
  deepStrictEqual(readAll(copy), given);
  deepStrictEqual(readAll(back), given);
  process.stdout.write(
    `${entries.length} records and their index: read, listed, and the same bytes after a way there and back\n`,
  );
} finally {
  place.remove();
}
