import { declare } from './declare.ts';

/** What a command costs before it does anything. */
export const commandLineStart = declare('issue “The queue at full strength”, start of the command', 'queue', {
  'START.version': 'The version is told without loading a command, the store, or what checks input.',
  'START.one': 'A command loads itself, its operation and the store, and nothing of the others.',
  'START.builtin': 'Reading the store loads nothing of Node that starts programs; the version nothing of its database.',
  'START.files': 'A start loads few files of the built command: a claim at most 90.',
});
