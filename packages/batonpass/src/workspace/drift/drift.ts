import { relative } from 'node:path';
import type { FileReference } from '../../core/content.ts';
import type { FileDrift } from '../../core/drift.ts';
import { limits } from '../../core/limits.ts';
import type { Workspace } from '../project-identity.ts';
import { type Comparison, type Finding, outOfTime, type Surroundings, silent } from './comparison.ts';
import { createFileReader, type FileReader, formatOfId } from './file.ts';
import { type FileFacts, keepsExecutableBit, readStoring } from './file-facts.ts';
import { countLineChanges } from './lines.ts';
import { createMissingJudge } from './missing.ts';
import { openRepository } from './repository.ts';
import { type Fingerprint, takeFingerprint, withLineFeeds } from './stored-form.ts';
import type { TimeBudget } from './time.ts';

/**
 * Compares referenced files with what was recorded of them. "Unchanged" is returned only where this call read bytes
 * that hash to the recorded id, as they are or as git would store them; git's index and its time stamps are not used.
 *
 * No git process runs where every file is unchanged; two where some are edited; one to four more where some are gone;
 * one more each where only line ends or only the executable bit differ: for any number of files, in each repository
 * and for each commit that they were recorded at. Nothing is thrown where git does not answer, nor where the reader's
 * time runs out: the files are then unknown, and the call returns soon.
 *
 * @param reader - one for several calls bounds the bytes that they read and the time that they take together; default:
 * one for this call, with `limits.git_ms_max`.
 * @returns one verdict for each reference, in their order.
 */
export function compareFiles(
  workspace: Workspace,
  files: readonly FileReference[],
  reader: FileReader = createFileReader(workspace.root),
): FileDrift[] {
  const findings = new Map<FileReference, Finding>();
  const open: Comparison[] = [];
  for (const file of files) {
    const looked = lookAt(file, reader);
    if ('verdict' in looked) findings.set(file, looked);
    else open.push(looked);
  }
  const groups = [...Map.groupBy(open, ({ place }) => place.repository)];
  for (const [index, [root, group]] of groups.entries()) {
    const folder = relative(workspace.root, root).replaceAll('\\', '/');
    const prefix = folder === '' ? '' : `${folder}/`;
    const surroundings: Surroundings = { prefix, repository: openRepository(root, reader.time), reader };
    const isAsked = index < limits.drift_repositories_max;
    const judged = isAsked ? judgeGroup(workspace, group, surroundings) : group.map(() => silent);
    for (const [position, { file }] of group.entries()) findings.set(file, judged[position] ?? silent);
  }
  return files.map((file) => {
    const lines = file.git?.lines === undefined ? {} : { lines: file.git.lines };
    return { id: file.id, path: file.path, ...lines, ...withoutAbsent(findings.get(file) ?? silent) };
  });
}

function lookAt(file: FileReference, reader: FileReader): Finding | Comparison {
  const { git, path } = file;
  if (git?.blob === undefined)
    return { ...(git?.commit === undefined ? nothing : unrecorded), stands: standOf(path, reader) };
  const format = formatOfId(git.blob);
  if (format === null || (git.commit !== undefined && formatOfId(git.commit) === null)) return unrecorded;
  const place = reader.locate(path);
  if (place === null) return { verdict: 'unknown', reason: 'path-refused' };
  const found = reader.read(place);
  if (found.kind === 'refused') return { verdict: 'unknown', reason: found.reason };
  const facts = { ...git, blob: git.blob };
  if (found.kind === 'missing') return { file, facts, place, found };
  const isSame = found.mode === (git.mode ?? '100644') && takeFingerprint(found.bytes, format).raw === git.blob;
  return isSame ? { verdict: 'unchanged' } : { file, facts, place, found };
}

const nothing: Finding = { verdict: 'no-git' };
const unrecorded: Finding = { verdict: 'unknown', reason: 'no-record' };

function standOf(path: string, reader: FileReader): Finding['stands'] {
  const place = reader.locate(path);
  if (place === null) return 'outside';
  return reader.isThere(place) ? 'here' : 'missing';
}

/** In the order of the group. */
function judgeGroup(workspace: Workspace, group: readonly Comparison[], surroundings: Surroundings): Finding[] {
  const hasGit = workspace.git_common_dir !== undefined;
  const judgeMissing = createMissingJudge(group, surroundings);
  const judgePresent = createPresentJudge(group, surroundings, hasGit);
  return group.map((comparison) => {
    if (comparison.found.kind === 'missing' && !hasGit) return { verdict: 'no-git' };
    const finding = comparison.found.kind === 'missing' ? judgeMissing(comparison) : judgePresent(comparison);
    // What was left undone may be what decides.
    return surroundings.reader.time.ranOut() ? outOfTime : finding;
  });
}

