import { spawn } from 'node:child_process';

/**
 * Starts a script of this Node in a session of its own, and does not wait for it: a host that ends takes its hooks with
 * it, but not this. A script that cannot be started leaves its work to the next hook or session.
 */
export function startDetached(words: readonly string[], cwd: string, environment: NodeJS.ProcessEnv): void {
  const options = { cwd, env: environment, detached: true, stdio: 'ignore', windowsHide: true } as const;
  const child = spawn(process.execPath, words, options);
  child.once('error', () => {});
  child.unref();
}
