/**
 * How git reports a commit, and that it went to another branch: "[main 3388a68] Add the update command",
 * "Switched to a new branch 'update'".
 */
const report =
  /^(?:\[(?:[^\]\n]{1,200} )?(?<hash>[0-9a-f]{7,40})\] (?<subject>.{1,500})|Switched to (?:a new |and reset )?branch '(?<branch>[^'\n]{1,200})')$/gm;

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
