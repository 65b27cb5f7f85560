import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect } from 'vitest';
import { verifies } from '../../verifies.ts';
import { answers, type ModelServer, sends, status } from './model-server.ts';
import { serve } from './stage.ts';

const script = join(import.meta.dirname, '../../../scripts/eval-extraction.ts');

let folder: string;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'baton-evaluation-'));
  writeFileSync(join(folder, 'queue.json'), JSON.stringify(labelled));
});

afterEach(() => rmSync(folder, { recursive: true, force: true }));

const labelled = {
  id: 'queue',
  messages: [
    { role: 'user', content: 'Use SQLite for the queue in src/queue.ts.' },
    { role: 'assistant', content: 'I will. One risk: two writers could block each other.' },
  ],
  labels: {
    decisions: [
      {
        content: 'The queue uses SQLite.',
        explicit: true,
        evidence: { message: 0, quote: 'Use SQLite for the queue in src/queue.ts.' },
      },
    ],
    files: [{ path: 'src/queue.ts', relevance: 'high' }],
    risks: [
      {
        description: 'Two writers could block each other.',
        severity: 'medium',
        evidence: { message: 1, quote: 'One risk: two writers could block each other.' },
      },
    ],
    superseded: [],
  },
};

const good = answers({
  decisions: [{ content: 'The queue uses SQLite.', confidence: 1, message: 0, quote: 'Use SQLite for the queue' }],
  filesReferenced: [
    { path: 'src/queue.ts', relevance: 'high', context: 'The queue.', message: 0, quote: 'src/queue.ts' },
  ],
  summary: 'The queue uses SQLite.',
});

/** Runs the evaluation in a separate process, as `npm run eval:extraction` does. */
function evaluate(server: ModelServer, ...words: string[]): Promise<{ code: number; out: string; err: string }> {
  const environment = { BATON_MODEL_BASE_URL: server.url, BATON_MODEL: 'qwen3:14b' };
  const { ANTHROPIC_API_KEY: _none, ...inherited } = process.env;
  return new Promise((resolve) => {
    const options = { env: { ...inherited, ...environment }, timeout: 60_000 };
    execFile(process.execPath, [script, folder, ...words], options, (error, out, err) => {
      resolve({ code: error === null ? 0 : Number(error.code), out, err });
    });
  });
}

verifies(['RULES.measured-model'], 'measures what the model answered, and shows each item and each miss', async () => {
  const server = await serve(good);
  const { code, out, err } = await evaluate(server, '--extractor', 'model', '--verbose');
  expect(err).toBe('');
  expect(code).toBe(0);
  expect(server.requests).toHaveLength(1);
  expect(server.requests[0]?.body.model).toBe('qwen3:14b');
  expect(out).toMatch(/decisions F1\s+1\.000/);
  // The rules would have found the risk: this is the model's figure.
  expect(out).toMatch(/risks F1\s+0\.000/);
  expect(out).toContain('The queue uses SQLite.');
  expect(out).toContain('Two writers could block each other.');
});

verifies(['RULES.measured-model'], 'measures rules and model together', async () => {
  const { code, out } = await evaluate(await serve(good), '--extractor', 'both');
  expect(code).toBe(0);
  expect(out).toMatch(/decisions F1\s+1\.000/);
  expect(out).toMatch(/risks F1\s+1\.000/);
});

verifies(['RULES.measured-model'], 'gives no figure of the rules for one of a model that failed', async () => {
  for (const reply of [status(400), sends('{"choices":[]}')]) {
    const { code, out, err } = await evaluate(await serve(reply), '--extractor', 'model');
    expect(code).not.toBe(0);
    expect(out).not.toContain('decisions F1');
    expect(err).toContain('The rules extracted instead.');
  }
});
