import { cpSync, mkdtempSync, realpathSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEachTest } from './after-each-test.ts';
import { root } from './tidy/source-files.ts';

/**
 * For tests that change the code itself: makes copies of the project as it is, built and with the packages of this one,
 * which are removed after each test. What is tried in a copy never touches the work tree.
 */
export function useProjectCopies(): () => string {
  const folders: string[] = [];
  afterEachTest(() => {
    for (const folder of folders.splice(0)) rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
  });
  return () => {
    const folder = realpathSync(mkdtempSync(join(tmpdir(), 'baton-copy-')));
    folders.push(folder);
    const skipped = /(?:^|\/)(?:node_modules|\.git)(?:\/|$)/;
    const filter = (from: string) => !skipped.test(from.slice(root.length));
    cpSync(root, folder, { recursive: true, preserveTimestamps: true, filter });
    symlinkSync(join(root, 'node_modules'), join(folder, 'node_modules'));
    return folder;
  };
}
