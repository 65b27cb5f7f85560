/**
 * How git reports a commit, that it went to another branch, and a push: "[main 3388a68] Add the update command",
 * "Switched to a new branch 'update'", "   138f701..1cf8b0e  update -> update".
 */
const report =
  /^(?:\[(?:[^\]\n]{1,200} )?(?<hash>[0-9a-f]{7,40})\] (?<subject>.{1,500})|Switched to (?:a new |and reset )?branch '(?<branch>[^'\n]{1,200})'| [ +*] (?:[0-9a-f]{7,40}\.{2,3}(?<head>[0-9a-f]{7,40})|\[new branch\]) {1,40}(?<from>\S{1,200}) {1,40}-> (?<to>\S{1,200})(?: \(forced update\))?)$/gm;

/** Of more reports in the rest of one answer, the first. */
const reportsMax = 20;

/** The commits that git reports in a text, in its order. */
export function readCommitReports(text: string): { hash: string; subject: string }[] {
  return [...text.matchAll(report)].flatMap(({ groups }) =>
    groups?.hash === undefined ? [] : { hash: groups.hash, subject: (groups.subject ?? '').trim() },
  );
}

/** The branch that git reports in a text to have switched to last; absent where it reports none. */
export function readSwitchReport(text: string): string | undefined {
  return [...text.matchAll(report)].findLast(({ groups }) => groups?.branch !== undefined)?.groups?.branch;
}

/** The branch that git reports in a text to have pushed last, and its last commit; absent where it reports none. */
export function readPushReport(text: string): { branch: string; head: string | undefined } | undefined {
  // A fetch is reported alike, but to a branch that is named after the remote: "main -> origin/main".
  const pushed = [...text.matchAll(report)].findLast(
    ({ groups: { from, to } = {} }) => to !== undefined && !to.endsWith(`/${from}`),
  )?.groups;
  return pushed?.to === undefined ? undefined : { branch: pushed.to, head: pushed.head };
}

/** The beginning of an answer, and behind it git's reports from the rest, whole: what hooks print comes before them. */
export function cutBeforeReports(text: string, characters_max: number): string {
  const kept: string[] = [];
  let end = characters_max;
  for (const { index, 0: line } of text.matchAll(report)) {
    if (index + line.length <= characters_max) continue;
    if (kept.length === reportsMax) break;
    end = Math.min(end, index);
    kept.push(line);
  }
  const head = text.slice(0, end);
  return kept.length === 0 ? head : [head.trimEnd(), ...kept].join('\n');
}
