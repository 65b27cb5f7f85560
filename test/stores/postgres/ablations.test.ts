import pg from 'pg';
import { afterEach, expect, vi } from 'vitest';
import { exerciseStore } from '../../../packages/batonpass/src/stores/contract/exercise.ts';
import { openPostgresStore, postgresCapabilities } from '../../../packages/batonpass/src/stores/postgres/store.ts';
import { verifies } from '../../verifies.ts';
import { createServer, EMPTY, runSql } from './server.ts';

/** What a statement is without, and the case of the contract that catches it: the others run with the SQLite store. */
interface Ablation {
  without: string;
  caught_by: string;
  /** The statement without it, of which each parameter is still there; the same text where it does not say it. */
  rewrite: (sql: string) => string;
}

const isOldest = (sql: string) => sql.includes('SKIP LOCKED') && sql.includes('AS offered');
const inOldest = (from: RegExp, to: string) => (sql: string) => (isOldest(sql) ? sql.replaceAll(from, to) : sql);
/** The watermark of a queue asks the same of it: alone it hides what the claim does not ask. */
const inQueue = (from: RegExp) => (sql: string) =>
  isOldest(sql) || sql.includes('AS watermark') ? sql.replaceAll(from, '($& OR true)') : sql;
const everywhere = (from: RegExp, to: string) => (sql: string) => sql.replaceAll(from, to);

const ofItsQueue = 'a claim takes the oldest of its task, of its project and of its kind, and not the others';
const ablations: readonly Ablation[] = [
  {
    without: 'the fence',
    caught_by: "a hook's claim counts no attempt, so that sessions that never showed it do not kill it",
    rewrite: everywhere(/fence = given\.fence, /g, ''),
  },
  {
    without: 'the state of what is claimed',
    caught_by: 'two claimers never get one handoff, and the second gets the next',
    rewrite: inOldest(/state \|\| '' = 'open'/g, "state IN ('open', 'claimed')"),
  },
  {
    without: 'the back-off',
    caught_by: 'a failure is not offered again before its back-off, which doubles',
    rewrite: inOldest(/\((available_at <= [^)]*)\)/g, '($1 OR true)'),
  },
  {
    without: 'the order',
    caught_by: 'handoffs created in one call keep their order',
    rewrite: inOldest(/ORDER BY (moved\.)?seq( \+ 0)?/g, '$& DESC'),
  },
  {
    without: 'the end of leases',
    caught_by: "a hook's claim counts no attempt, so that sessions that never showed it do not kill it",
    rewrite: everywhere(/lease_expires_at <= (now_ms|\$\d+)/g, '($& AND false)'),
  },
  {
    without: 'the longest lease',
    caught_by: 'a lease that ends later than any lease can, because the clock was set back, has lapsed',
    rewrite: everywhere(/lease_expires_at > (now_ms|\$\d+) \+ \d+/g, '($& AND false)'),
  },
  {
    without: 'the expiry',
    caught_by: 'an open handoff expires at its time, as one event, and is then offered to nobody',
    rewrite: everywhere(/(?<!lease_)expires_at <= (now_ms|\$\d+)/g, '($& AND false)'),
  },
  {
    without: 'the addressee',
    caught_by: 'a handoff with a target is offered to that agent only, in its position among those without a target',
    rewrite: inOldest(/target_agent( \|\| '')? = ''/g, '($& OR true)'),
  },
  { without: 'the project of a claim', caught_by: ofItsQueue, rewrite: inQueue(/project = \$\d+/g) },
  { without: 'the task of a claim', caught_by: ofItsQueue, rewrite: inQueue(/task_id = \$\d+/g) },
  { without: 'the kind of a claim', caught_by: ofItsQueue, rewrite: inQueue(/kind = \$\d+/g) },
  {
    without: 'the idempotency key',
    caught_by: 'an approval of an open handoff is refused, and the same key creates one handoff',
    rewrite: everywhere(/key_sha256 = \$\d+ AND expires_at/g, 'false AND $&'),
  },
  {
    without: 'the end of a key',
    caught_by: 'the answer of a call that wrote elsewhere is stored by its key; without a key nothing is stored',
    rewrite: everywhere(/(key_sha256 = \$\d+ AND )(expires_at > \$\d+)/g, '$1($2 OR true)'),
  },
  {
    without: 'the project of history',
    caught_by: 'events are read by handoff, by project, after a position, and up to the limit',
    rewrite: everywhere(/\((project = \$\d+ OR \$\d+ IS NULL)\)/g, '($1 OR true)'),
  },
  {
    without: 'the version of what is removed',
    caught_by: 'only a final handoff of the named version is removed, with its history and payload',
    rewrite: everywhere(/deliveries\.version = given\.version\n/g, '(deliveries.version = given.version OR true)\n'),
  },
];

const server = createServer();
let made: Promise<string> | undefined;

afterEach(() => {
  vi.restoreAllMocks();
});

for (const { without, caught_by, rewrite } of ablations) {
  verifies(['STORE.ablations'], `a store on Postgres without ${without} fails the contract`, async () => {
    made ??= server.newDatabase().then(async (url) => {
      await (await openPostgresStore(url)).close();
      return url;
    });
    const url = await made;
    await runSql(url, EMPTY);
    const rewritten = ablate(rewrite);
    const failure = await runCase(caught_by, url);
    expect(rewritten()).toBeGreaterThan(0);
    expect(failure).toBeInstanceOf(Error);
    // It is the contract that refuses it, and not the server.
    expect(String((failure as { code?: unknown }).code)).not.toMatch(/^[0-9A-Z]{5}$/);
  });
}

/** Has the driver send other texts. @returns how many were changed. */
function ablate(rewrite: Ablation['rewrite']): () => number {
  let changed = 0;
  const query: (...given: unknown[]) => unknown = pg.Client.prototype.query;
  vi.spyOn(pg.Client.prototype, 'query').mockImplementation(function (this: pg.Client, ...given: unknown[]) {
    const [asked] = given as [{ text?: unknown }];
    const text = typeof asked.text === 'string' ? rewrite(asked.text) : undefined;
    if (text === undefined || text === asked.text) return query.apply(this, given) as undefined;
    changed += 1;
    return query.apply(this, [{ ...asked, text }]) as undefined;
  });
  return () => changed;
}

/** @returns what it failed with; undefined where it was met. */
async function runCase(wanted: string, url: string): Promise<unknown> {
  let run: (() => Promise<void>) | undefined;
  exerciseStore({
    name: 'ablated',
    open: (surroundings) => openPostgresStore(url, { ...surroundings, clock: 'own' }),
    capabilities: postgresCapabilities,
    runner: {
      describe: (_name, body) => body(),
      it: (_ids, name, body) => {
        if (name === wanted) run = body;
      },
    },
  });
  if (run === undefined) throw new Error(`The contract has no case "${wanted}".`);
  return run().then(
    () => undefined,
    (failure: unknown) => failure,
  );
}
