import { declare } from './declare.ts';

/** What the benchmarks compare, and what is reported about it. */
export const queueBench = declare('issue “The queue at full strength”, benchmarks', 'queue', {
  'BENCH.same-work': 'Both sides of a comparison leave the same number of handoffs in the same states.',
  'BENCH.same-rows': 'The bare loops write the same rows as the store, history included.',
  'BENCH.history': 'A store that is filled for a benchmark is nine tenths history, all of it recorded by events.',
  'BENCH.documented': 'The document on performance names every benchmark and each figure with its bounds, as measured.',
});
