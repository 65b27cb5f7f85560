import { afterEach } from 'vitest';
import { cleanUpAfterTest } from './after-each-test.ts';

// Runs for each test file, and applies to its tests alone.
afterEach(cleanUpAfterTest);