function createPresentJudge(group: readonly Comparison[], { repository, reader }: Surroundings, hasGit: boolean) {
  const present = group.flatMap((comparison) => {
    const { facts, found, place } = comparison;
    if (!('bytes' in found) || !reader.time.isLeft()) return [];
    const print = takeFingerprint(found.bytes, formatOfId(facts.blob) ?? 'sha1');
    return [{ comparison, print, inside: place.inside }];
  });
  const isAsked = hasGit && present.length > 0;
  const storing = isAsked ? readStoring(repository, present) : undefined;
  const names = present.flatMap(({ comparison }) => [comparison.facts.blob, committedName(comparison) ?? []].flat());
  const blobs = isAsked ? repository.readBlobs([...new Set(names)]) : undefined;
  const prints = new Map(present.map(({ comparison, print }) => [comparison, print]));
  return (comparison: Comparison): Finding => {
    const print = prints.get(comparison);
    if (print === undefined) return silent;
    return judgePresent(comparison, {
      print,
      // Outside of git, and of a link, the bytes count as they are.
      stored:
        storing === undefined || comparison.found.kind === 'link' ? print.raw : storing(comparison.place.inside, print),
      before: blobs?.get(comparison.facts.blob)?.bytes,
      committed: blobs?.get(committedName(comparison) ?? '')?.id,
      keepsMode: () => !hasGit || keepsExecutableBit(repository),
      time: reader.time,
    });
  };
}

/** What the recorded commit had at the path, for a file with uncommitted changes at that time. */
function committedName({ facts, place }: Comparison): string | undefined {
  return facts.dirty === true && facts.commit !== undefined ? `${facts.commit}:${place.inside}` : undefined;
}

interface PresentFacts {
  print: Fingerprint;
  /** The id under which git would store the file now; null where only git could compute it, undefined where git does not answer. */
  stored: string | null | undefined;
  /** The recorded bytes, where the repository has them. */
  before: Buffer | undefined;
  /** What the recorded commit had at the path, for a file with uncommitted changes at that time. */
  committed: string | undefined;
  keepsMode: () => boolean;
  time: TimeBudget;
}

function judgePresent({ file, facts, found }: Comparison, given: PresentFacts): Finding {
  const { print, stored, committed } = given;
  if (!('bytes' in found)) return silent;
  if ((facts.mode === '120000') !== (found.kind === 'link')) return { verdict: 'edited', became: found.kind };
  if (print.raw === facts.blob || stored === facts.blob) return judgeMode(facts, found.mode, given);
  if (committed !== undefined && [print.raw, stored].includes(committed)) return { verdict: 'uncommitted-and-missing' };
  if (stored === undefined) return silent;
  if (stored === null) return { verdict: 'unknown', reason: 'filtered' };
  const now = () => (stored === print.raw ? found.bytes : withLineFeeds(found.bytes));
  return { verdict: 'edited', ...countLines(now, file.git?.lines, given) };
}

/** The same bytes; whether they may be executed counts where both sides keep that. */
function judgeMode(facts: FileFacts, mode: string, { keepsMode }: PresentFacts): Finding {
  const isSame = facts.mode === undefined || facts.mode === mode || !keepsMode();
  return isSame ? { verdict: 'unchanged' } : { verdict: 'edited', mode_changed: true };
}

/** The edit is proven without: a number that there is no time for is absent. */
function countLines(
  read: () => Buffer,
  lines: string | undefined,
  { before, time }: Pick<PresentFacts, 'before' | 'time'>,
): Partial<Finding> {
  if (before === undefined || before.length > limits.drift_lines_bytes_max || time.left_ms() === 0) return {};
  const now = read();
  const changes = now.length > limits.drift_lines_bytes_max ? null : countLineChanges(before, now, { lines, time });
  if (changes === null) return {};
  const { added, removed, touches } = changes;
  return { lines_added: added, lines_removed: removed, touches_lines: touches ?? undefined };
}

function withoutAbsent(finding: Finding): Finding {
  return Object.fromEntries(Object.entries(finding).filter(([, value]) => value !== undefined)) as Finding;
}
