import { declare } from './declare.ts';

/** What the studio's shell, inbox and handoff pages promise. */
export const studio = declare('issue 10', 'studio', {
  'STUDIO.served':
    'The server answers each screen’s address with the studio under its strict policy, and its parts for good.',
  'STUDIO.not-built': 'Where no studio was built the reference answers in its place, and says what to do.',
  'STUDIO.inbox': 'The inbox lists handoffs by state, with counts, newest first.',
  'STUDIO.live': 'What another process does shows at once, and no row moves under the cursor.',
  'STUDIO.address': 'Tab, filter and handoff stand in the address: a reload and "Back" show the same.',
  'STUDIO.undo-last':
    'One key takes back what was done last, on whichever screen that was, changes of a draft among it.',
  'STUDIO.undo': 'Withdrawing shows at once and is undone by a key; a refused step is put back and said.',
  'STUDIO.answer': 'A question of an agent is answered where it is read.',
  'STUDIO.detail': 'A handoff shows its content, the exact text of its receiver, its history and its record.',
  'STUDIO.reconnect': 'A lost server is said, and the studio goes on where it was when it is back.',
  'STUDIO.many': 'Of ten thousand handoffs the page holds no more rows than are in sight.',
  'STUDIO.keys': 'Every key stands in one help, which also finds commands; single letters can be switched off.',
  'STUDIO.fast-keys':
    'A key means what is seen when it is pressed, however fast it follows and however slow the machine.',
  'STUDIO.theme': 'Light, dark or the system’s colours are a choice that is kept.',
  'STUDIO.accessible':
    'No screen has a violation that axe finds, in either theme and at 320 pixels, and none is cut off.',
  'STUDIO.hostile': 'Hostile titles are text: no dialog, no request elsewhere, hidden characters made visible.',
  'STUDIO.size': 'The first view loads at most 110 KB of JavaScript and 12 KB of styles, compressed.',
});
