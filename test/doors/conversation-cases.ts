import { join } from 'node:path';
import type { Case } from './catalogue-cases.ts';

/** A brainstorm that is also an example. */
export const transcript = join(import.meta.dirname, '../../examples/sessions/brainstorm.json');

/** What is asked about conversations, and keeps nothing. */
export const conversationCases: {
  [Name in 'conversation.list' | 'conversation.read' | 'conversation.extract']: Case<Name>;
} = {
  'conversation.list': {
    input: () => ({ limit: 5 }),
    words: () => ['sessions', '--limit', '5'],
    wrong: { input: { limit: 0 }, words: ['sessions', '--limit', '0'], code: 'invalid_input' },
  },
  'conversation.read': {
    input: () => ({ path: transcript }),
    words: () => ['read', transcript],
    wrong: {
      input: { path: '/nowhere/at/all.jsonl' },
      words: ['read', '/nowhere/at/all.jsonl'],
      code: 'file_not_found',
    },
  },
  'conversation.extract': {
    input: () => ({ path: transcript }),
    words: () => ['extract', transcript],
    wrong: {
      input: { path: '/nowhere/at/all.jsonl' },
      words: ['extract', '/nowhere/at/all.jsonl'],
      code: 'file_not_found',
    },
  },
};
