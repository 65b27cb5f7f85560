import type { Columns, ReadRow } from '../handoff-columns.ts';

/** What a statement can be given; a list where the statement asks for one. `undefined` is NULL. */
export type Value = string | number | null | undefined | readonly (string | number | null | undefined)[];

/** Values by the names of a statement's parameters, which SQL names `:name`. */
export type Parameters = Readonly<Record<string, Value>>;

/** A statement and what it is given. */
export interface Statement {
  sql: string;
  parameters?: Parameters;
  /** Rows to be written, each with the same columns: SQLite runs the statement for each, Postgres once for all. */
  rows?: readonly Readonly<Columns>[];
  /** Whether it fails unless it changes every one of these rows: the row is no longer what its step was computed from. */
  isGuarded?: true;
}

/** The work of one call within its transaction: it yields statements and is given their rows. */
export type Work<T> = Generator<Statement, T, readonly ReadRow[]>;

/** All rows of a statement. */
export function* all(sql: string, parameters?: Parameters): Work<readonly ReadRow[]> {
  return yield { sql, parameters };
}

/** The first row of a statement. */
export function* first(sql: string, parameters?: Parameters): Work<ReadRow | undefined> {
  return (yield { sql, parameters })[0];
}

/** Runs work by a database that answers at once. */
export function runNow<T>(work: Work<T>, answer: (statement: Statement) => readonly ReadRow[]): T {
  let step = work.next();
  while (step.done !== true) step = work.next(answer(step.value));
  return step.value;
}

/** Runs work by a database that answers over a network. */
export async function runAwaiting<T>(
  work: Work<T>,
  answer: (statement: Statement) => Promise<readonly ReadRow[]>,
): Promise<T> {
  let step = work.next();
  while (step.done !== true) step = work.next(await answer(step.value));
  return step.value;
}
