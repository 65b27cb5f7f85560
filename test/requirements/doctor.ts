import { declare } from './declare.ts';

/** What `baton doctor` guarantees, and what a broken hook must never cost. */
export const doctor = {
  ...declare('issue “First hosts”, doctor', 'hosts', {
    'DOCTOR.runs': 'The registered hooks and the server are run for real, as the host runs them, and measured.',
    'DOCTOR.harmless': 'A diagnosis changes nothing that belongs to the user and leaves no file or process behind.',
    'DOCTOR.words': 'Each finding says what, why and what next; nothing destructive is ever advised.',
    'DOCTOR.consent':
      'Of a file that may have come with the project, only what init would write is run, by the user’s own programs.',
    'DOCTOR.bounded': 'A command that hangs is killed, and the diagnosis continues.',
    'DOCTOR.unregistered': 'If nothing is registered, the first step is to register it, outside git too.',
    'DOCTOR.registration': 'What is missing, doubled, switched off or unreadable in the host’s settings is named.',
    'DOCTOR.command': 'What the registered command is, its version, its Node, and others of its name are named.',
    'DOCTOR.server': 'A server that prints noise, refuses, or stays when its client has disconnected is named.',
    'DOCTOR.store': 'A store that is damaged, foreign, readable by others or without disk space is named.',
    'DOCTOR.log': 'Earlier failures of hooks, and unfinished work of theirs, are named.',
    'DOCTOR.host': 'A host that is older than the tested version, and hooks that nobody trusted, are named.',
  }),
  ...declare('issue “Five hosts”, doctor --live', 'hosts', {
    'DOCTOR.live':
      'One turn of each installed host, with its own program, shows whether it receives a handoff and proves the injection.',
    'DOCTOR.live-apart': 'Such a turn uses nobody’s account, settings or sessions, and leaves nothing behind.',
  }),
  ...declare('issue “First hosts”, eight ways to break a hook', 'hosts', {
    'BREAK.event-name': 'An answer without the event’s name costs no handoff, and is named.',
    'BREAK.json': 'An answer that is not JSON costs no handoff, and is named.',
    'BREAK.timeout': 'A hook that is killed by a timeout costs no handoff, and is named.',
    'BREAK.length': 'A text that is too long costs no handoff, and is named.',
    'BREAK.registration': 'A hook that is not registered costs no handoff, and is named.',
    'BREAK.path': 'A command that is not on the PATH costs no handoff, and is named.',
    'BREAK.node': 'A Node that is too old costs no handoff, and is named.',
    'BREAK.disk': 'A full disk costs no handoff, and is named.',
  }),
};
