import { it } from 'vitest';
import type { RequirementId } from './requirements.ts';

/**
 * A test that proves requirements: `verifies(['LIFE.lapse'], 'sentence of behaviour', body)`.
 * `test/requirements.test.ts` reads these calls and fails on unknown and on uncited ids.
 */
export function verifies(
  ids: readonly RequirementId[],
  name: string,
  body: () => Promise<void> | void,
  timeout?: number,
) {
  it(`${name} [${ids.join(', ')}]`, body, timeout);
}
