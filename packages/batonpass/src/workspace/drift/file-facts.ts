import type { FileReference } from '../../core/content.ts';
import { limits } from '../../core/limits.ts';
import type { Workspace } from '../project-identity.ts';
import { createFileReader, type FilePlace, type FileReader } from './file.ts';
import { openRepository, type Repository } from './repository.ts';
import { type Fingerprint, storedId, takeFingerprint } from './stored-form.ts';

/** What is recorded of a file when a handoff is made: all that is measured, without the writer's text about it. */
export type FileFacts = Omit<NonNullable<FileReference['git']>, 'lines'>;

/**
 * Measures files of a work tree, so that a later call can find out what changed: the commit that is checked out, the
 * id of the bytes as git would store them, whether that differs from the commit, and the mode. One git process for
 * clean files, at the most three more where some are not, and as many for each submodule that files are in.
 *
 * @param reader - bounds the bytes that are read and the time that all takes; default: with `limits.git_ms_max`.
 * @returns facts by path. A path without any is outside of git, leads out of the work tree, cannot be read within the
 * bounds, or names nothing that is a file. What git did not answer in time is absent from the facts.
 */
export function measureFiles(
  workspace: Workspace,
  paths: readonly string[],
  reader: FileReader = createFileReader(workspace.root),
): ReadonlyMap<string, FileFacts> {
  const facts = new Map<string, FileFacts>();
  if (workspace.git_common_dir === undefined) return facts;
  const places = [...new Set(paths)].flatMap((path) => {
    const place = reader.locate(path);
    return place?.is_reachable === true ? [{ path, place }] : [];
  });
  const groups = [...Map.groupBy(places, ({ place }) => place.repository)];
  for (const [root, group] of groups.slice(0, limits.drift_repositories_max)) {
    for (const [path, found] of measureIn(openRepository(root, reader.time), group, reader)) facts.set(path, found);
  }
  return facts;
}

interface PlacedPath {
  path: string;
  place: FilePlace;
}

interface Measured extends PlacedPath {
  mode: NonNullable<FileFacts['mode']>;
  print: Fingerprint;
}

function measureIn(repository: Repository, group: readonly PlacedPath[], reader: FileReader): [string, FileFacts][] {
  const head = repository.readHead(group.map(({ place }) => place.inside));
  if (head === null) return [];
  const measured = group.flatMap(({ path, place }): Measured[] => {
    const found = reader.read(place);
    return 'bytes' in found
      ? [{ path, place, mode: found.mode, print: takeFingerprint(found.bytes, head.format) }]
      : [];
  });
  const differing = measured.filter(({ print, place }) => print.raw !== head.blobs.get(place.inside));
  const storing = readStoring(
    repository,
    differing.map(({ place, print }) => ({ inside: place.inside, print })),
  );
  return measured.map(({ path, place, mode, print }) => {
    const committed = head.blobs.get(place.inside);
    const isPlain = print.raw === committed || mode === '120000';
    const answer = isPlain ? print.raw : storing(place.inside, print);
    const kept_mode = recordedMode(mode, repository);
    // Once time ran out, an answer may rest on a default.
    const isSure = !reader.time.ranOut();
    const stored = isPlain || isSure ? answer : undefined;
    const facts: FileFacts = {
      commit: head.commit,
      blob: stored ?? print.raw,
      dirty: stored === null || stored === undefined ? undefined : stored !== committed,
      mode: isSure || mode !== '100755' ? kept_mode : undefined,
    };
    return [path, withoutAbsent(facts)];
  });
}

/** The id under which git would store a file; null where only git itself could compute it, undefined where it does not answer. */
export type StoredIds = (inside: string, print: Fingerprint) => string | null | undefined;

/** Asks git for all that decides how it would store these files: one process, and one more where line ends count. */
export function readStoring(
  repository: Repository,
  files: readonly { inside: string; print: Fingerprint }[],
): StoredIds {
  if (files.length === 0) return () => undefined;
  const attributes = repository.readAttributes(files.map(({ inside }) => inside));
  const windows = files.filter(({ print }) => print.with_lf !== print.raw).map(({ inside }) => `:${inside}`);
  const indexed = windows.length === 0 ? undefined : repository.readBlobs(windows);
  return (inside, print) => {
    const found = attributes.get(inside);
    if (found === undefined) return undefined;
    const autocrlf = () => repository.readSetting('autocrlf', 'false');
    return storedId(print, { attributes: found, autocrlf, indexed: indexed?.get(`:${inside}`)?.bytes });
  };
}

/** Where a file system does not keep the executable bit, its value means nothing. */
function recordedMode(mode: Measured['mode'], repository: Repository): Measured['mode'] | undefined {
  return mode === '100755' && !keepsExecutableBit(repository) ? undefined : mode;
}

/** Whether the executable bit of this work tree's files means anything. */
export function keepsExecutableBit(repository: Repository): boolean {
  return process.platform !== 'win32' && !/^(?:false|no|off|0)$/i.test(repository.readSetting('filemode', 'true'));
}

function withoutAbsent(facts: FileFacts): FileFacts {
  return Object.fromEntries(Object.entries(facts).filter(([, value]) => value !== undefined));
}
