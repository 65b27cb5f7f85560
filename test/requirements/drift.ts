import { declare } from './declare.ts';

/** How a handoff's files changed since it was created. */
export const drift = declare('first hosts, drift', 'hosts', {
  'DRIFT.facts':
    'A file that a handoff names is recorded with commit, blob, mode and whether it was committed, as measured.',
  'DRIFT.facts-own': 'A writer’s own commit, blob or mode is ignored; the lines that it names are kept.',
  'DRIFT.never-false': 'A file whose bytes differ is never reported as unchanged, after any git command.',
  'DRIFT.unchanged': 'The same bytes are unchanged in any clone, work tree, branch or history.',
  'DRIFT.edited': 'Other bytes are edited, with the number of lines, and whether the named lines are touched.',
  'DRIFT.renamed': 'A file under another name is found in the history, the index and among untracked files.',
  'DRIFT.deleted': 'A file that was committed and is gone is deleted, or not on this branch.',
  'DRIFT.uncommitted': 'A file that was not committed then and is absent here is reported as uncommitted.',
  'DRIFT.unknown': 'Where nothing certain is known, the verdict is unknown with its reason.',
  'DRIFT.no-git': 'Without a repository there is nothing to compare with, and nothing fails.',
  'DRIFT.line-ends': 'Line ends that git converts are no change; those that it does not convert are one.',
  'DRIFT.refused': 'No path that leads out of the work tree is read, and nothing but a regular file is opened.',
  'DRIFT.hostile-repository': 'No program that a repository names runs while files are measured or compared.',
  'DRIFT.submodules': 'A file inside of a submodule is compared with the history of that submodule.',
  'DRIFT.cost':
    'The number of git processes does not grow with the number of files, and is none where nothing changed.',
  'DRIFT.time':
    'All that a comparison or a measurement asks git, reads and hashes shares one time budget; what it leaves undone is unknown, with that reason.',
  'DRIFT.check': 'The check answers for one handoff or all open ones, and "no" where a file changed.',
  'DRIFT.situation':
    'A receiver gets one line that names the files that changed since, separate from the approved bytes.',
  'DRIFT.retry': 'A retry and a second import are recognised although the work tree changed meanwhile.',
});
