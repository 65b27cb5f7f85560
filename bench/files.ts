import { measureFileStore } from './file-store.ts';
import type { Benchmark } from './frame.ts';
import { measureFrontMatter } from './front-matter.ts';

/** What handoffs in files cost. */
export const files: Benchmark = {
  name: 'files',
  what: 'reading 10,000 front-matter files, over gray-matter; the store of JSON records as it grows',
  run: async () => [...measureFrontMatter(), ...(await measureFileStore())],
};
