import type { ToolCall } from '../core/conversation.ts';

const commitsMax = 12;
const subjectCharactersMax = 100;

const commits = /\bgit\b[^|;&\n]*\b(?:commit|cherry-pick|revert|merge)\b/;
const pushes = /\bgit\b[^|;&\n]*\bpush\b/;
/** After it the commits before may be gone or have other names. */
const rewrites =
  /\bgit\b[^|;&\n]*\b(?:rebase|reset --(?:hard|soft|mixed|keep)|filter-(?:repo|branch)|commit\b.*--amend)/;
/** How git reports a commit: "[main 3388a68] Add the update command". */
const report = /^\[(?:[^\]\n]{1,200} )?(?<hash>[0-9a-f]{7,40})\] (?<subject>.+)$/gm;

/**
 * The commits that git reported, none of them rewritten later, the newest first: each by hash and subject, and whether
 * a push followed.
 *
 * @param calls - those that did not fail.
 */
export function findCommits(calls: readonly ToolCall[]): string[] {
  const made = new Map<string, { hash: string; isPushed: boolean }>();
  for (const { command = '', outcome } of calls) {
    if (rewrites.test(command)) made.clear();
    if (commits.test(command)) {
      for (const { groups } of (outcome?.text ?? '').matchAll(report)) {
        const { hash = '', subject = '' } = groups ?? {};
        // The same subject again is the same commit at another place.
        made.delete(subject);
        made.set(subject, { hash, isPushed: false });
      }
    }
    if (pushes.test(command)) for (const commit of made.values()) commit.isPushed = true;
  }
  return [...made]
    .slice(-commitsMax)
    .reverse()
    .map(
      ([subject, { hash, isPushed }]) =>
        `commit ${hash} ${subject.trim().slice(0, subjectCharactersMax).toWellFormed()}${isPushed ? '' : ' (not pushed here)'}`,
    );
}
