import { declare } from './declare.ts';

/** What a session hands on from the handoffs that it was given. */
export const carryOn = declare('field 3.1, 9; docs/hosts.md', 'hosts', {
  'CARRY.order': 'A session’s own results come before what it was given, newest first; a budget cuts the oldest.',
  'CARRY.lasting':
    'Standing instructions and findings about the environment apply in every later session; state and conversation stay with their session.',
  'CARRY.best': 'Where not everything fits, agreed decisions, severe risks and relevant files are kept first.',
  'CARRY.bounds': 'Each session can be saved, for any length of chain and any size of contents.',
  'CARRY.revoked': 'A decision that a later session reverses is not handed on again.',
  'CARRY.several': 'A session that was given several handoffs hands on all of them.',
  'CARRY.nothing-lost': 'A session that only read hands on every item that it was given.',
  'CARRY.fading':
    'An item that rules found and nobody confirmed or touched is handed on twice, and not a third time; what a person worded stays.',
  'CARRY.evidence': 'A quote is never attributed to the conversation that only carries it.',
  'EXTRACT.artifacts': 'Written files beyond what a list can hold are counted.',
  'EXTRACT.bounded': 'Of an oversized conversation the newest part is read, and what was left out is counted.',
});
