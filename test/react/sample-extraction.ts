import type { EvidencedResult } from '../../packages/batonpass/src/extraction/extraction-result.ts';

/** What an extraction of the scripted chat gives: explicit and implied decisions, files and risks, with their quotes. */
export const sampleExtraction: EvidencedResult = {
  decisions: [
    {
      content: 'Use SQLite for the queue, one file beside the repository.',
      confidence: 0.98,
      evidence: { message: 2, quote: "let's go with sqlite, one file, no server" },
    },
    {
      content: 'A lease expires after fifteen minutes unless it is renewed.',
      confidence: 0.92,
      evidence: { message: 4, quote: 'yes, fifteen minutes and a renewal' },
    },
    { content: 'No round trip from planning back to the brainstorm in the first version.', confidence: 0.55 },
    { content: 'Claims are ordered by a number of the store, never by a clock.', confidence: 0.5 },
  ],
  filesReferenced: [
    { path: 'src/queue.ts', relevance: 'high', context: 'Holds the claim statement that has to change.' },
    {
      path: 'docs/queue.md',
      relevance: 'low',
      context: 'Describes the order of claims.',
      evidence: { message: 3, quote: 'docs/queue.md says so too' },
    },
  ],
  risks: [
    {
      description: 'Two writers on a network drive corrupt the database.',
      severity: 'high',
      evidence: { message: 5, quote: 'on a network drive two writers will corrupt it' },
    },
    { description: 'The migration of old records is slow.', severity: 'medium' },
  ],
  summary: 'The queue moves to SQLite with leases. Next: plan the claim statement and the migration.',
};

/** The chat that it was extracted from. */
export const sampleChat: readonly { role: 'user' | 'assistant'; content: string }[] = [
  { role: 'user', content: 'We need a queue that two agents can share. What would you use?' },
  { role: 'assistant', content: 'Postgres is sound, but SQLite would need no server at all.' },
  { role: 'user', content: "Good. Then let's go with sqlite, one file, no server." },
  {
    role: 'assistant',
    content: 'The order of claims comes from the store: docs/queue.md says so too. How long is a lease?',
  },
  { role: 'user', content: 'yes, fifteen minutes and a renewal' },
  { role: 'assistant', content: 'Noted. Take care: on a network drive two writers will corrupt it.' },
];
