import { declare } from './declare.ts';

/** How much of many handoffs an answer tells. */
export const answersInShort = declare('issue “The queue at full strength”, answers of bounded size', 'queue', {
  'SHORT.status':
    'Where things stand is counted whole and told in short: a few handoffs of each kind, without contents.',
  'SHORT.lines': 'An MCP tool gives no more lines than fit a host’s limit, whatever is asked, and a cursor goes on.',
  'SHORT.drift': 'Of several handoffs, an MCP tool tells the files that changed and counts the rest.',
});
