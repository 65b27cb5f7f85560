import { posix } from 'node:path';
import { limits } from '../../core/limits.ts';
import { type Comparison, type Finding, type Surroundings, silent } from './comparison.ts';
import { formatOfId, hashBlob } from './file.ts';
import type { FileChange, TrackedFiles } from './repository.ts';
import { type Fingerprint, takeFingerprint } from './stored-form.ts';

/**
 * Finds out what happened to the files of one repository that are not where they were. Git runs when the first file
 * needs it, and once for all: for each recorded commit what changed since and whether it belongs to this history, what the index has of
 * these files, and which files it does not have.
 */
export function createMissingJudge(
  group: readonly Comparison[],
  surroundings: Surroundings,
): (comparison: Comparison) => Finding {
  const { repository } = surroundings;
  const changesSince = remember((commit: string) => repository.listChanges(commit), null);
  const isInHistory = remember((commit: string) => repository.isInHistory(commit), false);
  const missing = group.filter(({ found }) => found.kind === 'missing');
  const paths = missing.map(({ place }) => place.inside);
  const tracked = remember((_all: 'all') => repository.listTracked(paths), null);
  const untracked = remember((_all: 'all') => searchUntracked(missing, surroundings), null);
  return (comparison) => {
    const { commit } = comparison.facts;
    return judge(comparison, {
      changes: commit === undefined ? null : changesSince(commit),
      isInHistory: () => commit !== undefined && isInHistory(commit),
      tracked: () => tracked('all'),
      untracked: () => untracked('all'),
      surroundings,
    });
  };
}

interface MissingFacts {
  /** Since the recorded commit; null where it is not here. */
  changes: readonly FileChange[] | null;
  isInHistory: () => boolean;
  /** What the index has of the missing files; null where git does not answer. */
  tracked: () => TrackedFiles | null;
  /** Untracked files by the blob that they hold; null where git does not answer. */
  untracked: () => ReadonlyMap<string | undefined, string[]> | null;
  surroundings: Surroundings;
}

function judge(comparison: Comparison, given: MissingFacts): Finding {
  const { facts, place } = comparison;
  const { changes, surroundings } = given;
  const { inside } = place;
  const change = changes?.find(({ from, status }) => from === inside && /^[DR]/.test(status));
  // What is gone from the index is not merely left out of the work tree.
  if (change === undefined) {
    const tracked = given.tracked();
    if (tracked === null) return silent;
    if (tracked.left_out.has(inside)) return { verdict: 'unknown', reason: 'not-checked-out' };
  }
  const moved = findWhole(facts.blob, inside, given) ?? findSimilar(facts.blob, change, given);
  const isLost = facts.dirty === true && moved?.is_as_committed === true;
  if (moved !== undefined && !isLost) {
    const { to, is_edited } = moved;
    return { verdict: 'renamed', renamed_to: `${surroundings.prefix}${to}`, is_edited };
  }
  // It is certain to be nowhere only where all places were read.
  if (!isEmptyBlob(facts.blob) && given.untracked() === null) return silent;
  return judgeGone(comparison, change, given);
}

function judgeGone({ facts, place, found }: Comparison, change: FileChange | undefined, given: MissingFacts): Finding {
  if (facts.dirty === true) return { verdict: 'uncommitted-and-missing' };
  const became = found.kind === 'missing' ? found.became : undefined;
  const isTracked = change === undefined && given.tracked()?.checked_out.has(place.inside) === true;
  if (isTracked) return { verdict: 'deleted', became };
  if (given.changes === null) return { verdict: 'unknown', reason: 'commit-absent' };
  if (change === undefined) return { verdict: 'unknown', reason: 'no-record' };
  return given.isInHistory() ? { verdict: 'deleted', became } : { verdict: 'not-on-this-branch' };
}

interface MovedFile {
  to: string;
  is_edited: boolean | undefined;
  /** Whether it has what the recorded commit had, and nothing that was not committed. */
  is_as_committed: boolean;
}

/** Empty files are alike by chance. */
function isEmptyBlob(blob: string): boolean {
  return blob === hashBlob(Buffer.alloc(0), formatOfId(blob) ?? 'sha1');
}

/** A file that came since and holds the very bytes. */
function findWhole(blob: string, inside: string, given: MissingFacts): MovedFile | undefined {
  if (isEmptyBlob(blob)) return undefined;
  const isWhole = (path: string) => path !== inside && readPrint(path, blob, given.surroundings)?.raw === blob;
  const came = (given.changes ?? []).filter(({ status, id }) => /^[ARC]/.test(status) && id === blob);
  const to =
    sameNameFirst(
      came.map((change) => change.to),
      inside,
    ).find(isWhole) ?? sameNameFirst(given.untracked()?.get(blob) ?? [], inside).find(isWhole);
  return to === undefined ? undefined : { to, is_edited: false, is_as_committed: false };
}

function sameNameFirst(candidates: readonly string[], inside: string): string[] {
  const rank = (path: string) => (posix.basename(path) === posix.basename(inside) ? 0 : 1);
  return candidates.toSorted((left, right) => rank(left) - rank(right));
}

/** The files that git considers the same under another name. On another line of history that would be a guess. */
function findSimilar(blob: string, change: FileChange | undefined, given: MissingFacts): MovedFile | undefined {
  if (change === undefined || change.status !== 'R' || !given.isInHistory()) return undefined;
  const print = readPrint(change.to, blob, given.surroundings);
  if (print === undefined) return undefined;
  const isSame = print.raw === blob;
  // Only the attributes of the new name show whether other line ends alone are a change.
  const is_edited = !isSame && print.with_lf === blob ? undefined : !isSame;
  return { to: change.to, is_edited, is_as_committed: !isSame && change.from_id === print.raw };
}

function readPrint(inside: string, blob: string, { prefix, reader }: Surroundings): Fingerprint | undefined {
  const place = reader.locate(`${prefix}${inside}`);
  const found = place === null ? undefined : reader.read(place);
  const format = formatOfId(blob);
  return found === undefined || !('bytes' in found) || format === null
    ? undefined
    : takeFingerprint(found.bytes, format);
}

/** Files that were moved without git, by blob: among a bounded number of those that could be one of the missing. */
function searchUntracked(missing: readonly Comparison[], surroundings: Surroundings) {
  const others = surroundings.repository.listUntracked();
  if (others === null) return null;
  const names = new Set(missing.map(({ place }) => posix.basename(place.inside)));
  const kinds = new Set(missing.map(({ place }) => posix.extname(place.inside)));
  const sameName = others.filter((path) => names.has(posix.basename(path)));
  const sameKind = others.filter((path) => !names.has(posix.basename(path)) && kinds.has(posix.extname(path)));
  const candidates = [...sameName, ...sameKind].slice(0, limits.drift_candidates_max);
  const blob = missing[0]?.facts.blob ?? '';
  return Map.groupBy(candidates, (path) => readPrint(path, blob, surroundings)?.raw);
}

/** Reads each key once, and a bounded number of them: commits above that count as absent. */
function remember<Key, Answer>(ask: (key: Key) => Answer, beyond: Answer): (key: Key) => Answer {
  const answers = new Map<Key, Answer>();
  return (key) => {
    const known = answers.get(key);
    if (known !== undefined) return known;
    const answer = answers.size < limits.drift_commits_max ? ask(key) : beyond;
    answers.set(key, answer);
    return answer;
  };
}
