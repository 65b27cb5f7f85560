import type { ToolCall } from '../core/conversation.ts';
import { readCommitReports, readPushReport } from '../core/git-reports.ts';
import { hasFailed } from './checks.ts';
import { shorten } from './plain-text.ts';

const commitsMax = 12;
const subjectCharactersMax = 100;

const commits = /\bgit\b[^|;&\n]*\b(?:commit|cherry-pick|revert|merge)\b/;
const pushes = /\bgit\b[^|;&\n]*\bpush\b/;
/** After it the commits before may be gone or have other names. */
const rewrites =
  /\bgit\b[^|;&\n]*\b(?:(?<!-)rebase|reset (?:--(?:hard|soft|mixed|keep)|.*HEAD[~^])|filter-(?:repo|branch)|commit\b.*--amend)/;

/** After it what was not pushed has other names. */
const pullsAndRebases = /\bgit\b[^|;&\n]*\bpull\b[^|;&\n]* (?:--rebase\b(?!=false)|-r\b)/;

/** A commit that git reported in the session. */
interface ReportedCommit {
  /** Empty where a rebase changed it. */
  hash: string;
  subject: string;
  /** The folder that git ran in; empty where it is not known. */
  folder: string;
  /** Whether a push followed it. */
  isPushed: boolean;
}

/** Whether a call made a commit, even if a later part of its command failed. */
export function hasCommitted({ command = '', outcome }: ToolCall): boolean {
  return commits.test(command) && readCommitReports(outcome?.text ?? '').length > 0;
}

/**
 * The newest commits in a line each: those that no push followed, and the others; then the last push.
 *
 * @param calls - those that did not fail, or committed before they failed.
 * @param cwd - the folder of commands that name none.
 */
export function describeCommits(calls: readonly ToolCall[], cwd: string | undefined): string[] {
  const push = calls
    .filter((call) => pushes.test(call.command ?? '') && !hasFailed(call))
    .map(({ outcome }) => readPushReport(outcome?.text ?? ''))
    .findLast((each) => each !== undefined);
  const newest = readCommits(calls, cwd ?? '')
    .slice(-commitsMax)
    .reverse();
  const lines = [false, true].flatMap((wanted) => {
    const named = newest
      .filter(({ isPushed }) => isPushed === wanted)
      .map(({ hash, subject }) => `${hash} ${shorten(subject, subjectCharactersMax)}`.trim());
    if (named.length === 0) return [];
    return [`commit${named.length === 1 ? '' : 's'} ${named.join('; ')}${wanted ? '' : ' (no push seen)'}`];
  });
  if (push === undefined) return lines;
  return [...lines, `pushed ${push.branch}${push.head === undefined ? '' : `, now at ${push.head}`}`];
}

/** The commits that git reported and that no later command rewrote or reverted, the newest last. */
function readCommits(calls: readonly ToolCall[], cwd: string): ReportedCommit[] {
  let made: ReportedCommit[] = [];
  for (const call of calls) {
    for (const folder of findFolders(call, rewrites, cwd)) made = made.filter((commit) => !mayBeIn(commit, folder));
    const folders = findFolders(call, commits, cwd);
    const reported = folders.length === 0 ? [] : readCommitReports(call.outcome?.text ?? '');
    for (const [place, { hash, subject }] of reported.entries()) {
      const folder = folders[Math.min(place, folders.length - 1)] ?? joinFolder('', cwd);
      const undone = /^Revert "(?<undone>.+)"$/.exec(subject)?.groups?.undone;
      // The same subject again is the same commit at another position.
      const others = made.filter((commit) => commit.folder !== folder || commit.subject !== (undone ?? subject));
      const isUndone = undone !== undefined && others.length < made.length;
      made = isUndone
        ? others
        : [...(undone === undefined ? others : made), { hash, subject, folder, isPushed: false }];
    }
    for (const folder of findFolders(call, pullsAndRebases, cwd)) {
      for (const commit of made) if (!commit.isPushed && mayBeIn(commit, folder)) commit.hash = '';
    }
    if (hasFailed(call)) continue;
    for (const folder of findFolders(call, pushes, cwd)) {
      for (const commit of made) commit.isPushed ||= mayBeIn(commit, folder);
    }
  }
  return made;
}

/** Whether a commit may have been made in the repository of a folder. @param folder - undefined for an unknown one. */
function mayBeIn(commit: ReportedCommit, folder: string | undefined): boolean {
  if (folder === undefined || commit.folder === '') return true;
  return `${commit.folder}/`.startsWith(`${folder}/`) || `${folder}/`.startsWith(`${commit.folder}/`);
}

const quoted = /(["'])(?:\\.|(?!\1)[^\\])*\1/gs;

/** The folder of each command of a call that matches a pattern, in their order; undefined where nothing names it. */
function findFolders({ command = '', cwd: own }: ToolCall, pattern: RegExp, cwd: string): (string | undefined)[] {
  if (!pattern.test(command)) return [];
  const found: (string | undefined)[] = [];
  let folder = own === undefined ? undefined : joinFolder('', own);
  for (const part of command.replace(quoted, (text) => text.replace(/[;&|\n]/g, ' ')).split(/&&|\|\||[;|\n]/)) {
    const to = /^[\s(]*cd\s+(?<to>.+)$/.exec(part)?.groups?.to;
    if (to !== undefined) folder = joinFolder(folder ?? cwd, to);
    if (!pattern.test(part)) continue;
    const at = /\bgit\s+-C\s+(?<at>"[^"]+"|'[^']+'|\S+)/.exec(part)?.groups?.at;
    found.push(at === undefined ? folder : joinFolder(folder ?? cwd, at));
  }
  return found;
}

/** A path from a folder, without `.` and `..`; exports may have a sign in the place of the home folder. */
function joinFolder(folder: string, path: string): string {
  const spelt = path.trim().replace(/^(["'])(.*)\1$/, '$2');
  const whole = folder === '' || /^(?:[/\\~$<‹%]|[A-Za-z]:)/.test(spelt) ? spelt : `${folder}/${spelt}`;
  const names: string[] = [];
  for (const name of whole.split(/[\\/]/)) {
    if (name === '..' && names.length > 0) names.pop();
    else if (name !== '.' && (name !== '' || names.length === 0)) names.push(name);
  }
  return names.join('/');
}
