import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { isBuiltin } from 'node:module';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { rolldown } from 'rolldown';
import { describe, expect } from 'vitest';
import { installPacked, linkDependencies } from '../packed-package.ts';
import { createFolders } from '../stores/folders.ts';
import { root } from '../tidy/source-files.ts';
import { verifies } from '../verifies.ts';

const run = promisify(execFile);
const createFolder = createFolders();

/** What a program prints that is run in a folder. */
async function print(folder: string, script: string, flags: readonly string[] = []): Promise<unknown> {
  const words = [...flags, '--input-type=module', '--eval', script];
  const { stdout } = await run(process.execPath, words, { cwd: folder });
  return JSON.parse(stdout);
}

/** What of Node an entry of the sources loads, at once or later, its dependencies included. */
async function findNodeImports(entry: string): Promise<string[]> {
  const bundle = await rolldown({
    input: join(root, 'packages/batonpass/src', entry),
    platform: 'browser',
    external: (name) => isBuiltin(name),
    logLevel: 'silent',
  });
  const { output } = await bundle.generate({ format: 'esm' });
  await bundle.close();
  const imports = output.flatMap((part) => (part.type === 'chunk' ? [...part.imports, ...part.dynamicImports] : []));
  return imports.filter((name) => isBuiltin(name)).sort();
}

describe('the entries of the package', () => {
  verifies(
    ['DRAFT.no-node', 'BR.held.synchronous-store'],
    'for browsers and React load nothing of Node, nor does what they depend on; the root does',
    async () => {
      expect(await findNodeImports('browser.ts')).toEqual([]);
      expect(await findNodeImports('draft.ts')).toEqual([]);
      expect(await findNodeImports('react.ts')).toEqual([]);
      expect(await findNodeImports('index.ts')).toContain('node:fs');
    },
    120_000,
  );

  verifies(['DRAFT.entries'], 'share one store: what one of them freezes, the others prompt and hand out', async () => {
    const script = `
      const entries = await Promise.all(['/draft', '/react', '/ai'].map((name) => import('batonpass' + name)));
      const [draft, react, ai] = entries;
      react.useHandoffStore.getState().addDecision('Use zustand');
      draft.draftStore.getState().freezeForPlanning();
      const prompts = [draft, ai].map((entry) => entry.buildPlanAgentSystemPrompt());
      console.log(JSON.stringify([prompts, await ai.getHandoffContext.execute({}, {})]));`;
    const [prompts, context] = (await print(root, script)) as [string[], { decisions: { content: string }[] }];
    expect(prompts.map((prompt) => prompt.includes('- Use zustand'))).toEqual([true, true]);
    expect(context.decisions.map(({ content }) => content)).toEqual(['Use zustand']);
  });

  verifies(
    ['DRAFT.packed', 'BR.held.no-model-library'],
    'can be imported from the packed package alone; React and the AI SDK are named where they are missing',
    async () => {
      const folder = createFolder();
      installPacked(folder);
      linkDependencies(folder);
      const missing = ['react', 'ai', 'pg'].map((name) => existsSync(join(folder, 'node_modules', name)));
      expect(missing).toEqual([false, false, false]);
      const script = `
        const load = (name) => import('batonpass' + name).then((entry) => Object.keys(entry).length > 0, (error) => error.message);
        const answers = [];
        for (const name of ['', '/files', '/records', '/queue', '/plan', '/browser', '/mcp', '/http', '/react', '/ai']) answers.push(await load(name));
        const { createDraftStore, buildPlanAgentSystemPrompt } = await import('batonpass/draft');
        const store = createDraftStore();
        store.getState().addDecision('Use zustand');
        store.getState().freezeForPlanning();
        answers.push(buildPlanAgentSystemPrompt(store.getState().frozenPayload).includes('- Use zustand'));
        console.log(JSON.stringify(answers));`;
      expect(await print(folder, script, ['--preserve-symlinks'])).toEqual([
        ...Array(8).fill(true),
        expect.stringMatching(/Cannot find package 'react'|install react/),
        expect.stringMatching(/Cannot find package 'ai'|install ai/),
        true,
      ]);
    },
    120_000,
  );
});
