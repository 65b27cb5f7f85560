import { declare } from './declare.ts';

/** Baton's own: how TOON is read and written, and how messages of the plan-files protocol are answered. */
export const toon = {
  ...declare('Baton: TOON', 'plan-files', {
    'TOON.round-trip': 'Any JSON value that is written is read back as the same value.',
    'TOON.strict-first': 'A text in the strict form is read as the official decoder reads it, without repairs.',
    'TOON.dialect': 'Each form of the dialect is read as it is meant, with its repairs by line.',
    'TOON.refusals': 'A text without a clear meaning is refused with line and column.',
    'TOON.names': 'Names as __proto__ and constructor are members like any other, and change nothing else.',
    'TOON.bounded-time': 'Hostile texts within the bounds are read or refused in time.',
    'TOON.mutated': 'Mutated messages are read or refused with a typed error, and are never half understood.',
  }),
  ...declare('Baton: plan messages', 'plan-files', {
    'PLAN.correspondence': 'An answer goes to the sender even of a message that cannot be read.',
    'PLAN.contradiction': 'A message that gives one value in two ways is refused.',
    'PLAN.mutated-messages':
      'Mutated messages are answered by a message that the strict decoder reads; an error writes nothing.',
    'PLAN.json': 'The same messages are read and written as JSON.',
    'PLAN.show': 'A plan is shown with a bar for each phase, on narrow terminals too, and colours on terminals only.',
    'PLAN.watch': 'A watched plan is shown again when it changes, until the command is stopped.',
    'PLAN.list': 'The plans of a project are listed with their progress.',
    'PLAN.command': 'The commands of plans take names and flags, or a message on standard input.',
    'PLAN.exit': 'A failed message ends the command with a code that is not zero.',
  }),
} as const;
