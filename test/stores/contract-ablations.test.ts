import { afterEach, expect } from 'vitest';
import type { HeldHandoff, Store } from '../../packages/batonpass/src/core/store.ts';
import { createSurroundings } from '../../packages/batonpass/src/core/surroundings.ts';
import { exerciseStore } from '../../packages/batonpass/src/stores/contract/exercise.ts';
import { Connection } from '../../packages/batonpass/src/stores/sqlite/connection.ts';
import { openDriver } from '../../packages/batonpass/src/stores/sqlite/driver.ts';
import { SqliteStore } from '../../packages/batonpass/src/stores/sqlite/store.ts';
import { verifies } from '../verifies.ts';

const capabilities = { durable: false, concurrent_processes: false, notifications: 'process' } as const;

/** What a store is without: a part of its statements, or what its callers have to show. */
interface Ablation {
  without: string;
  /** The statement without it; the same text where it does not say it. */
  rewrite?: (sql: string) => string;
  /** The principal that the store accepts as the holder of the present lease, with any token. */
  takesForHolder?: (holder: string, caller: string) => boolean;
}

const anyIndex = (sql: string) => sql.replaceAll(/ INDEXED BY \w+/g, '');
const isOldest = (sql: string) => sql.includes('handoffs_open_by_') && sql.includes('UNION ALL');
const inOldest = (from: string | RegExp, to: string) => (sql: string) =>
  isOldest(sql) ? anyIndex(sql).replaceAll(from, to) : sql;
const everywhere = (from: string, to: string) => (sql: string) => sql.replaceAll(from, to);

const ablations: readonly Ablation[] = [
  { without: 'the token, where the name is the holder’s', takesForHolder: (holder, caller) => holder === caller },
  { without: 'token and holder', takesForHolder: () => true },
  { without: 'the fence', rewrite: everywhere('fence = :fence, ', '') },
  { without: 'the state of what is claimed', rewrite: inOldest("state = 'open'", "state IN ('open', 'claimed')") },
  { without: 'the back-off', rewrite: inOldest(/\(available_at <= [^)]*\)/g, '1') },
  { without: 'the order', rewrite: inOldest('ORDER BY seq', 'ORDER BY seq DESC') },
  { without: 'the end of leases', rewrite: everywhere('lease_expires_at <= :now', '0') },
  { without: 'the longest lease', rewrite: (sql) => sql.replaceAll(/lease_expires_at > :now \+ \d+/g, '0') },
  { without: 'the expiry', rewrite: everywhere("state = 'open' AND expires_at <= :now", '0') },
  { without: 'the addressee', rewrite: inOldest('target_agent IS NULL', 'target_agent IS NOT :holder') },
  { without: 'the project of a claim', rewrite: inOldest('project = :project', '1') },
  { without: 'the task of a claim', rewrite: inOldest('task_id = :task_id', '1') },
  { without: 'the kind of a claim', rewrite: inOldest('kind = :kind', '1') },
  {
    without: 'the idempotency key',
    rewrite: everywhere('key_sha256 = :key_sha256 AND expires_at', '0 AND expires_at'),
  },
  {
    without: 'the end of a key',
    rewrite: everywhere('key_sha256 = :key_sha256 AND expires_at > :now', 'key_sha256 = :key_sha256'),
  },
  { without: 'the project of history', rewrite: everywhere('(project = :project OR :project IS NULL)', '1') },
  { without: 'the version of what is removed', rewrite: everywhere('id = :id AND version = :version', 'id = :id') },
];

const unchanged = (sql: string) => sql;

const open: Connection[] = [];

afterEach(() => {
  for (const connection of open.splice(0)) connection.close();
});

for (const { without, rewrite = unchanged, takesForHolder } of ablations) {
  verifies(['STORE.ablations'], `a store without ${without} fails the contract`, async () => {
    let changed = takesForHolder === undefined ? 0 : 1;
    const failed = await runContract(async (surroundings) => {
      const connection = await Connection.open(':memory:', {
        openDriver: async (path) => {
          const driver = await openDriver(path);
          const prepare = (sql: string) => {
            const rest = rewrite(sql);
            if (rest !== sql) changed += 1;
            return driver.prepare(rest);
          };
          return { ...driver, prepare };
        },
      });
      open.push(connection);
      const store = new SqliteStore(connection, createSurroundings(surroundings));
      return takesForHolder === undefined ? store : withoutToken(store, connection, takesForHolder);
    });
    expect(changed).toBeGreaterThan(0);
    expect(failed).not.toBeNull();
  });
}

/** Runs the contract up to the first case that fails. @returns its name, or null where none does. */
async function runContract(openStore: (surroundings: Parameters<typeof createSurroundings>[0]) => Promise<Store>) {
  const cases: { name: string; run: () => Promise<void> }[] = [];
  exerciseStore({
    name: 'ablated',
    open: openStore,
    capabilities,
    runner: { describe: (_name, body) => body(), it: (_ids, name, run) => cases.push({ name, run }) },
  });
  for (const { name, run } of cases) {
    const isMet = await run().then(
      () => true,
      () => false,
    );
    if (!isMet) return name;
  }
  return null;
}

/** Shows the store the token of the present lease where a caller shows another. */
function withoutToken(
  store: Store,
  { driver }: Connection,
  takesForHolder: (holder: string, caller: string) => boolean,
): Store {
  const present = <T extends Partial<HeldHandoff>>(held: T, id: string, caller: string): T => {
    const row = driver.prepare('SELECT lease_token, lease_holder FROM handoffs WHERE id = :id').get({ id });
    const isTaken = typeof row?.lease_token === 'string' && takesForHolder(String(row.lease_holder), caller);
    return isTaken && held.token !== undefined ? { ...held, token: row.lease_token } : held;
  };
  return new Proxy(store, {
    get: (target, name) => {
      if (name === 'transition') {
        return (...[id, step, call]: Parameters<Store['transition']>) =>
          target.transition(id, 'token' in step ? present(step, id, call.actor.name) : step, call);
      }
      const own: unknown = Reflect.get(target, name);
      return typeof own === 'function' ? own.bind(target) : own;
    },
  });
}
