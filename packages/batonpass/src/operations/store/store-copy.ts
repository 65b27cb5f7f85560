import { statSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { z } from 'zod';
import { sha256Hex } from '../../core/canonical-json.ts';
import { HandoffError, isHandoffError } from '../../core/errors.ts';
import { defineOperation } from '../../core/operation.ts';
import type { Store, StoredHandoff } from '../../core/store.ts';
import { importRecord } from '../../handoff-store/import-record.ts';
import { RecordFiles } from '../../handoff-store/record-files.ts';
import { RecordSource } from '../../handoff-store/record-source.ts';
import { toRecordText } from '../../handoff-store/stored-record.ts';
import { openStore, withoutCredentials } from '../../stores/open.ts';
import { digestStored } from '../../stores/stored-digest.ts';
import type { OperationContext } from '../context.ts';
import { findRecordFolder } from '../record-folder/record-folder.ts';
import { type Copied, type CopySource, copyHandoffs } from './copy-handoffs.ts';
import { exportPages } from './export-pages.ts';
import { type Relation, relationOf } from './relation.ts';
import { absentStore, isThere } from './store-file.ts';

/** At most so many handoffs are named; all of them are counted. */
const named_max = 100;

const tallySchema = z.strictObject({ handoffs: z.int(), sha256: z.string() });

const differenceSchema = z.strictObject({
  id: z.string(),
  /**
   * `conflict`: has further steps in both stores, each its own, and stays in the target as it is. `changing`: has changed in
   * the source during the copying. `missing`: is not in the target. `unfit`: is damaged in the source, or more than the
   * target can hold. `reduced`: is in the target, without what it cannot hold.
   */
  how: z.enum(['conflict', 'changing', 'missing', 'unfit', 'reduced']),
  reason: z.string().optional(),
});

export const storeCopy = defineOperation({
  name: 'store.copy',
  summary: 'Copies all handoffs of one store into another, with history, leases and payloads, and compares both.',
  mutates: true,
  doors: { http: false },
  input: z.strictObject({
    /** URL of the store to read, or `handoffs:FOLDER` for JSON records. Default: the present store. */
    from: z.string().min(1).optional(),
    /** URL of the store to write, or `handoffs:FOLDER`; it is created if it is missing. */
    to: z.string().min(1),
  }),
  output: async () =>
    z.strictObject({
      from: z.string(),
      to: z.string(),
      /** False where it was stopped before its end; the next run continues. */
      complete: z.boolean(),
      added: z.int(),
      updated: z.int(),
      unchanged: z.int(),
      /** Have further steps only in the target, which contains all of them. */
      ahead: z.int(),
      /** What was read of the source, and the same handoffs in the target: equal where nothing differs. */
      verified: z.strictObject({ from: tallySchema, to: tallySchema }),
      /** How many handoffs of the source the target does not contain as they are. */
      differences: z.int(),
      /** At most a hundred of them. */
      differing: z.array(differenceSchema),
    }),
  errors: ['file_not_found', 'invalid_input', 'unavailable', 'unsupported_version'],
  run: async ({ from: given, to }, context: OperationContext) => {
    const from = given ?? context.store_url;
    assertTarget(to, from);
    const names = { from: withoutCredentials(from), to: withoutCredentials(to) };
    const [source_folder, target_folder] = [from, to].map(recordFolderOf);
    if (source_folder !== undefined && target_folder !== undefined) throw twoFolders(from, to);
    if (source_folder !== undefined) {
      const source = new RecordSource(join(findRecordFolder(source_folder), 'handoffs'), context.project);
      return withStore(to, async (target) => ({
        ...names,
        ...withDamaged(await copy(source, target, context), source.damaged),
      }));
    }
    assertSource(from);
    return withStore(from, async (source) => {
      if (target_folder !== undefined) return { ...names, ...(await copyToRecords(source, target_folder, context)) };
      return withStore(to, async (target) => ({ ...names, ...(await copy(source, target, context)) }));
    });
  },
});

async function withStore<T>(url: string, body: (store: Store) => Promise<T>): Promise<T> {
  const store = await openStore(url);
  try {
    return await body(store);
  } finally {
    await store.close();
  }
}

async function copy(from: CopySource, to: Store, context: OperationContext) {
  const copied = await copyHandoffs(from, to, context);
  const { differing, ...verified } = await compareStores(copied, { from, to, context });
  const lasting = [...differing].filter(([, relation]) => relation !== 'ahead');
  return {
    complete: !context.signal.aborted,
    ...copied.counts,
    ahead: differing.size - lasting.length,
    verified,
    differences: lasting.length,
    differing: lasting.slice(0, named_max).map(([id, relation]) => {
      const reason = copied.unfit.get(id);
      return reason === undefined ? { id, how: meanings[relation] } : { id, how: 'unfit' as const, reason };
    }),
  };
}

type CopyOutcome = Awaited<ReturnType<typeof copy>>;

/** Records that could not be read were not counted. */
function withDamaged(outcome: CopyOutcome, damaged: ReadonlyMap<string, string>): CopyOutcome {
  const unread = [...damaged].map(([id, reason]) => ({ id, how: 'unfit' as const, reason }));
  return {
    ...outcome,
    differences: outcome.differences + unread.length,
    differing: [...unread, ...outcome.differing].slice(0, named_max),
  };
}

/** The folder of `handoffs:FOLDER`; undefined for the URL of a store. */
function recordFolderOf(url: string): string | undefined {
  return /^handoffs:(.+)$/s.exec(url)?.[1];
}

function twoFolders(from: string, to: string): HandoffError {
  return new HandoffError('invalid_input', 'Both places are folders of JSON records.', {
    details: { from, to },
    alternatives: ['Copy the files: each record is complete by itself, and a missing index is rebuilt.'],
  });
}

/** The name of a relation for the user; `ahead` is no difference that lasts. */
const meanings = {
  ahead: 'changing',
  behind: 'changing',
  parted: 'conflict',
  missing: 'missing',
} as const satisfies Record<Exclude<Relation, 'same'>, string>;

/** The file that a URL names; undefined for a store that is no file. */
function fileOf(url: string): string | undefined {
  const path = /^sqlite:(.+)$/s.exec(url)?.[1];
  return path === undefined || path === ':memory:' ? undefined : resolve(path);
}

/** @throws HandoffError `file_not_found` for a file that does not exist: reading it would make it. */
function assertSource(from: string): void {
  assertLasting(from, 'there is nothing in it to copy');
  const path = fileOf(from);
  if (path !== undefined && !isThere(path)) throw absentStore(path);
}

function assertTarget(to: string, from: string): void {
  assertLasting(to, 'what is copied into it would be gone');
  if (!isSameStore(from, to)) return;
  throw new HandoffError('invalid_input', `Both URLs name one store: ${withoutCredentials(to)}.`, {
    details: { from: withoutCredentials(from), to: withoutCredentials(to) },
    alternatives: [
      'Name another store to copy into: --to sqlite:/path/to/other.db',
      'For a copy of a file: baton store backup',
    ],
  });
}

function assertLasting(url: string, consequence: string): void {
  if (url !== 'memory:' && url !== 'sqlite::memory:') return;
  throw new HandoffError('invalid_input', `The store ${url} ends with this process: ${consequence}.`, {
    details: { store: url },
    alternatives: ['Name a store that lasts, as sqlite:/path/to/baton.db'],
  });
}

/** By their real paths: links, and other spellings of one path, are one store. */
function isSameStore(from: string, to: string): boolean {
  const [left, right] = [fileOf(from), fileOf(to)];
  if (left === undefined || right === undefined) return from === to;
  const [one, other] = [left, right].map((path) => statSync(path, { throwIfNoEntry: false }));
  return left === right || (one !== undefined && one.ino === other?.ino && one.dev === other.dev);
}

/** How many there are, and one hash over the id and digest of each. */
interface Tally {
  handoffs: number;
  sha256: string;
}

/** The result of a comparison of two stores. */
interface Comparison {
  /** What was read of the source, and the same handoffs in the target: equal where nothing differs. */
  from: Tally;
  to: Tally;
  /** The handoffs that are not equal, by their relation to the copy in the target. */
  differing: Map<string, Exclude<Relation, 'same'>>;
}

/** The two stores of a comparison. */
interface Compared {
  from: CopySource;
  to: Store;
  context: OperationContext;
}

/**
 * Looks in the target for everything that was read of the source, reading the target again. Ends early where the signal
 * aborts; handoffs that were not compared count as missing then.
 */
async function compareStores({ read, unfit }: Copied, { from, to, context }: Compared): Promise<Comparison> {
  const found = await readDigests(read, to, context);
  const differing: Comparison['differing'] = new Map();
  for (const [id, { digest }] of read) {
    if (found.get(id) === digest) continue;
    // A damaged handoff cannot be compared: a store refuses to return it.
    const isKnown = unfit.has(id) || context.signal.aborted;
    const relation = isKnown ? 'missing' : await relationOf(id, from, to);
    if (relation === 'same') found.set(id, digest);
    else differing.set(id, relation);
  }
  const wanted = new Map([...read].map(([id, { digest }]) => [id, digest]));
  return { from: tallyOf(wanted), to: tallyOf(found), differing };
}

async function readDigests(read: Copied['read'], to: Store, { signal, onProgress }: OperationContext) {
  const found = new Map<string, string>();
  for await (const { handoffs } of exportPages(to, signal)) {
    for (const stored of handoffs) {
      if (read.has(stored.handoff.id)) found.set(stored.handoff.id, digestStored(stored));
    }
    onProgress?.({ what: 'handoffs compared', done: found.size, total: read.size });
  }
  return found;
}

function tallyOf(digests: ReadonlyMap<string, string>): Tally {
  const lines = [...digests].map(([id, digest]) => `${id} ${digest}\n`);
  return { handoffs: digests.size, sha256: sha256Hex(lines.sort().join('')) };
}

interface Difference {
  id: string;
  how: 'conflict' | 'missing' | 'unfit' | 'reduced';
  reason?: string;
}

/**
 * Writes the handoffs of a store as JSON records into a folder, and reads them back. A handoff that no record can hold is
 * named and left out, never cut. Ends early where the signal aborts; a crash leaves whole records, and the next run continues.
 *
 * @param dir - the folder that contains `handoffs`, or will.
 * @throws HandoffError `unavailable` where the disk refuses it.
 */
async function copyToRecords(from: Store, dir: string, context: OperationContext) {
  const files = new RecordFiles(join(resolve(dir), 'handoffs'));
  const counts = { added: 0, updated: 0, unchanged: 0 };
  const wanted = new Map<string, string>();
  const differing: Difference[] = [];
  for await (const { handoffs } of exportPages(from, context.signal)) {
    for (const stored of handoffs) {
      const { id } = stored.handoff;
      try {
        const { text, left } = textFor(stored, context.project);
        const became = importRecord(files, text);
        wanted.set(id, text);
        if (became !== 'conflict') counts[became] += 1;
        if (left !== undefined) differing.push({ id, how: 'reduced', reason: left });
      } catch (error) {
        if (!isHandoffError(error) || error.code === 'unavailable') throw error;
        differing.push({ id, how: 'unfit', reason: error.message });
      }
    }
    context.onProgress?.({ what: 'handoffs copied', done: wanted.size });
  }
  const found = readBack(files, wanted);
  for (const [id, text] of wanted) {
    if (found.get(id) !== text) differing.push({ id, how: found.has(id) ? 'conflict' : 'missing' });
  }
  return {
    complete: !context.signal.aborted,
    ...counts,
    ahead: 0,
    verified: { from: tallyOfTexts(wanted), to: tallyOfTexts(found) },
    differences: differing.length,
    differing: differing.slice(0, named_max),
  };
}

function textFor(stored: StoredHandoff, project: string) {
  const { text, left } = toRecordText(stored);
  const other = stored.handoff.project === project ? undefined : `it belongs to the project ${stored.handoff.project}`;
  const all = [left, other].filter((each) => each !== undefined).join(', and ');
  return { text, ...(all !== '' && { left: all }) };
}

function readBack(files: RecordFiles, wanted: ReadonlyMap<string, string>): Map<string, string> {
  const found = new Map<string, string>();
  for (const id of wanted.keys()) {
    const present = files.readWithText(id);
    if (present !== null) found.set(id, present.text);
  }
  return found;
}

function tallyOfTexts(texts: ReadonlyMap<string, string>): Tally {
  return tallyOf(new Map([...texts].map(([id, text]) => [id, sha256Hex(text)])));
}
