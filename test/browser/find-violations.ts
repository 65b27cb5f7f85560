import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type * as axe from 'axe-core';
import type { Page } from 'playwright-core';
import { root } from '../tidy/source-files.ts';

const script = readFileSync(join(root, 'node_modules/axe-core/axe.min.js'), 'utf8');

/** What a page has once the script ran in it. */
interface PageWithAxe {
  axe?: Pick<typeof axe, 'run'>;
}

/**
 * What axe finds on a page in its present state, each with its elements. The page's context needs `bypassCSP: true`, since axe
 * inserts its own styles to measure colours. A page keeps the script, and reports nothing but violations: the package
 * `@axe-core/playwright` inserts it twice for each call and carries half a megabyte of passes over, four times as long.
 */
export async function findViolations(page: Page): Promise<string[]> {
  if (!(await page.evaluate(() => 'axe' in globalThis))) await page.evaluate(script);
  return page.evaluate(async () => {
    const { axe } = globalThis as PageWithAxe;
    if (axe === undefined) throw new Error('The page was left meanwhile.');
    // No style sheet is loaded again.
    const { violations } = await axe.run({ preload: false, resultTypes: ['violations'] });
    return violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join(' ')}`);
  });
}
