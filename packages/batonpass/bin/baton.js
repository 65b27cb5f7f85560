#!/usr/bin/env node
// Plain JavaScript that any Node can read: the version is checked before anything newer is imported.
const [major, minor, patch] = process.versions.node.split('.').map(Number);

// The first of each line whose SQLite keeps what two processes write at once (3.51.3).
const isSafe22 = major === 22 && (minor > 22 || (minor === 22 && patch >= 3));
const isSafe24 = major === 24 && minor >= 15;

if (isSafe22 || isSafe24 || major > 24) {
  // Node 22 warns of its own database at every start, where a result was asked for.
  const { emitWarning } = process;
  process.emitWarning = (warning, ...rest) => {
    if (!String(warning).includes('SQLite is an experimental feature')) emitWarning.call(process, warning, ...rest);
  };
  const { createRequire, enableCompileCache } = process.getBuiltinModule('node:module');
  enableCompileCache();
  const { main } = createRequire(import.meta.url)('../dist/cli/main.cjs');
  await main(process.argv.slice(2));
} else {
  process.stderr.write(
    `baton: Node ${process.versions.node} is too old; Baton needs 22.22.3, 24.15 or newer (its database is part of Node).\n` +
      '  → Install a newer Node: https://nodejs.org, or with nvm: nvm install 24\n' +
      '  → In a clone of this repository run it as: npx baton\n',
  );
  process.exitCode = 10;
}
