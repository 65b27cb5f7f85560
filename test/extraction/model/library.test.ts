import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect } from 'vitest';
import { extractHandoff } from '../../../packages/batonpass/src/index.ts';
import { listSources, root } from '../../tidy/source-files.ts';
import { verifies } from '../../verifies.ts';
import { answers } from './model-server.ts';
import { key, serve } from './stage.ts';

const run = promisify(execFile);
const entry = JSON.stringify(join(root, 'packages/batonpass/src/index.ts'));

/** Runs a program in a separate process, on a machine without the packages of models where asked. */
async function runProgram(program: string, { library }: { library: boolean }): Promise<unknown> {
  const hooks = library ? [] : ['--import', join(import.meta.dirname, 'without-library.mjs')];
  const { stdout } = await run(process.execPath, [...hooks, '--input-type=module', '--eval', program], { cwd: root });
  return JSON.parse(stdout);
}

verifies(
  ['BR.held.no-model-library'],
  'without the model library the package loads, extracts by rules, and a model request says what to install',
  async () => {
    const answer = await runProgram(
      `import { extractHandoff } from ${entry};
      const messages = [{ role: 'user', content: 'Use SQLite in src/queue.ts.' }];
      const signal = new AbortController().signal;
      const byRules = await extractHandoff(messages, signal, { environment: {} });
      const environment = { ANTHROPIC_API_KEY: ${JSON.stringify(key)} };
      const { code, message, alternatives } = await extractHandoff(messages, signal, { environment }).catch((error) => error);
      console.log(JSON.stringify({ files: byRules.filesReferenced.map(({ path }) => path), code, message, alternatives }));`,
      { library: false },
    );
    expect(answer).toEqual({
      files: ['src/queue.ts'],
      code: 'unavailable',
      message: 'A model is to extract, but the package ai is not installed.',
      alternatives: expect.arrayContaining(['Install it beside batonpass: npm install ai @ai-sdk/anthropic']),
    });
  },
);

verifies(['BR.held.no-model-library'], 'loading the package loads no model library', async () => {
  const loaded = await runProgram(
    `import { registerHooks } from 'node:module';
    const loaded = [];
    registerHooks({ load(url, context, next) { loaded.push(url); return next(url, context); } });
    await import(${entry});
    console.log(JSON.stringify(loaded.filter((url) => /node_modules\\/(?:ai|@ai-sdk)\\//.test(url))));`,
    { library: true },
  );
  expect(loaded).toEqual([]);
});

verifies(
  ['MODEL.choice'],
  'with nothing but Anthropic’s key a default model is asked, at the library’s address',
  async () => {
    const server = await serve(answers({ summary: 'Read.' }));
    const answer = await runProgram(
      `process.env.ANTHROPIC_API_KEY = ${JSON.stringify(key)};
    process.env.ANTHROPIC_BASE_URL = ${JSON.stringify(server.url)};
    const { extractHandoff } = await import(${entry});
    const { summary, report } = await extractHandoff([{ role: 'user', content: 'Use SQLite.' }]);
    console.log(JSON.stringify({ summary, model: report.model.model }));`,
      { library: true },
    );
    const name = server.requests[0]?.body.model ?? '';
    expect(answer).toEqual({ summary: 'Read.', model: name });
    // It will age, and is defined in one place.
    const naming = listSources('packages/batonpass/src').filter((path) =>
      readFileSync(join(root, path), 'utf8').includes(name),
    );
    expect(naming).toEqual(['packages/batonpass/src/extraction/model/choose-model.ts']);
    expect(server.requests[0]?.headers['x-api-key']).toBe(key);
  },
);

verifies(['MODEL.handoff'], 'parts of a message that are no text count for nothing', async () => {
  const parts = [
    null,
    'loose',
    7,
    { type: 'image', text: 'src/no.ts' },
    { type: 'text', text: 'Use SQLite in src/queue.ts.' },
  ];
  const signal = new AbortController().signal;
  const { filesReferenced } = await extractHandoff([{ role: 'user', content: parts }], signal, { environment: {} });
  expect(filesReferenced.map(({ path }) => path)).toEqual(['src/queue.ts']);
});
