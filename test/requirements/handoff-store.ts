import { declare } from './declare.ts';

/** The lock of a folder, and what the handoff store of source 2 keeps beyond the text of its source. */
export const handoffStore = declare('design, files on disk', 'files', {
  'LOCK.exclusive': 'One process at a time holds the lock of a folder, and callers of one process come in turn.',
  'LOCK.killed': 'The lock of a killed process is free at once.',
  'LOCK.stopped': 'A holder that is stopped too long is taken over, and its late writes change nothing.',
  'LOCK.fence': 'What a holder has not put into place when it is taken over is refused, at whatever step it was.',
  'LOCK.alive': 'A holder that waits within its body keeps the lock.',
  'LOCK.judged': 'Only the very holder that was found silent is taken over, and a clock that jumps takes nobody over.',
  'LOCK.deadline': 'Whoever waited too long learns who holds the lock, where and since when; a signal ends the wait.',
  'LOCK.clean': 'Nothing is left behind: by a holder, by one that gave up, or by one that was killed before.',
  'LOCK.place': 'A lock is made in the folder itself, never where a link leads, and a missing folder is said.',
  'LOCK.file':
    'A file written under the lock has its whole content at once, keeps its permissions, and lies in the folder.',
  'RECORDS.one-winner': 'Of several processes that acknowledge one handoff at once, one wins and the others learn who.',
  'RECORDS.stopped': 'A process that is stopped while it acknowledges, and goes on later, changes nothing that stands.',
  'RECORDS.kill':
    'Killed writers lose nothing that was answered and tear nothing; the index is whole after the next list.',
  'RECORDS.steps': 'A crash after any step of create or acknowledge leaves the handoff as before or as after.',
  'RECORDS.cut': 'A record or an index cut at any byte is read, or told with its file and line.',
  'RECORDS.notice': 'A list notices whatever changed in the folder, and reads nothing where nothing changed.',
  'RECORDS.newer':
    'A record that is newer than the index is believed, wherever it comes from, and its line is put right.',
  'RECORDS.lenient':
    'What other programs write is read where it has one meaning: no snapshot, no results, an empty description.',
  'RECORDS.command': 'Records are created and acknowledged by the command too, with secrets masked.',
  'RECORDS.order': 'Putting the index in order keeps what is whole, drops what is not, and forgets no acknowledgement.',
  'RECORDS.read-only': 'A folder that cannot be written is listed as it is, and said to be out of order.',
  'RECORDS.input':
    'What is written is checked, field by field; a record of others is read leniently, unknown fields kept.',
  'RECORDS.bounds': 'A record or a line that is too large, or no file at all, is refused and never waited for.',
  'RECORDS.places':
    'Nothing in a folder of records is reached through a link or waited for: what is no regular file is refused or replaced.',
  'RECORDS.copy':
    'Records go into a store of Baton and back, byte for byte, and go on where they were acknowledged meanwhile.',
  'RECORDS.copy-left': 'What one side cannot hold or read is named with its reason, and keeps no other away.',
  'RECORDS.look':
    'A folder of records can be listed, shown, checked and put in order from the command line and the library.',
});
