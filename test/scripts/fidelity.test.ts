import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { describe, expect } from 'vitest';
import type { SessionFidelity } from '../../scripts/fidelity.ts';
import { compareSides } from '../../scripts/paired-bootstrap.ts';
import { verifies } from '../verifies.ts';

const script = join(import.meta.dirname, '../../scripts/eval-handoff.ts');
const facts = join(import.meta.dirname, '__fixtures__/facts');

/** What the reference program printed of the base lines of these sessions, which are in Chinese, German, Korean, English. */
const reference = {
  recall: {
    'tail@40': 0.3333,
    'head+tail@40': 0.4545,
    'words+end@40': 0.3939,
    'tail@100': 0.5152,
    'head+tail@100': 0.8182,
    'words+end@100': 0.7273,
    'tail@300': 0.5152,
    'head+tail@300': 0.8182,
    'words+end@300': 0.7273,
    'tail@800': 0.8182,
    'head+tail@800': 0.8182,
    'words+end@800': 0.7273,
  },
  stale: {
    'tail@40': [1, 5],
    'head+tail@40': [1, 5],
    'words+end@40': [0, 5],
    'tail@100': [2, 5],
    'head+tail@100': [1, 5],
    'words+end@100': [0, 5],
    'tail@300': [2, 5],
    'head+tail@300': [2, 5],
    'words+end@300': [0, 5],
    'tail@800': [2, 5],
    'head+tail@800': [2, 5],
    'words+end@800': [0, 5],
  },
};

function evaluate(...words: string[]) {
  const { status, stdout, stderr } = spawnSync(process.execPath, [script, ...words], { encoding: 'utf8' });
  return { status, stdout, stderr };
}

describe('what share of the facts arrives', () => {
  verifies(['FIDELITY.reference'], 'is measured as by the reference program, in any script', () => {
    const { stdout } = evaluate(facts, '--budgets', '40,100,300,800', '--json');
    const ours = JSON.parse(stdout);
    expect(ours).toMatchObject(reference);
    expect(ours.recall['baton@800']).toBeGreaterThan(0.5);
  });

  verifies(['FIDELITY.groups'], 'is reported for the sealed sessions apart', () => {
    const { stdout } = evaluate(facts, '--budgets', '800', '--only', 'zh,de,md', '--sealed', 'zh', '--json');
    const { groups } = JSON.parse(stdout);
    expect(groups).toMatchObject([
      { name: 'all', sessions: ['de', 'md', 'zh'] },
      { name: 'developed', sessions: ['de', 'md'] },
      { name: 'sealed', sessions: ['zh'], budgets: [{ over_best: { value: expect.any(Number) } }] },
    ]);
  });

  verifies(['FIDELITY.groups'], 'has an interval that holds the difference, and is none for equal sides', () => {
    const found = (weight: number) => ({
      weight,
      weight_max: 10,
      stale: 0,
      stale_max: 0,
      characters: 0,
      kinds: {},
    });
    const sessions = [1, 2, 3, 4, 5, 6].map((extra): SessionFidelity => {
      const sides = { baton: found(2 + extra), tail: found(2), 'head+tail': found(2), 'words+end': found(2) };
      const precision: SessionFidelity['precision'] = { decisions: [0, 0], next_steps: [0, 0], risks: [0, 0] };
      return { id: String(extra), recovered: new Map([[500, sides]]), precision };
    });
    const { value, low, high } = compareSides(sessions, 500, ['baton', 'tail']);
    expect(value).toBeCloseTo(0.35);
    expect(low).toBeGreaterThan(0.15);
    expect(low).toBeLessThan(0.25);
    expect(high).toBeGreaterThan(0.45);
    expect(high).toBeLessThan(0.55);
    expect(compareSides(sessions, 500, ['tail', 'words+end'])).toEqual({ value: 0, low: 0, high: 0 });
  });

  verifies(['FIDELITY.real-path'], 'is measured for what the next session gets from the hooks, too', () => {
    const { stdout, stderr } = evaluate(facts, '--budgets', '800', '--only', 'zh,md', '--hooks', '--json');
    const { groups } = JSON.parse(stdout);
    expect(stderr).toBe('');
    // Only Claude Code has hooks; 10,000 characters are the most that one may give.
    expect(groups.at(-1)).toMatchObject({ name: 'injected by hooks', sessions: ['zh'], budgets: [{ budget: 2_500 }] });
    const { recall, characters } = groups.at(-1).budgets[0].sides.baton;
    expect(recall).toBeGreaterThan(0.3);
    expect(characters).toBeLessThanOrEqual(10_000);
  });

  verifies(['FIDELITY.reference'], 'asks for a folder', () => {
    const { status, stderr } = evaluate();
    expect(status).toBe(2);
    expect(stderr).toContain('npm run eval:handoff -- DIR');
  });
});
