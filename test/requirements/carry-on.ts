import { declare } from './declare.ts';

/** What a session hands on of what it was given. */
export const carryOn = declare('field 3.1, 9; docs/hosts.md', 'hosts', {
  'CARRY.order': 'What a session came to stands before what it was given, the newest first; a budget cuts the oldest.',
  'CARRY.lasting':
    'Standing instructions and what was found out of the environment hold in every later session; its state and its words are its own.',
  'CARRY.best': 'Of what it was given the agreed, the grave and the relevant are kept where not all is.',
  'CARRY.bounds': 'However long a chain and however large its contents, each session can be saved.',
  'CARRY.revoked': 'A decision that a later session takes back is not handed on again.',
  'CARRY.several': 'A session that was given several handoffs hands on all of them.',
  'CARRY.nothing-lost': 'A session that only looked on hands on every item that it was given.',
  'CARRY.fading':
    'What rules found and nobody confirmed or touched is handed on twice, and not a third time; what a person put into words stays.',
  'CARRY.evidence': 'A quote is never taken for one of the conversation that carries it.',
  'EXTRACT.artifacts': 'Written files beyond what a list can hold are counted.',
  'EXTRACT.bounded': 'Of a conversation without measure the newest part is read, and what was left out is counted.',
});
