import { afterEach } from 'vitest';
import { cleanUpAfterTest } from './after-each-test.ts';

// Run anew for each test file, whose tests alone hear it.
afterEach(cleanUpAfterTest);
