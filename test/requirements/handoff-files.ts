import { declare } from './declare.ts';

/** What handoff files guarantee beyond the text of source 1. */
export const handoffFiles = declare('design, files on disk', 'files', {
  'DISK.safe-name': 'A text from outside becomes a file name only where it is valid on every system.',
  'DISK.safe-path': 'A path that must stay within a folder does: no `..`, absolute path or link leads out of it.',
  'DISK.regular-file': 'Only a regular file is read; a pipe, device or link in its place is refused, never waited for.',
  'DISK.errors': 'A full, read-only or failing disk is an error that says what, where and what to do.',
  'MD.lossless': 'The parts of a document put together are its bytes.',
  'MD.written': 'Front matter as agents and planners write it is read, each value as it was meant.',
  'MD.whole': 'All of YAML is read as data: without tags, without shared objects, within bounds.',
  'MD.encode': 'What is written as front matter is read again as the same values, by any YAML reader.',
  'MD.change': 'A change of some fields changes their lines alone.',
  'FILE.other-documents':
    'Any Markdown document with front matter is imported with nothing lost, its secrets masked and counted.',
  'FILE.leftovers': 'What a killed writer left in a folder is reported by a check and removed by a later write.',
  'FILE.next': 'nextHandoffFile allocates the version and writes in one step.',
  'FILE.strict': 'Wrong front matter is refused before anything is written, with field and reason.',
  'FILE.repair': 'Hand-written front matter with one meaning is accepted, and each repair is reported.',
  'FILE.revise': 'A next version keeps every byte of its predecessor that was not to change.',
  'FILE.processes': 'Many processes that write into one folder get a file and a version each, without a gap.',
  'FILE.kill': 'A writer that is killed leaves no torn file under a real name.',
  'FILE.disk-full': 'A disk that is full or cannot be written leaves nothing behind, and is reported.',
  'FILE.cut': 'A file that is cut anywhere is read, or refused with its position.',
  'FILE.hostile': 'Hostile front matter executes nothing and reaches nothing; its bytes stay, or it is refused.',
  'FILE.commands': 'baton file next, write, read and list do what the library does.',
  'FILE.check': 'baton file check reports what is wrong in a tree, by file, line and column, and exits with 1.',
  'FILE.document': 'The examples of the document for users run, and print what it shows.',
});
