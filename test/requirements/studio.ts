import { declare } from './declare.ts';

/** What the studio's shell, inbox and handoff pages guarantee. */
export const studio = declare('issue 10', 'studio', {
  'STUDIO.served':
    'The server answers each screen’s address with the studio under its strict policy, and its parts with permanent caching.',
  'STUDIO.not-built': 'Where no studio was built the reference is served instead, and says what to do.',
  'STUDIO.inbox': 'The inbox lists handoffs by state, with counts, newest first.',
  'STUDIO.live': 'A change by another process shows at once, and no row moves under the cursor.',
  'STUDIO.address': 'Tab, filter and handoff are in the address: a reload and "Back" show the same.',
  'STUDIO.undo-last': 'One key undoes the last action, on any screen, changes of a draft included.',
  'STUDIO.undo': 'Withdrawing shows at once and is undone by a key; a refused step is reverted and reported.',
  'STUDIO.answer': 'A question of an agent is answered where it is read.',
  'STUDIO.detail': 'A handoff shows its content, the exact text of its receiver, its history and its record.',
  'STUDIO.reconnect': 'A lost server is reported, and the studio continues where it was when the server is back.',
  'STUDIO.many': 'With ten thousand handoffs the page has no more rows than are visible.',
  'STUDIO.keys': 'Every key is in one help, which also finds commands; single letters can be switched off.',
  'STUDIO.fast-keys': 'A key acts on what is shown when it is pressed, at any speed of typing and on a slow machine.',
  'STUDIO.theme': 'Light, dark or the system’s colours are a choice that is saved.',
  'STUDIO.accessible':
    'No screen has a violation that axe finds, in either theme and at 320 pixels, and none is cut off.',
  'STUDIO.hostile': 'Hostile titles are text: no dialog, no request elsewhere, hidden characters made visible.',
  'STUDIO.size': 'The first view loads at most 110 KB of JavaScript and 12 KB of styles, compressed.',
});
