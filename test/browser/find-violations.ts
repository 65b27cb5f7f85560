import { AxeBuilder } from '@axe-core/playwright';
import type { Page } from 'playwright-core';

/**
 * What axe finds on a page in its present state, each with its elements. The page's context needs `bypassCSP: true`, since axe
 * inserts its own styles to measure colours.
 */
export async function findViolations(page: Page): Promise<string[]> {
  // Pages without frames need no second page to merge results, and no style sheet loaded again.
  const builder = new AxeBuilder({ page }).setLegacyMode(true).options({ preload: false });
  const { violations } = await builder.analyze();
  return violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join(' ')}`);
}
