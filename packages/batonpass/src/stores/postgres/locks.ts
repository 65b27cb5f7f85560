import { createHash, randomBytes } from 'node:crypto';

/**
 * What transactions wait for each other by: numbers of advisory locks, which a database shares among all its programs.
 * They come from a hash over the schema and a purpose, so that two stores of one database do not meet.
 */
export interface Locks {
  migration: string;
  places: string;
  /** Shared by whoever adds; alone for whoever needs that nobody does. */
  contents: string;
  /** Who adds to one project: places are given and committed in one order there. */
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

/** A lock that nobody else has: of one call without a key, for its own repetition. */
export function ownLock(): string {
  calls += 1n;
  return BigInt.asIntN(64, firstCall + calls).toString();
}

/** Chance tells processes apart, and counting the calls of one. */
const firstCall = randomBytes(8).readBigInt64BE();
let calls = 0n;

function lockOf(name: string): string {
  return createHash('sha256').update(name).digest().readBigInt64BE().toString();
}
