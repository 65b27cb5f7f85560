import { readFileSync } from 'node:fs';
import { join, matchesGlob } from 'node:path';
import { expect } from 'vitest';
import { HandoffStore } from '../../packages/batonpass/src/records.ts';
import config from '../../vitest.config.ts';
import { newPlace, openOn } from '../operations/store-stage.ts';
import { listCitedIds } from '../requirements/gate.ts';
import { source2 } from '../requirements/source-2.ts';
import { root } from '../tidy/source-files.ts';
import { verifies } from '../verifies.ts';

const path = 'test/handoff-store.test.ts';

verifies(
  ['HND-05.artifact.tests', 'HND-05.success.suite', 'HND-05.verification.tests'],
  'every test case of the source has a test in the file that the source names, and the runner finds it',
  () => {
    const text = readFileSync(join(root, path), 'utf8');
    const cases = Object.keys(source2).filter((id) => id.startsWith('HND-05.case.'));
    expect(listCitedIds(path, text)).toEqual(expect.arrayContaining(cases));
    expect(text.match(/^verifies\(/gm)?.length).toBeGreaterThanOrEqual(20);
    expect(config.test?.include?.some((pattern) => matchesGlob(path, pattern))).toBe(true);
  },
);

verifies(
  ['HND-05.verification.suite', 'HND-05.verification.compiles'],
  'one command runs the whole suite and the compiler over it',
  () => {
    const { scripts } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as {
      scripts: Record<string, string>;
    };
    expect(scripts.test).toMatch(/\bnpm run check\b.*\bvitest run$/);
    expect(scripts.check).toMatch(/\btsc --noEmit\b/);
    const { include } = JSON.parse(readFileSync(join(root, 'tsconfig.json'), 'utf8')) as { include: string[] };
    for (const each of [path, 'packages/batonpass/src/handoff-store/handoff-store.ts']) {
      expect(include.some((pattern) => each.startsWith(pattern.replace(/\/?\*.*$/, '')))).toBe(true);
    }
  },
);

verifies(
  ['HND-05.held.scope-unscoped-operations'],
  'the operations leave out what has no scope, unless asked, and count it; the store of records does not',
  async () => {
    const { folder, file } = newPlace();
    const baton = await openOn(file);
    const store = new HandoffStore(folder);
    const snapshot = { decision_ids: [], warning_ids: [], finding_ids: [], summaries: [] };
    for (const given of [{ scope: 'src/auth' }, { scope: 'docs' }, {}]) {
      await baton.run('handoff.create', { content: { source_agent: 'a', summary: 'x', ...given } });
      await store.create({ source_agent: 'a', summary: 'x', results: [], context_snapshot: snapshot, ...given });
    }
    const scope = 'src';
    expect(await store.list({ scope })).toHaveLength(2);
    const listed = await baton.run('handoff.list', { scope });
    expect([listed.handoffs.length, listed.unscoped_left_out]).toEqual([1, 1]);
    const all = await baton.run('handoff.list', { scope, include_unscoped: true });
    expect([all.handoffs.length, all.unscoped_left_out]).toEqual([2, 0]);
    const claimed = await baton.run('handoff.claim', { scope });
    expect([claimed.handoff?.content.scope, claimed.unscoped_left_out]).toEqual(['src/auth', 1]);
    const unscoped = await baton.run('handoff.claim', { scope, include_unscoped: true });
    expect([unscoped.handoff?.content.scope, unscoped.unscoped_left_out]).toEqual([undefined, 0]);
  },
);
