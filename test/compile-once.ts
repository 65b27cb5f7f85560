import { execFileSync } from 'node:child_process';
import { join } from 'node:path';

const root = join(import.meta.dirname, '..');

/**
 * Compiles the sources once for all processes that tests start on them: Node keeps the code, and such a process starts in
 * half of the time. A process that is killed keeps nothing, so one that ends on its own goes first.
 */
export default function compileOnce(): void {
  // Inside of what `npm ci` removes, so that nothing grows.
  process.env.NODE_COMPILE_CACHE = join(root, 'node_modules/.cache/baton-compiled');
  const source = join(root, 'packages/batonpass/src/index.ts');
  execFileSync(process.execPath, ['--eval', `import(${JSON.stringify(source)})`]);
}
