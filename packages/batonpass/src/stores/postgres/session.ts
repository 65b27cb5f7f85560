import type { ClientBase } from 'pg';

/** What a statement can be given. */
export type Value = string | number | boolean | null | undefined | readonly (string | number | boolean | null)[];

/** Parameters by their names. */
export type Parameters = Readonly<Record<string, Value>>;

/** A row as the driver reads it: texts, numbers, booleans, NULL. */
export type Row = Readonly<Record<string, unknown>>;

/** One transaction's way to the server. Statements name their parameters as SQLite's do: `:name`. */
export class Session {
  /** The time of the transaction: the server's, or what a test holds in its hand. */
  readonly now_ms: number;
  /** Whether a lapse or an expiry had come due when the transaction began. */
  readonly is_due: boolean;
  readonly #client: ClientBase;

  constructor(client: ClientBase, { now_ms, is_due }: Pick<Session, 'now_ms' | 'is_due'>) {
    this.#client = client;
    this.now_ms = now_ms;
    this.is_due = is_due;
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

  #query(sql: string, parameters: Parameters) {
    const { text, names } = compile(sql);
    // Without a name the server plans with the values at hand, and a pooler may give each transaction another backend.
    return this.#client.query<Row>(
      text,
      names.map((name) => encode(parameters[name])),
    );
  }
}

interface Compiled {
  text: string;
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
  const made = { text, names };
  compiled.set(sql, made);
  return made;
}

/**
 * Postgres keeps every character in a text but U+0000: it is written as two others, and so is the one that they begin
 * with. Equal texts stay equal, and so do beginnings.
 */
function encode(value: Value): unknown {
  if (typeof value === 'string') return encodeText(value);
  if (Array.isArray(value)) return value.map((each) => (typeof each === 'string' ? encodeText(each) : each));
  return value;
}

const ZERO = '\u0000';
const MARK = '\u0001';
const marked = new RegExp(`${MARK}(.)`, 'gs');

function encodeText(text: string): string {
  if (!text.includes(ZERO) && !text.includes(MARK)) return text;
  return text.replaceAll(MARK, `${MARK}${MARK}`).replaceAll(ZERO, `${MARK}0`);
}

function decodeRow(row: Row): Row {
  const entries = Object.entries(row);
  if (!entries.some(([, value]) => typeof value === 'string' && value.includes(MARK))) return row;
  return Object.fromEntries(
    entries.map(([name, value]) => [name, typeof value === 'string' ? decodeText(value) : value]),
  );
}

function decodeText(text: string): string {
  return text.replace(marked, (_, kept: string) => (kept === '0' ? ZERO : MARK));
}
