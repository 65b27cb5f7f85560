import { appendFileSync, rmSync, writeFileSync } from 'node:fs';
import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { afterEach, describe, expect, vi } from 'vitest';
import { limits } from '../../packages/batonpass/src/core/limits.ts';
import { openDriver } from '../../packages/batonpass/src/stores/sqlite/driver.ts';
import { LogWatch } from '../../packages/batonpass/src/stores/sqlite/watch.ts';
import { Bell, follow } from '../../packages/batonpass/src/stores/subscription.ts';
import { verifies } from '../verifies.ts';
import { settle, until } from './consume-stage.ts';
import { createFolders } from './folders.ts';
import { nextRing } from './wake-process.ts';

const newFolder = createFolders();

/** A log that is a plain file, and a separate database whose commits are in the log. */
describe('the watch', () => {
  afterEach(() => {
    vi.useRealTimers();
  });

  const open = async () => {
    const folder = newFolder();
    const path = join(folder, 'told.db');
    const log = `${path}-wal`;
    writeFileSync(log, '');
    const driver = await openDriver(join(folder, 'truth.db'));
    driver.exec('PRAGMA journal_mode = WAL; CREATE TABLE commits (at)');
    const other = new DatabaseSync(join(folder, 'truth.db'));
    let looks = 0;
    const counting = {
      ...driver,
      prepare: (sql: string) => {
        const statement = driver.prepare(sql);
        const get = () => {
          looks += 1;
          return statement.get();
        };
        return { ...statement, get };
      },
    };
    const bell: Bell = new Bell(new LogWatch(path, counting, () => bell.ring()));
    // Without interference these are notifications.
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'setInterval', 'clearInterval'] });
    const end = bell.listen(() => {});
    return {
      ...{ bell, log, end },
      sign: () => appendFileSync(log, 'x'),
      commit: () => other.exec("INSERT INTO commits VALUES ('now')"),
      looks: () => looks,
      close: () => {
        end();
        other.close();
        driver.close();
      },
    };
  };

  verifies(
    ['WAKE.late'],
    'a commit that can be read only after its sign is found by the looks that follow',
    async () => {
      const { bell, sign, commit, looks, close } = await open();
      let rings = 0;
      bell.listen(() => {
        rings += 1;
      });
      const before = looks();
      sign();
      // The poll after the notification: from then on only timers poll.
      await until(() => looks() > before, 'the sign is looked after');
      await settleLooks(looks);
      commit();
      await settle();
      expect(rings).toBe(0);
      vi.advanceTimersByTime(1);
      expect(rings).toBe(1);
      // What was found may have been an earlier commit: polling continues, and ends.
      commit();
      vi.advanceTimersByTime(1_100);
      expect(rings).toBe(2);
      commit();
      vi.advanceTimersByTime(60_000);
      expect(rings).toBe(2);
      close();
    },
  );

  verifies(['WAKE.recreated'], 'a log that was removed and recreated is watched again', async () => {
    const { bell, log, sign, commit, looks, close } = await open();
    const before = looks();
    rmSync(log);
    await until(() => looks() > before, 'the removal is a sign');
    await settleLooks(looks);
    writeFileSync(log, '');
    bell.verify();
    commit();
    const rung = nextRing(bell);
    sign();
    await rung;
    close();
  });

  verifies(['WAKE.unwatched', 'WAKE.recreated'], 'while there is no log its commits are looked for', async () => {
    const { bell, log, sign, commit, looks, close } = await open();
    const before = looks();
    rmSync(log);
    await until(() => looks() > before, 'the removal is a sign');
    await settleLooks(looks);
    bell.verify();
    // The polls after the notification have ended; what is left are those without a log.
    vi.advanceTimersByTime(60_000);
    commit();
    const found = nextRing(bell);
    vi.advanceTimersByTime(250);
    await found;
    writeFileSync(log, '');
    vi.advanceTimersByTime(250);
    // From here on it is watched: once the polling after its notifications has ended, none starts on its own.
    vi.advanceTimersByTime(60_000);
    const after = looks();
    vi.advanceTimersByTime(60_000);
    expect(looks()).toBe(after);
    commit();
    const rung = nextRing(bell);
    sign();
    await rung;
    close();
  });

  verifies(['WAKE.shared', 'WAKE.unwatched'], 'once nobody waits, no sign, timer or poll looks again', async () => {
    const { bell, log, sign, commit, end, looks, close } = await open();
    for (let count = 0; count < 2; count += 1) {
      const before = looks();
      sign();
      await until(() => looks() > before, 'the sign is looked after');
    }
    end();
    commit();
    sign();
    await settleLooks(looks);
    const after = looks();
    vi.advanceTimersByTime(60_000);
    expect(looks()).toBe(after);
    // The same without a log.
    rmSync(log);
    const endAgain = bell.listen(() => {});
    endAgain();
    const atEnd = looks();
    vi.advanceTimersByTime(60_000);
    expect(looks()).toBe(atEnd);
    close();
  });

  verifies(
    ['WAKE.recreated', 'WAKE.unwatched'],
    'a subscription has its watch verified at each slow look',
    async () => {
      vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
      const verified: boolean[] = [];
      const watch = { start: () => {}, stop: () => {}, verify: () => void verified.push(true) };
      const ending = new AbortController();
      const readAfter = async () => [];
      const events = follow({ bell: new Bell(watch), readAfter, start: Promise.resolve(0), signal: ending.signal });
      const next = events.next();
      for (let look = 1; look <= 3; look += 1) {
        await settle();
        vi.advanceTimersByTime(limits.subscription_look_ms * 2);
        expect(verified).toHaveLength(look);
      }
      ending.abort();
      expect((await next).done).toBe(true);
    },
  );
});

/** Waits until no more notifications arrive. */
async function settleLooks(looks: () => number): Promise<void> {
  for (let before = -1; looks() !== before; ) {
    before = looks();
    for (let trip = 0; trip < 20; trip += 1) await stat('.');
  }
}
