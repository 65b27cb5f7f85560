import type { Locks } from './locks.ts';
import type { Opening, Parameters, Row, Statement } from './session.ts';
import * as statements from './statements.ts';

/** What a body will lock, as far as its request tells: it is locked by the message that begins the transaction. */
export interface Needs {
  /** Projects that it adds to. */
  projects?: readonly string[];
  /** Handoffs that it takes steps with. */
  ids?: readonly string[];
  /** Rows as a claim of this process left them: they are not locked, and guarded as they are written. */
  claimed?: readonly Row[];
  /** What it claims, where that can be told yet. Given the time, where the server's clock is not to be asked. */
  queue?: (now_ms: number | undefined) => Statement | undefined;
}

/** The statements that lock it, in one order for all transactions: projects, handoffs, and what nobody is waited for. */
export function openingOf({ projects = [], ids = [], claimed = [], queue }: Needs, locks: Locks): Opening {
  return (now_ms) => {
    const claim = queue?.(now_ms);
    return [
      ...(projects.length > 0 ? [{ sql: statements.lockAdding, parameters: addingParameters(projects, locks) }] : []),
      ...(ids.length > 0 ? [{ sql: statements.lockHandoffs, parameters: { ids } }] : []),
      ...(claimed.length > 0 ? [{ sql: statements.selectNextLine }] : []),
      ...(claim === undefined ? [] : [claim]),
    ];
  };
}

/** Whoever adds to several projects locks them in the order of their numbers. */
export function addingParameters(projects: readonly string[], locks: Locks): Parameters {
  const keys = [...new Set(projects.map((project) => locks.ofProject(project)))].sort();
  return { contents: locks.contents, keys };
}
