import { declare } from './declare.ts';

/** What `baton doctor` promises, and what a broken hook must never cost. */
export const doctor = {
  ...declare('issue “First hosts”, doctor', 'hosts', {
    'DOCTOR.runs': 'The registered hooks and the server are run for real, as the host runs them, and measured.',
    'DOCTOR.harmless': 'A diagnosis changes nothing of the user’s and leaves nothing behind, file or process.',
    'DOCTOR.words': 'Each finding says what, why and what next; nothing destructive is ever advised.',
    'DOCTOR.bounded': 'A command that hangs is cut off, and the diagnosis goes on.',
    'DOCTOR.unregistered': 'Where nothing is registered, the first step is to register it; outside git too.',
    'DOCTOR.registration': 'What is missing, doubled, switched off or unreadable in the host’s settings is named.',
    'DOCTOR.command': 'What the registered command is, its version, its Node, and others of its name are named.',
    'DOCTOR.server': 'A server that prints noise, refuses, or stays when its client has gone is named.',
    'DOCTOR.store': 'A store that is damaged, foreign, readable by others or without room is named.',
    'DOCTOR.log': 'What hooks failed at before, and what they left undone, is named.',
    'DOCTOR.host': 'A host that is older than what was seen to work, and hooks that nobody trusted, are named.',
  }),
  ...declare('issue “Five hosts”, doctor --live', 'hosts', {
    'DOCTOR.live':
      'One turn of each installed host, with its own program, tells whether it takes a handoff and proves it.',
    'DOCTOR.live-apart': 'Such a turn has an account, settings and sessions of nobody’s, and leaves nothing behind.',
  }),
  ...declare('issue “First hosts”, eight ways to break a hook', 'hosts', {
    'BREAK.event-name': 'An answer without the event’s name costs no handoff, and is named.',
    'BREAK.json': 'An answer that is no JSON costs no handoff, and is named.',
    'BREAK.timeout': 'A hook that is cut off costs no handoff, and is named.',
    'BREAK.length': 'A text that is too long costs no handoff, and is named.',
    'BREAK.registration': 'A hook that is not registered costs no handoff, and is named.',
    'BREAK.path': 'A command that is not on the PATH costs no handoff, and is named.',
    'BREAK.node': 'A Node that is too old costs no handoff, and is named.',
    'BREAK.disk': 'A full disk costs no handoff, and is named.',
  }),
};
