import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'vitest';
import { measureStudio } from '../../bench/studio.ts';
import { studioTargets } from '../../bench/targets.ts';
import { launchChromium } from '../browser/chromium.ts';
import { verifies } from '../verifies.ts';

verifies(
  ['STUDIO.bench'],
  'the benchmark finds each of its figures, and what does not depend on the machine holds',
  async () => {
    const folder = mkdtempSync(join(tmpdir(), 'baton-studio-'));
    const browser = await launchChromium();
    try {
      const sizes = { rows: 400, review_items: 20, rounds: 1, keys: 4 };
      const metrics = await measureStudio(browser, join(folder, 'queue.db'), sizes);
      const { start: _start, ...targets } = studioTargets;
      expect(metrics.map(({ name }) => name)).toEqual(Object.values(targets).map(({ name }) => name));
      for (const { name, value } of metrics) expect([name, value > 0]).toEqual([name, true]);
      for (const { name, floor } of [targets.javascript, targets.styles, targets.nodes]) {
        expect(metrics.find((metric) => metric.name === name)?.value).toBeLessThanOrEqual(floor);
      }
    } finally {
      await browser.close();
      rmSync(folder, { recursive: true, force: true });
    }
  },
);
