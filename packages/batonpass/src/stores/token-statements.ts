import { decodeToken, type StoreTokens, type TokenRecord } from '../core/access-token.ts';

/** The statements of the tokens, the same in every SQL store. */
const insert = 'INSERT INTO tokens (id, record) VALUES (:id, :record)';
const selectAll = 'SELECT record, last_used_at FROM tokens';
const selectOne = `${selectAll} WHERE id = :id`;
const updateUse = 'UPDATE tokens SET last_used_at = :now WHERE id = :id';
const deleteOne = 'DELETE FROM tokens WHERE id = :id RETURNING record, last_used_at';

type Row = Readonly<Record<string, unknown>>;

/** One statement as a call of its own: a read, or a write that is committed when its promise resolves. */
export interface TokenStatements {
  read: (sql: string, parameters: Record<string, string | number>) => Promise<readonly Row[]>;
  write: (sql: string, parameters: Record<string, string | number>) => Promise<readonly Row[]>;
}

/** The tokens of a SQL store, one row each: its facts and the hash of its secret as JSON, and its last use. */
export function createStoreTokens({ read, write }: TokenStatements): StoreTokens {
  return {
    add: async ({ last_used_at: _used, ...record }) => {
      await write(insert, { id: record.id, record: JSON.stringify(record) });
    },
    list: async () => (await read(selectAll, {})).flatMap((row) => decodeToken(row) ?? []).sort(byAge),
    find: async (id) => firstOf(await read(selectOne, { id })),
    noteUse: async (id, now_ms) => {
      await write(updateUse, { id, now: now_ms });
    },
    remove: async (id) => firstOf(await write(deleteOne, { id })),
  };
}

function firstOf([row]: readonly Row[]): TokenRecord | null {
  return row === undefined ? null : decodeToken(row);
}

function byAge(one: TokenRecord, other: TokenRecord): number {
  return one.created_at < other.created_at ? -1 : 1;
}
