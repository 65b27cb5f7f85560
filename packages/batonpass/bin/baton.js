#!/usr/bin/env node
// Plain JavaScript that any Node can read: the version is checked before anything newer is imported.
const [major, minor] = process.versions.node.split('.').map(Number);
if (major < 22 || (major === 22 && minor < 18)) {
  process.stderr.write(
    `baton: Node ${process.versions.node} is too old; Baton needs 22.18 or newer (its database is part of Node).\n` +
      '  → Install a newer Node: https://nodejs.org, or with nvm: nvm install 24\n' +
      '  → In a clone of this repository run it as: npx baton\n',
  );
  process.exitCode = 10;
} else {
  const { enableCompileCache } = await import('node:module');
  enableCompileCache();
  const { main } = await import('../dist/cli/main.mjs');
  await main(process.argv.slice(2));
}
