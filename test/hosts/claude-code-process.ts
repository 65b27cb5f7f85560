import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process';
import type { ProcessEnd } from './claude-code-rules.ts';
import type { RegisteredHook } from './claude-code-settings.ts';

/** What a hook's process is given. */
export interface ProcessStart {
  hook: RegisteredHook;
  payload: Readonly<Record<string, unknown>>;
  cwd: string;
  environment: Readonly<Record<string, string>>;
  timeout_ms: number;
}

/**
 * Runs a hook as the host does: the payload on stdin, and over when the process has ended and no process holds its stdout any
 * more. At the time-out its whole process group is killed; what it had started in its own group stays alive.
 */
export async function runHook({ hook, payload, cwd, environment, timeout_ms }: ProcessStart): Promise<ProcessEnd> {
  const expand = (part: string) =>
    part.replaceAll(/\$\{CLAUDE_PROJECT_DIR\}/g, () => environment.CLAUDE_PROJECT_DIR ?? '');
  const [file, args] =
    hook.args === undefined ? ['/bin/sh', ['-c', hook.command]] : [expand(hook.command), hook.args.map(expand)];
  const child = spawn(file, args, { cwd, env: environment, detached: true, stdio: ['pipe', 'pipe', 'pipe'] });
  const end: ProcessEnd = { exit_code: null, stdout: '', stderr: '', timed_out: false };
  child.stdout.setEncoding('utf8').on('data', (part: string) => {
    end.stdout += part;
  });
  child.stderr.setEncoding('utf8').on('data', (part: string) => {
    end.stderr += part;
  });
  // A hook that does not read its payload closes the pipe, which is no failure.
  child.stdin.on('error', () => undefined);
  child.stdin.end(`${JSON.stringify(payload)}\n`);
  const timer = setTimeout(() => {
    end.timed_out = true;
    stop(child);
  }, timeout_ms);
  await new Promise<void>((resolve) => {
    child.once('error', (error) => {
      // The command could not be started at all; the host shows the reason as the hook's error.
      end.stderr = String(error);
      resolve();
    });
    child.once('close', (code) => {
      end.exit_code = code;
      resolve();
    });
  });
  clearTimeout(timer);
  return end;
}

function stop(child: ChildProcessWithoutNullStreams): void {
  try {
    if (child.pid !== undefined) process.kill(-child.pid, 'SIGKILL');
  } catch {
    // It had ended already, and left its stdout to a process that lives on.
  }
  child.stdout.destroy();
  child.stderr.destroy();
}
