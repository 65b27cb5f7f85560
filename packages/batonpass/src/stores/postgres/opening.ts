import type { Locks } from './locks.ts';
import type { Parameters, Statement } from './session.ts';
import * as statements from './statements.ts';

/** What a body will lock, as far as its request tells: it is locked by the message that begins the transaction. */
export interface Needs {
  /** Projects that it adds to. */
  projects?: readonly string[];
  /** Handoffs that it takes steps with. */
  ids?: readonly string[];
}

/** The statements that lock it, in one order for all transactions: projects, then handoffs. */
export function openingOf({ projects = [], ids = [] }: Needs, locks: Locks): Statement[] {
  return [
    ...(projects.length > 0 ? [{ sql: statements.lockAdding, parameters: addingParameters(projects, locks) }] : []),
    ...(ids.length > 0 ? [{ sql: statements.lockHandoffs, parameters: { ids } }] : []),
  ];
}

/** Whoever adds to several projects locks them in the order of their numbers. */
export function addingParameters(projects: readonly string[], locks: Locks): Parameters {
  const keys = [...new Set(projects.map((project) => locks.ofProject(project)))].sort();
  return { contents: locks.contents, keys };
}
