import { declare } from './declare.ts';

/** What the commands that maintain a store guarantee. */
export const queueStoreCommands = {
  ...declare('issue “Queue”, store commands', 'queue', {
    'STORECMD.check':
      'A check names what is wrong with file, contents, history, payloads and leases, and changes nothing.',
    'STORECMD.backup':
      'A backup made under load is sound, private and a prefix of the history; it never overwrites unasked.',
    'STORECMD.restore':
      'A restore replaces everything at once, with the store open elsewhere, and keeps the previous contents.',
    'STORECMD.told-again':
      'Numbers in the history and fences never decrease: what differs after a restore is sent again.',
    'STORECMD.damaged': 'A damaged store is restored too, and the rest of it is kept.',
    'STORECMD.prune': 'Old finished handoffs are archived, read back and compared there, and only then removed.',
    'STORECMD.retention': 'The retention is a setting, by age and state; nothing is pruned automatically.',
    'STORECMD.migrate': 'A migration reports its versions, and the backup that was made before it.',
    'STORECMD.backup-first': 'No database is migrated before a backup is synced; if it fails, nothing is changed.',
    'STORECMD.copy': 'An interrupted copy continues, is verified in the target, and lists conflicts.',
    'STORECMD.copy-live': 'A copy between stores in use includes changes made meanwhile and loses nothing.',
    'STORECMD.progress': 'Long commands report their progress, and stop on request.',
    'STORECMD.frame': 'Commands of two words have help, completion, examples and JSON like all others.',
    'STORECMD.words': 'Every refusal says what to do next, shows no password, and loses nothing.',
  }),
  ...declare('reliability-security R15, R17', 'queue', {
    'STORECMD.kill': 'Killed at any moment, no store command loses anything, and the same command completes.',
    'STORECMD.migration-kill': 'A database opens again after a crash at every step of its migration.',
    'STORECMD.load': 'Copies made while other processes write each open and are a prefix.',
  }),
};
