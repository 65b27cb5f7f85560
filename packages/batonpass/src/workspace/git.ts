import { execFile } from 'node:child_process';

/** What git printed, and whether it ended well: before it fails it may have answered a part. */
export interface GitAnswer {
  ok: boolean;
  /** Without the last newline. */
  text: string;
  /** What it complained of; empty where it ended well. */
  problem: string;
}

/**
 * Runs git for facts about a folder.
 *
 * Nothing that a repository's own configuration names is run: file-system monitors, pagers and prompts are off,
 * and no lock is taken, so that a hostile repository cannot act and a running git is not disturbed.
 */
export function runGit(folder: string, args: readonly string[]): Promise<GitAnswer> {
  const safe = ['-c', 'core.fsmonitor=false', '-c', 'core.hooksPath=/dev/null', '--no-pager', '-C', folder];
  const environment = { ...process.env, GIT_OPTIONAL_LOCKS: '0', GIT_TERMINAL_PROMPT: '0', LC_ALL: 'C' };
  return new Promise((resolve) => {
    execFile('git', [...safe, ...args], { env: environment, maxBuffer: 16 * 1024 * 1024 }, (error, stdout, stderr) => {
      const problem = error === null ? '' : stderr.trim() || error.message;
      resolve({ ok: error === null, text: stdout.replace(/\r?\n$/, ''), problem });
    });
  });
}

/** What git answers, or null where git is absent, refuses, or the folder is in no repository. */
export async function askGit(folder: string, args: readonly string[]): Promise<string | null> {
  const { ok, text } = await runGit(folder, args);
  return ok ? text : null;
}
