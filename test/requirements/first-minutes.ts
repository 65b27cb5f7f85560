import { declare } from './declare.ts';

/** What somebody meets who has never used the command. */
export const firstMinutes = declare('issue “The queue at full strength”, the first minutes of a user', 'queue', {
  'FIRST.words':
    'A wrong word is answered in the words of its command: what is absent or wrong, and where it is told how.',
  'FIRST.meant': 'A word that other tools use leads to the command that does it here.',
  'FIRST.reference': 'Who names a handoff by the beginning of its id is told that its end names it.',
  'FIRST.completion': 'Completion offers every command with its own options, also those that are no operations.',
  'FIRST.other-hosts': 'Who registers Baton is told how hosts besides Claude Code are told of it.',
  'FIRST.narrow': 'On a narrow terminal what to do next keeps within the width, each command on one line.',
  'FIRST.store': 'Who mistypes the store to look into is told so, and makes none.',
  'FIRST.read-only':
    'A store on a read-only disk can be listed, shown, checked and backed up, and says that it is read-only.',
  'FIRST.path': 'A folder of the PATH that may not be looked into hides nothing else of a diagnosis.',
});
