import { createHash } from 'node:crypto';
import type { ClientBase } from 'pg';
import type { Columns, ReadRow } from '../handoff-columns.ts';
import { runAwaiting, type Statement, type Value, type Work } from '../sql/work.ts';

/** One transaction on the server, as it began. */
export interface Session {
  client: ClientBase;
  /** The time of the transaction: the server's, or what a test holds in its hand. */
  now_ms: number;
  is_due: boolean;
  /** The server's number of a transaction that writes. */
  xid: string;
  /** The rows of statements that were sent together with the beginning: each answers the next statement of its text. */
  ahead: Map<string, readonly ReadRow[]>;
  /** Whether its statements are prepared: a read is planned with its values. */
  isPrepared: boolean;
}

/** Runs work in a transaction. */
export const work = <T>(session: Session, body: Work<T>) => runAwaiting(body, (statement) => run(session, statement));

/** Statements run in the order in which they are sent, and none runs after one that failed: the caller need not wait. */
export async function run(session: Session, statement: Statement): Promise<readonly ReadRow[]> {
  return takeAhead(session, statement.sql) ?? send(session, statement);
}

/** The rows of a statement that was sent ahead, once. */
export function takeAhead({ ahead }: Session, sql: string): readonly ReadRow[] | undefined {
  const rows = ahead.get(sql);
  ahead.delete(sql);
  return rows;
}

/** Waits for statements sent one after another. @throws the first error: those after it say only that the transaction is over. */
export async function allSent(sent: readonly Promise<unknown>[]): Promise<void> {
  const failed = (await Promise.allSettled(sent)).find(({ status }) => status === 'rejected');
  if (failed?.status === 'rejected') throw failed.reason;
}

/** Sends a statement without waiting for those before it; the server answers in their order. */
export async function send(
  { client, isPrepared }: Pick<Session, 'client' | 'isPrepared'>,
  { sql, parameters = {}, rows: given }: Statement,
): Promise<ReadRow[]> {
  const { text, names, name } = compile(sql);
  const values = names.map((each) => encode(given === undefined ? parameters[each] : columnOf(given, each)));
  const { rows } = await client.query<ReadRow>(isPrepared ? { text, values, name } : { text, values });
  return rows;
}

/** Rows become one list for each column, of one value where all have the same. */
function columnOf(rows: readonly Readonly<Columns>[], name: string): Value {
  if (name === 'rows_count') return rows.length;
  const first = rows[0]?.[name];
  return rows.every((row) => row[name] === first) ? [first] : rows.map((row) => row[name]);
}

/** Statements as the driver takes them, by their texts, which are a fixed number of constants. */
const compiled = new Map<string, { text: string; name: string; names: readonly string[] }>();

function compile(sql: string) {
  const known = compiled.get(sql);
  if (known !== undefined) return known;
  const names: string[] = [];
  const text = sql.replace(/(?<!:):([a-z][a-z0-9_]*)/g, (_, name: string) => {
    if (!names.includes(name)) names.push(name);
    return `$${names.indexOf(name) + 1}`;
  });
  // By its text, so that any two processes mean the same by it.
  const name = `baton_${createHash('sha256').update(text).digest('hex').slice(0, 32)}`;
  const made = { text, name, names };
  compiled.set(sql, made);
  return made;
}

/** Postgres keeps no U+0000 in a text: it is written as two characters, and so is the one with which they begin. */
const ZERO = '\u0000';
const MARK = '\u0001';
const marked = new RegExp(`${MARK}(.)`, 'gs');

function encode(value: Value): unknown {
  if (typeof value === 'string') return encodeText(value);
  if (!Array.isArray(value)) return value;
  return (value as readonly unknown[]).map((each) => (typeof each === 'string' ? encodeText(each) : (each ?? null)));
}

function encodeText(text: string): string {
  return text.replaceAll(MARK, `${MARK}${MARK}`).replaceAll(ZERO, `${MARK}0`);
}

/** What was written as `encodeText` writes it. */
export function decodeText(text: string): string {
  return text.includes(MARK) ? text.replace(marked, (_, kept: string) => (kept === '0' ? ZERO : MARK)) : text;
}
