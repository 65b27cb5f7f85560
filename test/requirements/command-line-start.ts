import { declare } from './declare.ts';

/** What a command costs before it does anything. */
export const commandLineStart = declare('issue “The queue at full strength”, start of the command', 'queue', {
  'START.version': 'The version is printed without loading a command, the store or the input validation.',
  'START.one': 'A command loads itself, its operation and the store, and none of the other commands.',
  'START.builtin':
    'Reading the store loads no Node module that starts programs; printing the version loads no database module.',
  'START.files': 'A start loads few files of the built command: a claim at most 60.',
});
