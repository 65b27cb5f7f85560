import { createHash, randomBytes } from 'node:crypto';

/**
 * What transactions wait for each other by: numbers of advisory locks, which a database shares among all its programs.
 * They come from a hash over the schema and a purpose, so that two stores of one database do not meet.
 */
export interface Locks {
  migration: string;
  places: string;
  /** Shared by calls that add; exclusive for a call during which none may add. */
  contents: string;
  /** Held by calls that add to one project: its sequence numbers are given and committed in the same order. */
  ofProject: (project: string) => string;
  /** Two calls with one key: the second waits for the end of the first. */
  ofKey: (key_sha256: string) => string;
}

/** The locks of one schema. */
export function createLocks(schema: string): Locks {
  const of = (...purpose: string[]) => lockOf(JSON.stringify(['baton', schema, ...purpose]));
  return {
    migration: of('migration'),
    places: of('places'),
    contents: of('contents'),
    ofProject: (project) => of('project', project),
    ofKey: (key_sha256) => of('key', key_sha256),
  };
}

/** A lock that no other call has: for one call without a key, in case it runs again. */
export function ownLock(): string {
  return randomBytes(8).readBigInt64BE().toString();
}

function lockOf(name: string): string {
  return createHash('sha256').update(name).digest().readBigInt64BE().toString();
}
