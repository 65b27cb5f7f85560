import { declare } from './declare.ts';

/** The measure of what a handoff is worth: the share of what the next agent needs that arrives. */
export const fidelity = declare('issue, what arrives', 'extraction', {
  'FIDELITY.reference': 'The measure gives the figures of the reference program to the digit, for texts in any script.',
  'FIDELITY.real-path': 'What the next session’s start injects after the hooks of a session ran is measured too.',
  'FIDELITY.bad-input':
    'A session of one message, of tool calls alone, or of a robot gives a handoff that fits its budget.',
  'FIDELITY.others':
    'What the person introduces or reports as the words of somebody else is no decision, instruction, next step, risk or title.',
  'FIDELITY.plans':
    'A plan that the person approved is a decision with its steps; one that was rejected is quoted as such.',
  'FIDELITY.pasted': 'An order inside pasted text is never a decision, an instruction, a next step or a title.',
  'FIDELITY.orders':
    'A standing order of the person is kept word for word, in any of seven languages; no other replaces it.',
  'FIDELITY.withdrawn':
    'An order that later words of the person end, or whose subject they reject, is told with these words.',
  'FIDELITY.title':
    'A title is the name that the session was given, else the goal in at most ten words, in any language; never a heading, a path, an address, a log line or a greeting.',
  'FIDELITY.final':
    'What a later sentence repeats with another number or name is left out, and files that were removed, moved or committed are not reported as changed.',
  'FIDELITY.checks':
    'A claim that a check passed is compared with the last run of the checks that it names; a pipe behind a check hides its result.',
  'FIDELITY.groups': 'Sessions kept sealed are reported apart, with an interval over sessions.',
});
