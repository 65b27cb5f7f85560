import { spawnSync } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished } from 'vitest';
import { question } from '../../packages/batonpass/src/written/question.ts';
import { verifies } from '../verifies.ts';

const script = join(import.meta.dirname, '../../scripts/eval-handoff.ts');
const facts = join(import.meta.dirname, '__fixtures__/facts');

function evaluate(...words: string[]) {
  return spawnSync(process.execPath, [script, facts, ...words], { encoding: 'utf8' });
}

verifies(['WRITTEN.measured'], 'each session is written after the question, and an answer is measured', () => {
  const folder = mkdtempSync(join(tmpdir(), 'baton-asked-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  expect(evaluate('--ask', folder).status).toBe(0);
  const files = readdirSync(folder);
  expect(files.length).toBeGreaterThan(2);
  for (const file of files) expect(readFileSync(join(folder, file), 'utf8').startsWith(question)).toBe(true);
  const id = files[0]?.replace('.txt', '') ?? '';
  const labels = JSON.parse(readFileSync(join(facts, 'labels', `${id}.json`), 'utf8'));
  const items = labels.facts.map(({ content }: { content: string }) => ({ kind: 'next', text: content }));
  writeFileSync(join(folder, `${id}.json`), JSON.stringify({ items }));
  const measured = JSON.parse(evaluate('--written', folder, '--json', '--budgets', '2000').stdout);
  expect(measured.sessions).toBe(1);
  expect(measured.recall['baton@2000']).toBe(1);
});
