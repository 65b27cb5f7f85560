import type { StoreTokens, TokenRecord } from '../../core/access-token.ts';

/** Tokens that are gone with the process. */
export function createMemoryTokens(): StoreTokens {
  const records = new Map<string, TokenRecord>();
  const find = (id: string) => structuredClone(records.get(id) ?? null);
  return {
    add: async (record) => {
      records.set(record.id, structuredClone(record));
    },
    list: async () =>
      structuredClone([...records.values()]).sort((one, other) => (one.created_at < other.created_at ? -1 : 1)),
    find: async (id) => find(id),
    noteUse: async (id, now_ms) => {
      const record = records.get(id);
      if (record !== undefined) record.last_used_at = new Date(now_ms).toISOString();
    },
    remove: async (id) => {
      const record = find(id);
      records.delete(id);
      return record;
    },
  };
}
