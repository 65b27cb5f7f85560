import type { Benchmark } from './frame.ts';
import { measureDecode } from './plan-decode.ts';
import { measurePlanGrowth } from './plan-growth.ts';

/** What the plan-files protocol costs. */
export const plan: Benchmark = {
  name: 'plan',
  what: 'reading and updating a plan of 1,000 tasks, over one of 10, and decoding a message of it',
  run: async () => [...(await measurePlanGrowth()), ...measureDecode()],
};
