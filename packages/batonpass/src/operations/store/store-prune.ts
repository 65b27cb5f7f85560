import { basename, dirname, join } from 'node:path';
import { z } from 'zod';
import { readDuration } from '../../core/duration.ts';
import { HandoffError, isHandoffError } from '../../core/errors.ts';
import { toInstant } from '../../core/instant.ts';
import { limits } from '../../core/limits.ts';
import { defineOperation } from '../../core/operation.ts';
import { type State, stateSchema } from '../../core/state.ts';
import type { Store, StoredHandoff } from '../../core/store.ts';
import { isServerUrl, openStore, withoutCredentials } from '../../stores/open.ts';
import type { OperationContext } from '../context.ts';
import { exportPages } from './export-pages.ts';
import { type Relation, relationOf } from './relation.ts';
import { presentStoreFile } from './store-file.ts';

/** At most so many handoffs that had to stay are named; all of them are counted. */
const named_max = 100;

/** Nobody acts on these any more. A dead handoff may still be reopened, so it is archived only where its state is named. */
const prunableSchema = z.enum(['acknowledged', 'withdrawn', 'expired', 'dead']);

export const storePrune = defineOperation({
  name: 'store.prune',
  summary: 'Moves finished handoffs that are old enough into the archive next to the store.',
  mutates: true,
  doors: { http: false },
  input: z.strictObject({
    /** Default: the configuration's `retention`. */
    older_than_ms: z.int().min(0).max(limits.expiry_ms_max).optional(),
    state: z.array(prunableSchema).min(1).default(['acknowledged', 'withdrawn', 'expired']),
    /** Counts what would be archived, and changes nothing. */
    dry_run: z.boolean().default(false),
    /** Whether the store's file is rewritten afterwards, without its free space. */
    give_back_space: z.boolean().default(false),
  }),
  output: async () =>
    z.strictObject({
      store: z.string(),
      /** The archive, a store like any other: its file, or its URL on a server. */
      archive: z.string(),
      state: z.array(prunableSchema),
      /** What reached its state at this instant or before is old enough. */
      until: z.string(),
      dry_run: z.boolean(),
      /** False where it was stopped before its end; the next run continues. */
      complete: z.boolean(),
      looked_at: z.int(),
      /** Old enough, by state. */
      due: z.partialRecord(stateSchema, z.int()),
      /** Are in the archive, and not in the store any more. */
      archived: z.int(),
      /** How many had to stay although they are old enough, and at most a hundred of them. */
      kept: z.int(),
      kept_handoffs: z.array(z.strictObject({ id: z.string(), reason: z.string() })),
      /** Of the store's file, afterwards; absent on a server. */
      size: z.strictObject({ bytes: z.int(), free_bytes: z.int() }).optional(),
    }),
  errors: ['file_not_found', 'invalid_input', 'unavailable', 'unsupported_version'],
  run: async ({ older_than_ms, state, dry_run, give_back_space }, context: OperationContext) => {
    const { store: name, archive, archive_url, path } = await prunedPlace(context);
    if (give_back_space && path === undefined) throw noFileToShrink(name);
    const age_ms = older_than_ms ?? readDuration(context.configuration.retention) ?? 0;
    const retention = { states: state, until_ms: context.now() - age_ms };
    const store = await context.openStore();
    const pruned = dry_run
      ? await pruneStore(store, { retention, context })
      : await withArchive(archive_url, (opened) => pruneStore(store, { retention, archive: opened, context }));
    const isShrunk = give_back_space && !dry_run && !context.signal.aborted;
    return {
      store: name,
      archive,
      state,
      until: toInstant(retention.until_ms),
      dry_run,
      complete: !context.signal.aborted,
      ...told(pruned),
      ...(path !== undefined && { size: await measureFile(path, isShrunk) }),
    };
  },
});

async function measureFile(path: string, isShrunk: boolean): Promise<{ bytes: number; free_bytes: number }> {
  const { giveBackSpace, measureDatabase } = await import('../../stores/sqlite/check-database.ts');
  if (isShrunk) await giveBackSpace(path);
  const { bytes, free_bytes } = await measureDatabase(path);
  return { bytes, free_bytes };
}

async function withArchive(url: string, body: (archive: Store) => Promise<Pruned>): Promise<Pruned> {
  const archive = await openStore(url);
  try {
    return await body(archive);
  } finally {
    await archive.close();
  }
}

function told({ looked_at, due, removed, kept }: Pruned) {
  return { looked_at, due, archived: removed, kept: kept.length, kept_handoffs: kept.slice(0, named_max) };
}

/** What is pruned, and where what is old goes. */
interface PrunedPlace {
  /** As people see it: a file, or a server's URL. */
  store: string;
  archive: string;
  /** The URL that opens the archive; for a server it contains the password. */
  archive_url: string;
  /** The store's file; absent on a server. */
  path?: string;
}

/**
 * The archive next to the present store: `baton.archive.db` next to `baton.db`, the schema `baton_archive` next to `baton`.
 *
 * @throws HandoffError `file_not_found` where nothing was ever stored, `invalid_input` for a store without such a place.
 */
