import { declare } from './declare.ts';

/** How much of many handoffs an answer shows. */
export const answersInShort = declare('issue “The queue at full strength”, answers of bounded size', 'queue', {
  'SHORT.status': 'The status counts every handoff and shows only a few of each kind, without contents.',
  'SHORT.lines':
    'An MCP tool returns no more lines than fit a host’s limit, for any input, and a cursor returns the next ones.',
  'SHORT.drift': 'For several handoffs, an MCP tool names the files that changed and counts the rest.',
});
