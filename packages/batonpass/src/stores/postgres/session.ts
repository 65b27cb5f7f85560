import { createHash } from 'node:crypto';
import type { Client, PoolClient, QueryResult } from 'pg';

/** What a statement can be given. */
export type Value = string | number | boolean | null | undefined | readonly (string | number | boolean | null)[];

/** Parameters by their names. */
export type Parameters = Readonly<Record<string, Value>>;

/** A row as the driver reads it: texts, numbers, booleans, NULL. */
export type Row = Readonly<Record<string, unknown>>;

/** A statement and what it is given. */
export interface Statement {
  sql: string;
  parameters?: Parameters;
}

/** Whether statements may be left prepared on the server: a pooler that gives each transaction another backend may not know of it. */
export interface Preparing {
  isPossible: boolean;
}

/** A server that does not know a statement that was prepared, or knows another of that name: each is sent whole from then on. */
export function isForgotten(error: unknown): boolean {
  return error instanceof Error && 'code' in error && ['26000', '42P05'].includes(String(error.code));
}

/** One transaction's way to the server. Statements name their parameters as SQLite's do: `:name`. */
export class Session {
  /** The time of the transaction: the server's, or what a test holds in its hand. */
  readonly now_ms: number;
  /** Whether a lapse or an expiry had come due when the transaction began. */
  readonly is_due: boolean;
  /** What the statements gave that were sent together with the beginning, in their order. */
  readonly opened: readonly (readonly Row[])[];
  readonly #wire: Wire;

  constructor(
    wire: Wire,
    { now_ms, is_due, opened = [] }: Pick<Session, 'now_ms' | 'is_due'> & Partial<Pick<Session, 'opened'>>,
  ) {
    this.#wire = wire;
    this.now_ms = now_ms;
    this.is_due = is_due;
    this.opened = opened;
  }

  /**
   * Sends a statement of a fixed text, which the server prepares once. Nobody need wait for its answer before the next is
   * sent: they run in their order, and after one that failed none does.
   */
  async send(sql: string, parameters: Parameters = {}): Promise<Row[]> {
    return this.#wire.send({ sql, parameters });
  }

  async all(sql: string, parameters: Parameters = {}): Promise<Row[]> {
    const { rows } = await this.#query(sql, parameters);
    return rows.map(decodeRow);
  }

  async get(sql: string, parameters: Parameters = {}): Promise<Row | undefined> {
    return (await this.all(sql, parameters))[0];
  }

  /** @returns how many rows were changed. */
  async run(sql: string, parameters: Parameters = {}): Promise<number> {
    return (await this.#query(sql, parameters)).rowCount ?? 0;
  }

  /** Without a name: the server plans with the values at hand. */
  #query(sql: string, parameters: Parameters) {
    return this.#wire.query({ sql, parameters });
  }
}

/**
 * Waits for statements that were sent one behind the other. @throws what the first that failed met: those behind it tell
 * only that the transaction is over.
 */
export async function allSent(sent: readonly Promise<unknown>[]): Promise<void> {
  const failed = (await Promise.allSettled(sent)).find(({ status }) => status === 'rejected');
  if (failed?.status === 'rejected') throw failed.reason;
}

/** One connection's way to the server. What is sent without waiting arrives in one go, and is answered in its order. */
export class Wire {
  readonly #client: Client | PoolClient;
  readonly #preparing: Preparing;
  #isGathering = false;

  constructor(client: Client | PoolClient, preparing: Preparing) {
    this.#client = client;
    this.#preparing = preparing;
  }

  /** Text as it is: what begins and ends a transaction. */
  plain(sql: string): Promise<QueryResult> {
    this.#gather();
    return this.#client.query(sql);
  }

  /** A statement of a fixed text, prepared where that is possible. */
  async send(statement: Statement): Promise<Row[]> {
    const { rows } = await this.query(statement, this.#preparing.isPossible);
    return rows.map(decodeRow);
  }

  query({ sql, parameters = {} }: Statement, isPrepared = false): Promise<QueryResult<Row>> {
    this.#gather();
    const { text, names, name } = compile(sql);
    const values = names.map((each) => encode(parameters[each]));
    return this.#client.query<Row>(isPrepared ? { text, values, name } : { text, values });
  }

  /** What is sent before the code that runs now has to wait goes out in one piece: the server wakes once for it. */
  #gather(): void {
    if (this.#isGathering) return;
    const { stream } = this.#client.connection;
    this.#isGathering = true;
    stream.cork();
    process.nextTick(() => {
      this.#isGathering = false;
      stream.uncork();
    });
  }
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
  const texts = value.map((each) => (typeof each === 'string' ? encodeText(each) : each));
  return encodeArray(texts) ?? texts;
}

/** A backslash that is before neither a quote nor another. */
const moreEscaped = /\\[^\u0022\\]/;

/**
 * A list as the server reads one, which writes texts in quotes as JSON does, and NULL in letters of any size; undefined
 * where JSON would escape more than quotes and backslashes. The driver's own way goes through each text letter by letter.
 */
function encodeArray(values: readonly unknown[]): string | undefined {
  const json = JSON.stringify(values);
  return moreEscaped.test(json) ? undefined : `{${json.slice(1, -1)}}`;
}

const ZERO = '\u0000';
const MARK = '\u0001';
const marked = new RegExp(`${MARK}(.)`, 'gs');

function encodeText(text: string): string {
  if (!text.includes(ZERO) && !text.includes(MARK)) return text;
  return text.replaceAll(MARK, `${MARK}${MARK}`).replaceAll(ZERO, `${MARK}0`);
}

/** Few rows have a marked text: the others are given as they came. */
function decodeRow(row: Row): Row {
  for (const name in row) {
    const value = row[name];
    if (typeof value === 'string' && value.includes(MARK)) return decodeMarked(row);
  }
  return row;
}

function decodeMarked(row: Row): Row {
  return Object.fromEntries(
    Object.entries(row).map(([name, value]) => [name, typeof value === 'string' ? decodeText(value) : value]),
  );
}

function decodeText(text: string): string {
  return text.replace(marked, (_, kept: string) => (kept === '0' ? ZERO : MARK));
}
