import { type FSWatcher, watch } from 'node:fs';
import { basename, dirname } from 'node:path';
import type { Bell } from '../subscription.ts';

/**
 * Rings a bell when another process writes to a database's write-ahead log. One watcher serves all subscriptions and
 * lasts as long as there is one. It only looks at the folder: opening the files themselves would, on closing them,
 * drop SQLite's locks of this process.
 */
export function createWatch(path: string, bell: Bell): () => () => void {
  let watcher: FSWatcher | undefined;
  let users = 0;
  return () => {
    users += 1;
    watcher ??= openWatcher(path, bell);
    let isEnded = false;
    return () => {
      if (isEnded) return;
      isEnded = true;
      users -= 1;
      if (users > 0) return;
      watcher?.close();
      watcher = undefined;
    };
  };
}

function openWatcher(path: string, bell: Bell): FSWatcher | undefined {
  const log = `${basename(path)}-wal`;
  try {
    const watcher = watch(dirname(path), { persistent: false }, (_type, name) => {
      if (name === null || name === log) bell.ring();
    });
    // A watcher that breaks later is no loss either, see below.
    watcher.on('error', () => watcher.close());
    return watcher;
  } catch {
    // Some systems have no watcher left to give; the subscriptions' own slow look finds every event all the same.
    return undefined;
  }
}
