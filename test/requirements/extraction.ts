import { declare } from './declare.ts';

/** The extraction by rules: what it finds in a dialogue, how long a dialogue may be, and how results are merged. */
export const extraction = declare('issue, extraction by rules', 'extraction', {
  'RULES.canonical': 'An item is one self-contained statement; the exact words are kept with it as evidence.',
  'RULES.support': 'What a short acceptance accepts is kept with its own quote, into the record.',
  'RULES.selection': 'Numbers, letters and "the former" choose from the proposals before, and "skip 3" leaves one out.',
  'RULES.refusal':
    'An offer that was refused, or accepted and then refused, is no decision to do it: the question and the answer are kept word for word, in seven languages; an acceptance in five of them likewise.',
  'RULES.short-answer': 'A short answer is a decision together with the question that it answers.',
  'RULES.changed-acceptance': 'A proposal that is accepted with a change is recorded as changed.',
  'RULES.scope': '"Not now" to an offer or a question leaves out what it named.',
  'RULES.requirements': 'Each entry of a list of requirements is a decision, and each exclusion one of scope.',
  'RULES.latest-wins':
    'Of two choices in similar words the later one applies and names the earlier one where they differ.',
  'RULES.objection': 'What the assistant states and the user objects to is not implied.',
  'RULES.german': 'Orders, acceptances and risks in German are read as well.',
  'RULES.abstain': 'Small talk, debugging, explanations, commands and licences decide nothing.',
  'RULES.risk-left': 'A concern is dropped once it is remedied or its approach is abandoned.',
  'RULES.relevance': 'A changed file has high relevance, one near the work or only read medium, one only named low.',
  'RULES.dead-ends': 'An abandoned attempt is found in prose too, with its outcome.',
  'RULES.next-steps': 'A list under "Next steps:" is read whether that is a heading or a line, the last one only.',
  'RULES.summary':
    'The summary is two or three sentences on the whole: what was asked, what was settled, what is next.',
  'RULES.any-length': 'A conversation of any length is read whole; memory grows with what is found.',
  'RULES.least-first': 'Where a list is full, the least important and oldest are left out, never the newest.',
  'RULES.merge':
    'Extractions of one conversation merge: equal statements appear once, the one with more confidence and the later of two.',
  'RULES.merge-people': 'What a person pinned, edited or removed is never overruled or repeated by an extraction.',
  'RULES.import-again':
    'A conversation that is imported again goes into its draft, or into a new one that replaces what is open; nothing appears twice.',
  'RULES.save-keeps': 'A person’s additions to and removals from a saved session stay in its later saves.',
  'RULES.measured-model':
    'The evaluation asks the configured model, shows each item with --verbose, and fails where it fails.',
  'RULES.measured': 'On the labelled conversations of the tests the extraction reaches its goals.',
});
