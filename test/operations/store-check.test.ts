import { readFileSync, writeFileSync } from 'node:fs';
import { describe, expect } from 'vitest';
import { verifies } from '../verifies.ts';
import { fill, makeSource3, withDatabase } from './store-contents.ts';
import { newPlace, openOn, refusalOf } from './store-stage.ts';

/** A filled store, closed, so that what happens to its file happens to all of it. */
async function filled(count = 12) {
  const { folder, file } = newPlace();
  const baton = await openOn(file);
  const ids = await fill(baton, count);
  await baton.close();
  return { folder, file, ids };
}

const check = async (file: string) => (await openOn(file)).run('store.check', {});

/** Past the trigger that keeps foreign SQL from moving what the life cycle moves. */
function tamper(file: string, sql: string): void {
  withDatabase(file, (database) => {
    database.exec('DROP TRIGGER handoffs_are_moved_by_baton');
    database.exec(sql);
  });
}

describe('a check of a store', () => {
  verifies(['STORECMD.check'], 'reports what a sound one is and holds', async () => {
    const { file, ids } = await filled();
    const report = await check(file);
    expect(report).toMatchObject({
      store: `sqlite:${file}`,
      complete: true,
      handoffs: 12,
      states: { acknowledged: 2, withdrawn: 2, claimed: 2, open: 4, draft: 2 },
      oldest_open: { id: ids[3] },
      dropped: { handoffs: 0, lines: 0 },
      problems: 0,
      findings: [],
    });
    expect(report.schema?.version).toBe(report.schema?.known);
    expect(report.size?.bytes).toBeGreaterThan(100_000);
  });

  const damages: [rule: string, what: RegExp, sql: string][] = [
    [
      'content',
      /content is not the one/,
      `UPDATE handoffs SET content = json_set(content, '$.title', 'other') WHERE id = :id`,
    ],
    ['payload', /payload is not the one/, `UPDATE payloads SET json = '{"text":"other"}'`],
    ['payload', /payload is missing/, 'DELETE FROM payloads'],
    ['history', /its history has 0 lines/, 'DELETE FROM events WHERE handoff_id = :id'],
    ['history', /its version is 7, its history has 1 line$/, 'UPDATE handoffs SET version = 7 WHERE id = :id'],
    ['history', /ends at open/, `UPDATE handoffs SET state = 'dead' WHERE id = :id`],
    ['history', /broken/, `UPDATE events SET from_state = 'draft' WHERE handoff_id = :id`],
    ['delivery', /nobody holds it/, `UPDATE handoffs SET lease_token = NULL WHERE state = 'claimed'`],
    ['delivery', /its lease never ends/, `UPDATE handoffs SET lease_expires_at = NULL WHERE state = 'claimed'`],
    [
      'delivery',
      /somebody holds it/,
      `UPDATE handoffs SET lease_token = 'x', lease_holder = 'somebody', lease_holder_type = 'agent' WHERE id = :id`,
    ],
    ['delivery', /knows of a later one/, `UPDATE handoffs SET fence = 0 WHERE state = 'claimed'`],
    ['delivery', /by whom and when/, `UPDATE handoffs SET acknowledged_by = NULL WHERE state = 'acknowledged'`],
    ['delivery', /without an approval/, `UPDATE handoffs SET begun_as_draft = 1 WHERE id = :id`],
    ['columns', /a column of its row/, `UPDATE handoffs SET task_id = 'elsewhere' WHERE id = :id`],
    ['unreadable', /cannot be read/, `UPDATE handoffs SET approval = '{' WHERE id = :id`],
  ];
  for (const [rule, what, sql] of damages) {
    verifies(['STORECMD.check'], `names it where ${sql.split(' WHERE')[0]}`, async () => {
      const { file, ids } = await filled();
      tamper(file, sql.replaceAll(':id', `'${ids[3]}'`));
      const report = await check(file);
      expect(report.findings).toContainEqual({ rule, id: expect.any(String), what: expect.stringMatching(what) });
      expect(report.problems).toBeGreaterThan(0);
      // One that is wrong hides no other.
      expect(report).toMatchObject({ complete: true, handoffs: 12 });
    });
  }

  verifies(['STORECMD.check'], 'names a file that is damaged, and what of it cannot be read', async () => {
    const { file } = await filled(40);
    const bytes = readFileSync(file);
    bytes.fill(0x5a, 4096 * 3, 4096 * 9);
    writeFileSync(file, bytes);
    const { findings, problems } = await check(file);
    expect(findings[0]?.rule).toBe('file');
    expect(problems).toBeGreaterThan(0);
  });

  verifies(['STORECMD.check'], 'counts history whose handoffs are gone, which is no fault', async () => {
    const { file, ids } = await filled();
    withDatabase(file, (database) => database.prepare('DELETE FROM handoffs WHERE id = ?').run(ids[0] ?? ''));
    expect(await check(file)).toMatchObject({ problems: 0, handoffs: 11, dropped: { handoffs: 1, lines: 2 } });
  });

  verifies(
    ['STORECMD.check'],
    'changes nothing: neither due steps happen, nor is a database of source 3 taken over',
    async () => {
      const { folder, file } = await filled();
      const hour_ms = 3_600_000;
      const before = readFileSync(file);
      const late = await openOn(file, { now: () => Date.now() + 2 * hour_ms });
      expect((await late.run('store.check', {})).states.claimed).toBe(2);
      expect(readFileSync(file).equals(before)).toBe(true);

      const former = `${folder}/former.db`;
      makeSource3(former, 3);
      const report = await check(former);
      expect(report).toMatchObject({ schema: { version: 0 }, complete: false, problems: 0, handoffs: 0 });
      expect(withDatabase(former, (database) => database.prepare('PRAGMA user_version').get()?.user_version)).toBe(0);
    },
  );

  verifies(['STORECMD.check', 'STORECMD.words'], 'refuses what is no store, each with the next step', async () => {
    const { folder, file } = await filled();
    const absent = await openOn(`${folder}/absent.db`);
    expect(await refusalOf(absent.run('store.check', {}))).toMatchObject({ code: 'file_not_found' });
    writeFileSync(`${folder}/text.db`, 'not a database, but long enough for one: '.repeat(30));
    expect((await refusalOf(check(`${folder}/text.db`))).code).toBe('invalid_input');
    withDatabase(`${folder}/foreign.db`, (database) => database.exec('CREATE TABLE notes (a)'));
    expect((await refusalOf(check(`${folder}/foreign.db`))).code).toBe('invalid_input');
    withDatabase(file, (database) => database.exec('PRAGMA user_version = 99'));
    expect((await refusalOf(check(file))).code).toBe('unsupported_version');
    const remote = await openOn(file, { store: 'mysql://baton:hunter2@db/x?password=hunter2' });
    const refused = await refusalOf(remote.run('store.check', {}));
    expect(`${refused.message} ${JSON.stringify(refused.details)}`).not.toContain('hunter2');
  });

  verifies(['STORECMD.check'], 'looks through a store in memory too, by what it gives away', async () => {
    const { file } = newPlace();
    const baton = await openOn(file, { store: 'memory:' });
    await fill(baton);
    expect(await baton.run('store.check', {})).toMatchObject({ store: 'memory:', handoffs: 12, problems: 0 });
  });
});
