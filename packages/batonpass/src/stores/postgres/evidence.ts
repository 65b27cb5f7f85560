/** A line of history that a transaction wrote: if it is there afterwards, the transaction was committed. */
export interface Evidence {
  line: number;
  handoff_id: string;
  name: string;
  at: number;
}

/** What was sent at the end of a transaction. */
export interface Flushed {
  /** What proves the commit; undefined where nothing was to be written. */
  evidence: Evidence | undefined;
  /** Rejects where any of it failed; nothing is committed then. */
  sent: Promise<unknown>;
}
