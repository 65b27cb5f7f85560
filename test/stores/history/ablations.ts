import type { ClaimRequest, Store } from '../../../packages/batonpass/src/core/store.ts';
import { type Driver, openDriver, type Statement } from '../../../packages/batonpass/src/stores/sqlite/driver.ts';
import {
  selectHandoff,
  selectIsDue,
  selectOldest,
  sqliteStatements,
} from '../../../packages/batonpass/src/stores/sqlite/statements.ts';
import { openSqliteStore } from '../../../packages/batonpass/src/stores/sqlite/store.ts';
import type { Fault } from './verdict.ts';

/** A store of a file without one of its guards. */
export interface Ablation {
  name: string;
  /** What a run with it must show. */
  shows: Fault;
  open: (file: string, now: () => number) => Promise<Store>;
}

/** The guards of the queue, each removed alone, from outside. */
export const ablations: readonly Ablation[] = [
  {
    name: 'the token: all leases have the same',
    shows: 'late',
    open: (file, now) => openSqliteStore(file, { now, createToken: () => 'the one token' }),
  },
  {
    name: 'the lease: a claim takes what is claimed',
    shows: 'stolen',
    open: (file, now) => openSqliteStore(file, { now, openDriver: rewriting(takeClaimed) }),
  },
  {
    name: "the lease: it lapses at the next call of anybody's",
    shows: 'stolen',
    open: (file, now) => openSqliteStore(file, { now, openDriver: rewriting(lapseAtOnce) }),
  },
  {
    name: 'the key: a create does not send it',
    shows: 'duplicate',
    open: async (file, now) => withoutKey(await openSqliteStore(file, { now })),
  },
  {
    name: 'the guard: a claim reads in one transaction and writes in the next, whatever has become of it',
    shows: 'duplicate',
    open: openUnguarded,
  },
];

/** The statement by which every claim of a short run finds its handoff. */
const findOldest = selectOldest(false, true);

/** Another text for a statement; the same for one that is left as it is. */
type Rewriting = (sql: string) => string;

const writeBlindly: Rewriting = (sql) => sql.replace(' AND state = :from_state', '');

const takeClaimed: Rewriting = (sql) =>
  sql === findOldest
    ? // The index holds what is open alone; to the life cycle all of it is open.
      sql
        .replaceAll(/ INDEXED BY \w+/g, '')
        .replaceAll("state = 'open'", "state IN ('open', 'claimed')")
        .replaceAll(' state, ', " 'open' AS state, ")
    : writeBlindly(sql);

const lapseAtOnce: Rewriting = (sql) =>
  [selectIsDue, sqliteStatements.lockLapsed].includes(sql)
    ? sql.replaceAll('lease_expires_at <= :now', 'lease_expires_at IS NOT NULL')
    : sql;

/** A SQLite library that gets other calls than the store makes. */
function rewriting(rewrite: Rewriting): (path: string) => Promise<Driver> {
  return async (path) => {
    const driver = await openDriver(path);
    return { ...driver, prepare: (sql) => driver.prepare(rewrite(sql)) };
  };
}

function withoutKey(store: Store): Store {
  return standIn(store, {
    create: (handoffs, { idempotency_key: _key, ...call }) => store.create(handoffs, call),
  });
}

async function openUnguarded(file: string, now: () => number): Promise<Store> {
  let picked: string | undefined;
  const openWith = async (path: string): Promise<Driver> => {
    const driver = await rewriting(writeBlindly)(path);
    const prepare = (sql: string): Statement => {
      if (sql !== findOldest) return driver.prepare(sql);
      const named = driver.prepare(selectHandoff);
      return { ...named, all: () => named.all({ id: picked }).map((row) => ({ ...row, state: 'open' })) };
    };
    return { ...driver, prepare };
  };
  const store = await openSqliteStore(file, { now, openDriver: openWith });
  return standIn(store, {
    claim: async (request, call) => {
      picked = await readOldest(store, request);
      return store.claim(request, call);
    },
  });
}

async function readOldest(store: Store, { project }: ClaimRequest): Promise<string | undefined> {
  const { handoffs } = await store.list({ filter: { project, state: ['open'] }, first: 'oldest', limit: 1 });
  return handoffs[0]?.id;
}

/** The store, but for some of its methods. */
function standIn(store: Store, methods: Partial<Store>): Store {
  return new Proxy(store, {
    get: (target, name) => {
      const own: unknown = Reflect.get(methods, name) ?? Reflect.get(target, name);
      return typeof own === 'function' ? own.bind(target) : own;
    },
  });
}
