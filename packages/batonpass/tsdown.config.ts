import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { defineConfig } from 'tsdown';

/** A style sheet with the parts that it imports in their places: a page would fetch each of them, one after another. */
function joinSheet(path: string): string {
  const sheet = new URL(path, import.meta.url);
  return readFileSync(sheet, 'utf8').replace(/@import "(.+)";\n/g, (_, part: string) => {
    return readFileSync(new URL(part, sheet), 'utf8');
  });
}

/**
 * Makes a file of the command load each thing that it imports at its first use: most of that is for other commands.
 * Each `const require_name = require("…")` of the bundler, and `node_name` of a module of Node, becomes a function that loads
 * once, and each use of the name a call of it. Without it `baton list` takes a fifth more over bare Node.
 */
function loadAtFirstUse(code: string): string {
  const names = new Set<string>();
  const declared = code.replace(
    /^(?:const|let) ((?:node|require)_[\w$]+) = (require\(".+"\));$/gm,
    (line, name, load) => {
      // A name that is assigned again, to the default export, stays as it is.
      if (code.includes(`\n${name} = `)) return line;
      names.add(name);
      return `let $${name}; function load_${name}() { return $${name} ??= ${load}; }`;
    },
  );
  return declared.replace(/[\w$]+/g, (word) => (names.has(word) ? `(load_${word}())` : word));
}

export default defineConfig([
  {
    // The library: its dependencies stay outside, so that an application has one copy of each.
    // All entries at once: what they share, the one store of a draft above all, is then in one file.
    entry: {
      index: 'src/index.ts',
      browser: 'src/browser.ts',
      react: 'src/react.ts',
      ai: 'src/ai.ts',
      testing: 'src/testing.ts',
      mcp: 'src/mcp.ts',
      http: 'src/http.ts',
      files: 'src/files.ts',
      records: 'src/records.ts',
      queue: 'src/queue.ts',
      plan: 'src/plan.ts',
      draft: 'src/draft.ts',
    },
    outDir: 'dist/library',
    format: 'esm',
    platform: 'node',
    target: 'node22.22',
    dts: true,
    sourcemap: true,
    inputOptions: { checks: { pluginTimings: false } },
    copy: [{ from: 'src/react/tokens.css', to: 'dist/library/react' }],
    plugins: [
      {
        name: 'one-sheet',
        generateBundle() {
          this.emitFile({ type: 'asset', fileName: 'react/style.css', source: joinSheet('src/react/style.css') });
        },
      },
    ],
  },
  {
    // The command: bundled whole, because loading a hundred small files is most of a start.
    entry: { main: 'src/doors/cli/main.ts' },
    outDir: 'dist/cli',
    // Not ESM: an ESM import of `node:fs` or `node:process` runs all their getters, which load readline, workers and more.
    format: 'cjs',
    platform: 'node',
    target: 'node22.22',
    dts: false,
    // Read at every start, by nobody else; names stay, for the stack of a defect.
    outputOptions: {
      comments: false,
      // A file costs more to find than to read: what every start needs is one, and what most commands share another.
      codeSplitting: {
        groups: [
          { name: 'start', tags: ['$initial'], priority: 2 },
          { name: 'work', minShareCount: 25, priority: 1 },
        ],
      },
    },
    inputOptions: { checks: { pluginTimings: false } },
    plugins: [
      { name: 'load-at-first-use', renderChunk: loadAtFirstUse },
      {
        // Commander starts programs for commands that are files. Baton has none, and every start would load the module.
        name: 'no-programs-as-commands',
        resolveId: (source: string, importer?: string) =>
          source === 'node:child_process' && importer?.includes('/commander/') ? '\0no-programs' : undefined,
        load: (id: string) => (id === '\0no-programs' ? 'export default {};' : undefined),
      },
    ],
    alias: {
      // The same code without `node:crypto`, which takes four milliseconds to load; ids get their chance from the store.
      ulid: fileURLToPath(new URL('../../node_modules/ulid/dist/browser/index.js', import.meta.url)),
      // Its other form loads its parts by a `require` that no bundler sees.
      'jsonc-parser': fileURLToPath(new URL('../../node_modules/jsonc-parser/lib/esm/main.js', import.meta.url)),
    },
    // Models' packages and Postgres's driver stay outside: they are large, optional, and their users' choice.
    deps: { alwaysBundle: [/^(?!ai$|@ai-sdk\/|pg$)/], neverBundle: [/^ai$/, /^@ai-sdk\//, /^pg$/], onlyBundle: false },
    copy: [{ from: '../../examples/sessions/*', to: 'dist/examples' }],
  },
]);
