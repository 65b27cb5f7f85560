import { mkdtempSync, readdirSync, renameSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect } from 'vitest';
import { replaceFile } from '../../packages/batonpass/src/disk/replace-file.ts';
import { FolderReadings } from '../../packages/batonpass/src/workspace/hosts/folder-reading.ts';
import { type HostSession, HostSessions } from '../../packages/batonpass/src/workspace/hosts/host-sessions.ts';
import { verifies } from '../verifies.ts';

let folder: string;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'baton-reading-'));
});

afterEach(() => rmSync(folder, { recursive: true, force: true }));

/** As if nothing had changed in it for an hour. */
function settle(place = folder): void {
  const past = new Date(Date.now() - 3_600_000);
  utimesSync(place, past, past);
}

function openReadings() {
  const readings = new FolderReadings<string[]>();
  let reads = 0;
  const look = (place = folder) =>
    readings.get(place, () => {
      reads += 1;
      return readdirSync(place).sort();
    });
  return { look, count: () => reads };
}

verifies(['HOOK.live'], 'a folder in which nothing changes is read once, and again after each change', () => {
  const { look, count } = openReadings();
  writeFileSync(join(folder, 'a'), '1');
  settle();
  expect([look(), look(), look()]).toEqual([['a'], ['a'], ['a']]);
  expect(count()).toBe(1);
  replaceFile(join(folder, 'b'), '2', 0o600);
  expect(look()).toEqual(['a', 'b']);
  settle();
  expect([look(), look()]).toEqual([
    ['a', 'b'],
    ['a', 'b'],
  ]);
  renameSync(join(folder, 'a'), join(folder, 'c'));
  expect(look()).toEqual(['b', 'c']);
  rmSync(join(folder, 'c'));
  expect(look()).toEqual(['b']);
});

verifies(['HOOK.live'], 'a folder that has just changed is read each time: its clock may not have ticked since', () => {
  const { look, count } = openReadings();
  writeFileSync(join(folder, 'a'), '1');
  for (let number = 1; number <= 3; number += 1) {
    look();
    expect(count()).toBe(number);
  }
});

verifies(['HOOK.live'], 'sessions that begin, end or are forgotten are seen at the next look', () => {
  const now_ms = Date.now();
  const session = (name: string, more: Partial<HostSession> = {}): HostSession => ({
    host: 'claude-code',
    session: name,
    interactive: true,
    root: '/srv/tidepool',
    seen_at: new Date(now_ms).toISOString(),
    received: [],
    ...more,
  });
  const place = join(folder, 'sessions');
  // As each call of an operation opens them.
  const live = () => [...new HostSessions(place).listLive(now_ms)].sort();
  expect(live()).toEqual([]);
  new HostSessions(place).write(session('session-one'));
  settle(place);
  expect([live(), live()]).toEqual([['session-one'], ['session-one']]);
  new HostSessions(place).write(session('session-two'));
  expect(live()).toEqual(['session-one', 'session-two']);
  settle(place);
  live();
  new HostSessions(place).write(session('session-one', { ended_at: new Date(now_ms).toISOString() }));
  expect(live()).toEqual(['session-two']);
  settle(place);
  live();
  rmSync(place, { recursive: true });
  expect(live()).toEqual([]);
});
