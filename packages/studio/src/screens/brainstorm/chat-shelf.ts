import type { UIMessage } from 'ai';
import { call, once } from '../../server/call.ts';

/** A conversation before a handoff: chatted here, or read from a transcript. */
export interface Brainstorm {
  /** The id in its address. */
  id: string;
  project: string;
  /** The session that its handoffs name as their source: its own id, or that of the transcript. */
  session: string;
  title: string;
  /** ISO 8601. */
  changed_at: string;
  messages: UIMessage[];
  /** Whether the last question has no complete answer yet, as when the page was left before the end. */
  is_owed: boolean;
  /** The transcript, where one with a session was read; its `messages` come first. */
  source?: { messages: number; text?: string; file?: File; path?: string };
}

/** The source that a transcript is read from again: its path, its file, or its text. */
export function placeOf({ path, file, text = '' }: NonNullable<Brainstorm['source']>) {
  if (path !== undefined) return { path };
  return file === undefined ? { text } : { file };
}

/** A brainstorm as a list shows it. */
export type BrainstormHead = Pick<Brainstorm, 'id' | 'session' | 'title' | 'changed_at'> & { messages: number };

/**
 * The storage of brainstorms in this browser: a separate database, since `localStorage` has room for only one long
 * chat. A write is atomic. Each function throws the browser's error where storage is not available.
 */
const DATABASE = 'baton-brainstorms';
const TABLE = 'brainstorms';

const open = once(
  () =>
    new Promise<IDBDatabase>((resolve, reject) => {
      const request = indexedDB.open(DATABASE, 1);
      request.onupgradeneeded = () => request.result.createObjectStore(TABLE, { keyPath: ['project', 'id'] });
      request.onsuccess = () => resolve(request.result);
      request.onerror = () => reject(request.error ?? new Error('It cannot be opened.'));
    }),
);

async function ask<T>(mode: IDBTransactionMode, make: (table: IDBObjectStore) => IDBRequest<T>): Promise<T> {
  const database = await open();
  return new Promise((resolve, reject) => {
    const transaction = database.transaction(TABLE, mode);
    const request = make(transaction.objectStore(TABLE));
    transaction.oncomplete = () => resolve(request.result);
    // A full storage aborts the whole transaction.
    transaction.onabort = () => reject(transaction.error ?? new Error('It was interrupted.'));
  });
}

/** Stores a brainstorm, in place of its previous version. */
export async function keepBrainstorm(brainstorm: Brainstorm): Promise<void> {
  await ask('readwrite', (table) => table.put(brainstorm));
}

/** The brainstorm of an address; null where this browser has none. */
export async function findBrainstorm(project: string, id: string): Promise<Brainstorm | null> {
  return ((await ask('readonly', (table) => table.get([project, id]))) as Brainstorm | undefined) ?? null;
}

/** Deletes a brainstorm. */
export async function dropBrainstorm(project: string, id: string): Promise<void> {
  await ask('readwrite', (table) => table.delete([project, id]));
}

/** The brainstorms of a project, the last changed first. */
export async function listBrainstorms(project: string): Promise<BrainstormHead[]> {
  const all = (await ask('readonly', (table) =>
    table.getAll(IDBKeyRange.bound([project], [project, []])),
  )) as Brainstorm[];
  return all
    .map(({ id, session, title, changed_at, messages }) => ({
      id,
      session,
      title,
      changed_at,
      messages: messages.length,
    }))
    .sort((a, b) => (a.changed_at < b.changed_at ? 1 : -1));
}

/** The project of this page's server, under which brainstorms are stored; requested once. @throws ServerProblem */
export const findProject = once(async () => (await call('handoff.status', {})).project);
