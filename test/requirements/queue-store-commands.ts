import { declare } from './declare.ts';

/** What looking after a store promises. */
export const queueStoreCommands = {
  ...declare('issue “Queue”, store commands', 'queue', {
    'STORECMD.check':
      'A check names what is wrong with file, contents, history, payloads and leases, and changes nothing.',
    'STORECMD.backup':
      'A backup made under load is sound, private and a prefix of the history; it never overwrites by itself.',
    'STORECMD.restore': 'A restore replaces all at once, with the store open elsewhere, and keeps what was there.',
    'STORECMD.told-again':
      'Places in the history and fences never go back: what differs after a restore is told again.',
    'STORECMD.damaged': 'A damaged store is restored too, and what was left of it is kept.',
    'STORECMD.prune': 'What is done and old is archived, read back and compared there, and only then removed.',
    'STORECMD.retention': 'How long it stays is a setting, by age and state; nothing is pruned by itself.',
    'STORECMD.migrate': 'Taking a database over tells from and to, and the backup that was made before it.',
    'STORECMD.backup-first': 'No database is taken over before a backup is synced; where it fails, nothing is changed.',
    'STORECMD.copy': 'A copy goes on where it was broken off, is verified in the target, and names what conflicts.',
    'STORECMD.copy-live': 'A copy between stores in use takes what changed meanwhile and loses nothing.',
    'STORECMD.progress': 'Long commands tell how far they have come, and stop when asked to.',
    'STORECMD.frame': 'Commands of two words have help, completion, examples and JSON as all others.',
    'STORECMD.words': 'Every refusal says what to do next, shows no password, and loses nothing.',
  }),
  ...declare('reliability-security R15, R17', 'queue', {
    'STORECMD.kill': 'Killed at any moment, no store command loses anything, and the same command completes.',
    'STORECMD.migration-kill': 'A database opens again after a crash at every step of its migration.',
    'STORECMD.load': 'Copies made while other processes write each open and are a prefix.',
  }),
};
