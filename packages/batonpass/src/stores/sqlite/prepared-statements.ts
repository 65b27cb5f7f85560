import type { Driver, Statement } from './driver.ts';
import { type ClaimNarrowing, selectOldest } from './statements.ts';

/** The statements of one connection, each prepared when it is first asked for. */
export class PreparedStatements {
  readonly #driver: Driver;
  readonly #prepared = new Map<string, Statement>();
  readonly #oldest = new Map<number, Statement>();

  constructor(driver: Driver) {
    this.#driver = driver;
  }

  /** `selectOldest`, whose text costs more to put together and to look up than the statement takes. */
  oldest(narrowing: ClaimNarrowing): Statement {
    const { task, kind, excluded, scope, single } = narrowing;
    const key = Number(task) + 2 * Number(kind) + 4 * Number(excluded) + 8 * Number(scope) + 16 * Number(single);
    const known = this.#oldest.get(key);
    if (known !== undefined) return known;
    const statement = this.of(selectOldest(narrowing));
    this.#oldest.set(key, statement);
    return statement;
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
