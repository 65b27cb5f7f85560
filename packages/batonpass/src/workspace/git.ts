import { execFile } from 'node:child_process';

/**
 * Runs git for a fact about a folder.
 *
 * Nothing that a repository's own configuration names is run: file-system monitors, pagers and prompts are off,
 * and no lock is taken, so that a hostile repository cannot act and a running git is not disturbed.
 *
 * @returns what git printed, without the last newline, or null where git is absent, refuses, or it is no repository.
 */
export function askGit(folder: string, args: readonly string[]): Promise<string | null> {
  const safe = ['-c', 'core.fsmonitor=false', '-c', 'core.hooksPath=/dev/null', '--no-pager', '-C', folder];
  const environment = { ...process.env, GIT_OPTIONAL_LOCKS: '0', GIT_TERMINAL_PROMPT: '0', LC_ALL: 'C' };
  return new Promise((resolve) => {
    execFile('git', [...safe, ...args], { env: environment, maxBuffer: 16 * 1024 * 1024 }, (error, stdout) => {
      resolve(error === null ? stdout.replace(/\r?\n$/, '') : null);
    });
  });
}
