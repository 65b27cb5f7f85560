import { registerHooks } from 'node:module';
import { relative } from 'node:path';
import { fileURLToPath } from 'node:url';

/**
 * Runs the command line from its sources and reports, on standard error and as JSON, every module that it loaded: files of
 * the package by their path in `src`, packages by name, Node's own as `node:…`.
 */
const source = fileURLToPath(new URL('../../packages/batonpass/src', import.meta.url));
const loaded = new Set<string>();
registerHooks({
  load: (url, context, next) => {
    loaded.add(nameOf(url));
    return next(url, context);
  },
});

function nameOf(url: string): string {
  if (!url.startsWith('file:')) return url;
  const path = fileURLToPath(url);
  const packaged = path.split('/node_modules/').at(-1);
  if (packaged === path || packaged === undefined) return relative(source, path);
  return packaged
    .split('/')
    .slice(0, packaged.startsWith('@') ? 2 : 1)
    .join('/');
}

const { main } = await import('../../packages/batonpass/src/doors/cli/main.ts');
await main(process.argv.slice(2));
process.stderr.write(JSON.stringify([...loaded].sort()));
