import { statSync } from 'node:fs';
import { resolve } from 'node:path';
import { HandoffError } from '../../core/errors.ts';
import type { Store } from '../../core/store.ts';
import { machineTiming, pause } from '../../core/timing.ts';
import { openStore, type StoreOptions } from '../../stores/open.ts';
import { isReadOnly } from '../../stores/sqlite/place.ts';
import type { OperationName } from '../catalogue.ts';
import { absentStore, databasePath } from './store-file.ts';

/** The operations that create an absent store: they have something to store. */
const beginning: readonly (OperationName | undefined)[] = [
  'handoff.create',
  'handoff.import',
  'plan.answer',
  'plan.create-directory',
  'plan.update-progress',
  'plan.write-config',
  'plan.write-plan',
  'plan.write-references',
  'planning.hand-on',
  'project.init',
  'session.note',
  'session.work',
];

/** Another process makes an empty file and fills it at once. */
const filled_ms_max = 1_000;
const look_ms = 20;

/** A store that is opened by the first operation that needs it. */
export interface StoreOpener {
  /**
   * A mistyped name would be a new store in which nothing is found, and so would a file that lost its contents.
   *
   * @param operation - absent where a door opens it for itself.
   * @throws HandoffError `file_not_found` where a named store is absent and the operation does not create one; `unavailable`
   * for an empty file; what opening it throws.
   */
  openFor: (operation: OperationName | undefined) => Promise<Store>;
  /** Closes the store, where one was opened. */
  close: () => Promise<void>;
}

/** What is opened, and whether somebody named it: the usual place cannot be mistyped. */
interface StorePlace {
  store_url: string;
  is_named: boolean;
  options: StoreOptions;
}

/** Opens nothing yet. */
export function createStoreOpener({ store_url, is_named, options }: StorePlace): StoreOpener {
  const path = databasePath({ store_url });
  let opened: Promise<Store> | undefined;
  const openFor = async (operation: OperationName | undefined) => {
    if (opened === undefined && is_named && path !== undefined && sizeOf(path) === undefined) {
      // A new session finds nothing in a store that does not exist, and needs none.
      if (operation === 'session.start') return openStore('memory:', options);
      if (!beginning.includes(operation)) throw absentStore(resolve(path));
    }
    opened ??= openFilled(path, () => openStore(store_url, options)).catch((error: unknown) => {
      // A store that could not be opened may be available at the next call.
      opened = undefined;
      throw error;
    });
    return opened;
  };
  return {
    openFor,
    close: async () => {
      if (opened !== undefined) await (await opened).close();
    },
  };
}

/** The warning that the store's file cannot be written, on one line; undefined where it can, and for a store on a server. */
export function describeReadOnly(place: { store_url: string }): string | undefined {
  const path = databasePath(place);
  if (path === undefined || !isReadOnly(path)) return undefined;
  return `The store ${resolve(path)} is read-only: it can be listed, shown, checked and copied, and nothing in it changes.`;
}

/** @throws HandoffError `unavailable` for a file that stays empty. */
async function openFilled(path: string | undefined, open: () => Promise<Store>): Promise<Store> {
  for (let waited_ms = 0; path !== undefined && sizeOf(path) === 0; waited_ms += look_ms) {
    if (waited_ms >= filled_ms_max) throw emptyStore(resolve(path));
    await pause(machineTiming, look_ms, new AbortController().signal);
  }
  return open();
}

/** A file that cannot be read counts as existing: opening it reports what is wrong. */
function sizeOf(path: string): number | undefined {
  try {
    const found = statSync(path, { throwIfNoEntry: false });
    return found === undefined ? undefined : found.isFile() ? found.size : Number.NaN;
  } catch {
    return Number.NaN;
  }
}

function emptyStore(path: string): HandoffError {
  return new HandoffError('unavailable', `The store ${path} is an empty file: it holds no database.`, {
    details: { path },
    alternatives: [
      'If it held handoffs, restore a backup: baton store restore FILE',
      `If nothing was ever stored in it, remove it, and the next handoff creates a new store: ${path}`,
    ],
  });
}
