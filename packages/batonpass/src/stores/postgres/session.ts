import { createHash } from 'node:crypto';
import type { ClientBase } from 'pg';
import type { Columns, ReadRow } from '../handoff-columns.ts';
import { runAwaiting, type Statement, type Value, type Work } from '../sql/work.ts';
import { insertEvents } from './statements.ts';

/** A line of history that a transaction wrote: if it is there afterwards, the transaction was committed. */
export interface Evidence {
  line: number;
  handoff_id: string;
  name: string;
  at: number;
}

/** How a transaction began. */
interface Beginning {
  client: ClientBase;
  /** The time of the transaction: the server's, or what a test holds in its hand. */
  now_ms: number;
  /** Whether a lapse or an expiry had come due. */
  is_due: boolean;
  /** What the statements gave that were sent together with the beginning, in their order. */
  opened: readonly (readonly ReadRow[])[];
  /** Whether its statements are prepared: a read is planned with the values at hand. */
  isPrepared: boolean;
}

/** One transaction on the server. */
export class Session {
  readonly beginning: Beginning;
  /** The number that the next line of history gets: it was taken with the last lock, so that lines rise with the locks. */
  #line: number | undefined;
  #evidence: Evidence | undefined;

  constructor(beginning: Beginning) {
    this.beginning = beginning;
    for (const rows of beginning.opened) this.#reserve(rows);
  }

  /** What proves the commit; undefined where no history was written. */
  get evidence(): Evidence | undefined {
    return this.#evidence;
  }

  work<T>(work: Work<T>): Promise<T> {
    return runAwaiting(work, (statement) => this.run(statement));
  }

  /**
   * Sends a statement. The caller need not wait for its answer before it sends the next: statements run in order, and none
   * runs after one that failed.
   */
  async run({ sql, parameters, rows, isGuarded }: Statement): Promise<readonly ReadRow[]> {
    const numbered = rows && sql === insertEvents ? this.#number(rows) : rows;
    const { client, isPrepared } = this.beginning;
    const sent = send(client, { sql, parameters, rows: numbered }, isPrepared);
    const found = await (isGuarded === true ? sent.catch(failGuard) : sent);
    this.#reserve(found);
    return found;
  }

  /** Gives the first line the number that was reserved for it, by which the commit is found again. */
  #number(rows: readonly Readonly<Columns>[]): readonly Columns[] {
    const [{ handoff_id, name, at } = {}, ...others] = rows;
    const line = this.#line;
    if (line === undefined) throw new Error('No line of the history was reserved.');
    this.#line = undefined;
    this.#evidence = { line, handoff_id: String(handoff_id), name: String(name), at: Number(at) };
    return [{ line, ...rows[0] }, ...others];
  }

  #reserve(rows: readonly ReadRow[]): void {
    const line = rows.at(-1)?.next_line;
    if (typeof line === 'number') this.#line = Math.max(this.#line ?? 0, line);
  }
}

/** A step's statement divides by zero where its guard did not hold: of a locked row that is a defect. */
function failGuard(error: unknown): never {
  const isGuard = error instanceof Error && 'code' in error && error.code === '22012';
  throw isGuard ? new Error('The guard of a step did not hold.', { cause: error }) : error;
}

/** Rows are turned to one list for each column, of one value where all have the same. */
function columnOf(rows: readonly Readonly<Columns>[], name: string): Value {
  if (name === 'rows_count') return rows.length;
  const first = rows[0]?.[name];
  return rows.every((row) => row[name] === first) ? [first] : rows.map((row) => row[name]);
}

/**
 * Waits for statements that were sent one after another. @throws the error of the first that failed: those after it report
 * only that the transaction is over.
 */
export async function allSent(sent: readonly Promise<unknown>[]): Promise<void> {
  const failed = (await Promise.allSettled(sent)).find(({ status }) => status === 'rejected');
  if (failed?.status === 'rejected') throw failed.reason;
}

/** Sends a statement without waiting for those before it; the server answers in their order. */
export async function send(
  client: ClientBase,
  { sql, parameters = {}, rows: given }: Statement,
  isPrepared: boolean,
): Promise<ReadRow[]> {
  const { text, names, name } = compile(sql);
  const values = names.map((each) => encode(given === undefined ? parameters[each] : columnOf(given, each)));
  const { rows } = await client.query<ReadRow>(isPrepared ? { text, values, name } : { text, values });
  return rows.map(decodeRow);
}

interface Compiled {
  text: string;
  /** By its text, so that any two processes mean the same by it. */
  name: string;
  names: readonly string[];
}

/** The statements are a fixed number of constants. */
const compiled = new Map<string, Compiled>();

function compile(sql: string): Compiled {
  const known = compiled.get(sql);
  if (known !== undefined) return known;
  const names: string[] = [];
  const text = sql.replace(/(?<!:):([a-z][a-z0-9_]*)/g, (_, name: string) => {
    if (!names.includes(name)) names.push(name);
    return `$${names.indexOf(name) + 1}`;
  });
  const name = `baton_${createHash('sha256').update(text).digest('hex').slice(0, 32)}`;
  const made = { text, name, names };
  compiled.set(sql, made);
  return made;
}

/**
 * Postgres keeps every character in a text but U+0000: it is written as two others, and so is the one that they begin
 * with. Equal texts stay equal, and so do beginnings.
 */
function encode(value: Value): unknown {
  if (typeof value === 'string') return encodeText(value);
  if (!Array.isArray(value)) return value;
  return (value as readonly unknown[]).map((each) => (typeof each === 'string' ? encodeText(each) : (each ?? null)));
}

const ZERO = '\u0000';
const MARK = '\u0001';
const marked = new RegExp(`${MARK}(.)`, 'gs');

function encodeText(text: string): string {
  if (!text.includes(ZERO) && !text.includes(MARK)) return text;
  return text.replaceAll(MARK, `${MARK}${MARK}`).replaceAll(ZERO, `${MARK}0`);
}

/** Few rows have a marked text: the others are given as they came. */
function decodeRow(row: ReadRow): ReadRow {
  const isMarked = (value: unknown) => typeof value === 'string' && value.includes(MARK);
  if (!Object.values(row).some(isMarked)) return row;
  const decoded = (value: unknown) => (typeof value === 'string' ? decodeText(value) : value);
  return Object.fromEntries(Object.entries(row).map(([name, value]) => [name, decoded(value)]));
}

function decodeText(text: string): string {
  return text.replace(marked, (_, kept: string) => (kept === '0' ? ZERO : MARK));
}
