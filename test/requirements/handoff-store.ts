import { declare } from './declare.ts';

/** The lock of a folder, and what the handoff store of source 2 guarantees beyond the text of its source. */
export const handoffStore = declare('design, files on disk', 'files', {
  'LOCK.exclusive': 'One process at a time holds the lock of a folder, and callers of one process get it in order.',
  'LOCK.killed': 'The lock of a killed process is free at once.',
  'LOCK.stopped': 'The lock of a holder that is stopped too long is taken over, and its late writes change nothing.',
  'LOCK.fence': 'A write that is not complete when its holder’s lock is taken over is refused, at any step.',
  'LOCK.alive': 'A holder that waits within its body keeps the lock.',
  'LOCK.judged':
    'Only the lock of the holder that was found silent is taken over; a clock that jumps causes no takeover.',
  'LOCK.deadline':
    'A caller that waited too long gets an error that names the holder, where and since when; a signal ends the wait.',
  'LOCK.clean': 'No holder, no caller that gave up and no killed process leaves anything behind.',
  'LOCK.place': 'A lock is made in the folder itself, never through a link, and a missing folder is reported.',
  'LOCK.file':
    'A file written under the lock has its whole content at once, keeps its permissions, and is in the folder.',
  'RECORDS.one-winner': 'Of several processes that acknowledge one handoff at once, one wins and the others learn who.',
  'RECORDS.stopped':
    'A process that is stopped while it acknowledges, and continues later, changes nothing that is stored.',
  'RECORDS.kill': 'Killed writers lose no answered call and tear no file; the index is whole after the next list.',
  'RECORDS.steps': 'A crash after any step of create or acknowledge leaves the handoff as before or as after.',
  'RECORDS.cut': 'A record or an index cut at any byte is read, or reported with its file and line.',
  'RECORDS.notice': 'A list notices every change in the folder, and reads nothing where nothing changed.',
  'RECORDS.newer': 'A record that is newer than the index is used, from any writer, and its index line is corrected.',
  'RECORDS.lenient':
    'What other programs write is read where it has one meaning: no snapshot, no results, an empty description.',
  'RECORDS.command': 'Records are created and acknowledged by the command too, with secrets masked.',
  'RECORDS.order': 'Repairing the index keeps whole lines, drops the others, and forgets no acknowledgement.',
  'RECORDS.read-only': 'A folder that cannot be written is listed as it is, and its index is reported as out of date.',
  'RECORDS.input':
    'What is written is checked, field by field; a record of others is read leniently, unknown fields kept.',
  'RECORDS.bounds': 'A record or a line that is too large, or not a regular file, is refused and never waited for.',
  'RECORDS.places':
    'Nothing in a folder of records is reached through a link or waited for: anything but a regular file is refused or replaced.',
  'RECORDS.copy':
    'Records are copied into a store of Baton and back, byte for byte, and continue where they were acknowledged meanwhile.',
  'RECORDS.copy-left':
    'A record that one side cannot hold or read is named with its reason, and does not stop the others.',
  'RECORDS.look':
    'A folder of records can be listed, shown, checked and repaired from the command line and the library.',
});
