import type { Driver, Statement } from './driver.ts';

/** The statements of one connection, each prepared when it is first asked for. */
export class PreparedStatements {
  readonly #driver: Driver;
  readonly #prepared = new Map<string, Statement>();

  constructor(driver: Driver) {
    this.#driver = driver;
  }

  /** @param sql - a text of `statements.ts`. */
  of(sql: string): Statement {
    const known = this.#prepared.get(sql);
    if (known !== undefined) return known;
    const statement = this.#driver.prepare(sql);
    this.#prepared.set(sql, statement);
    return statement;
  }
}
