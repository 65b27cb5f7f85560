import { declare } from './declare.ts';

/** What a first-time user of the command sees. */
export const firstMinutes = declare('issue “The queue at full strength”, the first minutes of a user', 'queue', {
  'FIRST.words':
    'A wrong word is answered in the terms of its command: what is missing or wrong, and where the help is.',
  'FIRST.meant': 'A word that other tools use leads to the command that does it here.',
  'FIRST.reference':
    'A reference by the beginning of an id is refused with a hint that the end of the id names a handoff.',
  'FIRST.completion': 'Completion offers every command with its own options, also commands that are not operations.',
  'FIRST.other-hosts': 'Registering Baton prints how to register it with hosts other than Claude Code.',
  'FIRST.narrow': 'On a narrow terminal the next steps stay within the width, each command on one line.',
  'FIRST.store': 'A mistyped store path is reported, and no store is created.',
  'FIRST.read-only':
    'A store on a read-only disk can be listed, shown, checked and backed up, and reports that it is read-only.',
  'FIRST.path': 'A PATH folder that may not be read hides nothing else of a diagnosis.',
});
