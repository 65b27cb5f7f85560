import { declare } from './declare.ts';

/** What became of a handoff's files since it was made. */
export const drift = declare('first hosts, drift', 'hosts', {
  'DRIFT.facts':
    'A file that a handoff names is recorded with commit, blob, mode and whether it was committed, as measured.',
  'DRIFT.facts-own': 'What a writer claims of commit, blob or mode is not believed; the lines that it names are kept.',
  'DRIFT.never-false': 'No file is called unchanged whose bytes are not the same, whatever git was done meanwhile.',
  'DRIFT.unchanged': 'The same bytes are unchanged, in whichever clone, work tree, branch or history they stand.',
  'DRIFT.edited': 'Other bytes are edited, with the number of lines, and whether the named lines are touched.',
  'DRIFT.renamed': 'A file under another name is found in the history, the index and among untracked files.',
  'DRIFT.deleted': 'A file that was committed and is gone is deleted, or not on this branch.',
  'DRIFT.uncommitted': 'What was not committed then and is not here is told as such.',
  'DRIFT.unknown': 'Where nothing certain can be said, the verdict is unknown with its reason.',
  'DRIFT.no-git': 'Without a repository there is nothing to compare with, and nothing fails.',
  'DRIFT.line-ends': 'Line ends that git converts are no change; those that it does not convert are one.',
  'DRIFT.refused': 'No path that leads out of the work tree is read, and nothing that is no file is opened.',
  'DRIFT.hostile-repository': 'No program that a repository names runs while files are measured or compared.',
  'DRIFT.submodules': 'A file inside of a submodule is compared with the history of that submodule.',
  'DRIFT.cost':
    'The number of git processes does not grow with the number of files, and is none where nothing changed.',
  'DRIFT.time':
    'All that a comparison or a measuring asks git, reads and hashes shares one budget of time; what it leaves undone is unknown, with that reason.',
  'DRIFT.check': 'The check answers for one handoff or all open ones, and "no" where a file changed.',
  'DRIFT.situation': 'A receiver is told in one line which files changed since, apart from the approved bytes.',
  'DRIFT.retry': 'A retry and a second import are known again although the work tree changed meanwhile.',
});