async function prunedPlace(context: OperationContext): Promise<PrunedPlace> {
  const { store_url } = context;
  if (!isServerUrl(store_url)) {
    const path = presentStoreFile(context, 'prune');
    const archive = join(dirname(path), `${basename(path, '.db')}.archive.db`);
    return { store: path, archive, archive_url: `sqlite:${archive}`, path };
  }
  const { archiveUrl } = await import('../../stores/postgres/place.ts');
  const archive_url = archiveUrl(store_url);
  return { store: withoutCredentials(store_url), archive: withoutCredentials(archive_url), archive_url };
}

/** The error of asking a server for what only a file has. */
function noFileToShrink(store: string): HandoffError {
  return new HandoffError('invalid_input', `The store ${store} has no file to rewrite.`, {
    details: { store },
    alternatives: ['Leave --vacuum out: a server uses the space again by itself, and its owner can VACUUM FULL.'],
  });
}

/** What is old enough to be archived. */
interface Retention {
  states: readonly State[];
  /** What reached its state at this instant or before. */
  until_ms: number;
}

/** The findings and results of a pruning. */
interface Pruned {
  looked_at: number;
  /** Old enough, by state. */
  due: Partial<Record<State, number>>;
  removed: number;
  /** Old enough, and still in the store, each with the reason. */
  kept: { id: string; reason: string }[];
}

/** A pruning; without an archive it only counts. */
interface Pruning {
  retention: Retention;
  archive?: Store;
  context: OperationContext;
}

/**
 * Moves what is old enough into an archive, page by page: it is written there, read back there and compared, and only
 * then removed here, where it still has that version. A crash leaves a page in both; the next run removes it here.
 * Ends early where the signal aborts.
 */
async function pruneStore(store: Store, { retention, archive, context }: Pruning): Promise<Pruned> {
  const pruned: Pruned = { looked_at: 0, due: {}, removed: 0, kept: [] };
  for await (const { handoffs } of exportPages(store, context.signal)) {
    const due = handoffs.filter((stored) => isDue(stored, retention));
    for (const { handoff } of due) {
      const { state } = handoff.delivery;
      pruned.due[state] = (pruned.due[state] ?? 0) + 1;
    }
    if (archive !== undefined && due.length > 0) await movePage(due, { store, archive, pruned });
    pruned.looked_at += handoffs.length;
    context.onProgress?.({ what: 'handoffs examined', done: pruned.looked_at });
  }
  return pruned;
}

/** Its age is that of its state: what was acknowledged yesterday is young, however long it waited. */
function isDue({ handoff, events }: StoredHandoff, { states, until_ms }: Retention): boolean {
  const since = events.at(-1)?.at ?? handoff.created_at;
  return states.includes(handoff.delivery.state) && Date.parse(since) <= until_ms;
}

interface Moved {
  store: Store;
  archive: Store;
  pruned: Pruned;
}

async function movePage(due: readonly StoredHandoff[], { store, archive, pruned }: Moved): Promise<void> {
  const refused = await archiveAll(due, archive);
  const arrived: StoredHandoff[] = [];
  for (const stored of due) {
    const { id } = stored.handoff;
    const refusal = refused.get(id);
    // A damaged handoff cannot be compared: a store refuses to return it.
    const relation = refusal?.code === 'invalid_input' ? 'missing' : await relationOf(id, store, archive);
    // It changed meanwhile, so that it is not due any more.
    if (relation === 'behind') continue;
    const reason = await reasonToKeep(stored, relation, archive);
    if (reason === undefined) arrived.push(stored);
    else pruned.kept.push({ id, reason: refusal?.message ?? reason });
  }
  const versions = arrived.map(({ handoff }) => ({ id: handoff.id, version: handoff.delivery.version }));
  pruned.removed += await store.remove(versions);
}

/** Together; where one is refused, one by one. @returns with the reason of each refusal. */
async function archiveAll(due: readonly StoredHandoff[], archive: Store): Promise<Map<string, HandoffError>> {
  const refused = new Map<string, HandoffError>();
  try {
    await archive.import(due);
  } catch (error) {
    if (!isHandoffError(error) || (error.code !== 'conflict' && error.code !== 'invalid_input')) throw error;
    const [first] = due;
    if (due.length === 1 && first !== undefined) return refused.set(first.handoff.id, error);
    for (const stored of due) for (const [id, refusal] of await archiveAll([stored], archive)) refused.set(id, refusal);
  }
  return refused;
}

/** Why a handoff is not completely in the archive, as it is read back from there; undefined where it is. */
async function reasonToKeep(
  { handoff }: StoredHandoff,
  relation: Relation,
  archive: Store,
): Promise<string | undefined> {
  if (relation === 'missing') return 'The archive did not accept it.';
  if (relation === 'parted') return 'It diverged in the archive.';
  if (handoff.content.payload_ref === undefined) return undefined;
  const payload = await archive.readPayload(handoff.id).catch((error: unknown) => {
    if (isHandoffError(error)) return null;
    throw error;
  });
  return payload === null ? 'The archive does not hold its payload.' : undefined;
}
