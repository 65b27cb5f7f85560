import { availableParallelism } from 'node:os';
import { defineConfig } from 'vitest/config';
import { LongestFirst } from './test/longest-first.ts';
import { slimForks } from './test/slim-workers.ts';

export default defineConfig({
  test: {
    include: ['test/**/*.{test,spec}.{ts,tsx}'],
    setupFiles: ['test/setup.ts'],
    globalSetup: ['test/build-once.ts', 'test/memory-folder.ts', 'test/compile-once.ts'],
    // By default one core is left idle, which is half of a machine with two.
    maxWorkers: availableParallelism(),
    pool: slimForks,
    // Files share a process, and with it what they import: a test puts back what it changes of its process.
    isolate: false,
    sequence: { sequencer: LongestFirst },
    // What is polled has come by then or never does, however slow the machine is.
    expect: { poll: { timeout: 20_000 } },
    testTimeout: 60_000,
    hookTimeout: 120_000,
  },
});
