import { declare } from './declare.ts';

/** The write-ahead log, where the store writes into it beside SQLite. */
export const queueLog = declare('issue “The queue at full strength”, the log', 'queue', {
  'LOG.room':
    'A log that many commits lengthen is given room ahead, in a few large pieces, up to where it is begun anew.',
  'LOG.room-lock': 'Room is made while this process holds the write lock, and at no other moment.',
  'LOG.room-kept': 'What was acknowledged in a log with room, by several writers, is there after a crash.',
  'LOG.room-full': 'Where the disk takes no room ahead, the log is left as it was, and every call goes on.',
  'LOG.room-handle': 'The handle on the log drops no lock of SQLite, and makes no log that is gone.',
});
