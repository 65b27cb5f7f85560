import type { Beginning } from './beginning.ts';
import type { Row, Statement, Wire } from './session.ts';

/**
 * Sends a statement between its beginning and its commit, all at once. A repetition sees what there is once it has waited:
 * the lock is taken by a statement of its own.
 */
export async function sendWithin(wire: Wire, { begin, setUp }: Beginning, statement: Statement): Promise<Row[]> {
  const { lock } = statement.parameters ?? {};
  const [, , rows, { command }] = await Promise.all([
    wire.plain(begin),
    wire.send({ sql: setUp, parameters: { lock } }),
    wire.send(statement),
    wire.plain('COMMIT'),
  ]);
  assertCommitted(command);
  return rows;
}

/** A transaction in which something failed is undone by its own commit. @throws Error */
export function assertCommitted(command: string): void {
  if (command !== 'COMMIT') throw new Error(`The server ended a transaction with ${command}.`);
}
