import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process';

/** A command as a host has it registered: words that are started as they are, or a line for the shell. */
export type HostCommand = { words: readonly string[] } | { line: string };

/** How a host starts it. */
export interface HostStart {
  cwd: string;
  environment: NodeJS.ProcessEnv;
  /** Its time limit: then it is killed, with all that it has started in its own group. */
  timeout_ms: number;
  /** Kills it too. */
  signal: AbortSignal;
}

/** The result of a command. */
export interface HostCommandEnd {
  /** Null where a signal ended it, or it could not be started. */
  exit_code: number | null;
  stdout: string;
  stderr: string;
  took_ms: number;
  timed_out: boolean;
  /** The system's error code where it could not be started at all, as `ENOENT`. */
  start_failure?: string;
}

/** A running command, for a caller that exchanges messages with it. */
export interface RunningCommand {
  /** Writes to its standard input. */
  write: (text: string) => void;
  /** Ends its standard input. */
  endInput: () => void;
  /** Called with each part of its standard output. */
  onOutput: (listen: (text: string) => void) => void;
  /** Ends it at once, with all that it has started in its own group. */
  kill: () => void;
  /** Resolves when it is over and nobody holds its output any more. It never rejects. */
  ended: Promise<HostCommandEnd>;
}

/** More than this of one stream is not kept: a broken command may print without end. */
const stream_characters_max = 1024 * 1024;

/** Runs a command to its end, with a text on its standard input. */
export async function runAsHost(command: HostCommand, input: string, start: HostStart): Promise<HostCommandEnd> {
  const running = startAsHost(command, start);
  running.write(input);
  running.endInput();
  return running.ended;
}

/** Starts a command as a host does: without a shell where it is words, in a process group of its own. */
export function startAsHost(command: HostCommand, { cwd, environment, timeout_ms, signal }: HostStart): RunningCommand {
  const started_ms = performance.now();
  const [file = '', ...args] = 'words' in command ? command.words : shellOf(command.line);
  const isGrouped = process.platform !== 'win32';
  const child = spawn(file, args, { cwd, env: environment, detached: isGrouped, windowsHide: true });
  const end: HostCommandEnd = { exit_code: null, stdout: '', stderr: '', took_ms: 0, timed_out: false };
  collect(child, end);
  const timer = setTimeout(() => {
    end.timed_out = true;
    kill(child);
  }, timeout_ms);
  const stop = () => kill(child);
  signal.addEventListener('abort', stop);
  if (signal.aborted) stop();
  const ended = new Promise<HostCommandEnd>((resolve) => {
    const finish = (exit_code: number | null) => {
      clearTimeout(timer);
      signal.removeEventListener('abort', stop);
      resolve({ ...end, exit_code, took_ms: Math.round(performance.now() - started_ms) });
    };
    child.once('error', (error) => {
      end.start_failure = (error as NodeJS.ErrnoException).code ?? error.message;
      finish(null);
    });
    child.once('close', finish);
  });
  return {
    write: (text) => void child.stdin.write(text),
    endInput: () => void child.stdin.end(),
    onOutput: (listen) => void child.stdout.on('data', listen),
    kill: stop,
    ended,
  };
}

function shellOf(line: string): string[] {
  return process.platform === 'win32' ? ['cmd.exe', '/d', '/s', '/c', line] : ['/bin/sh', '-c', line];
}

function collect({ stdin, stdout, stderr }: ChildProcessWithoutNullStreams, end: HostCommandEnd): void {
  stdout.setEncoding('utf8').on('data', (text: string) => {
    if (end.stdout.length < stream_characters_max) end.stdout += text;
  });
  stderr.setEncoding('utf8').on('data', (text: string) => {
    if (end.stderr.length < stream_characters_max) end.stderr += text;
  });
  // A command that does not read its input closes the pipe, which is no failure.
  stdin.on('error', () => {});
}

/** The whole group: a child of the shell would hold the output open. */
function kill(child: ChildProcessWithoutNullStreams): void {
  try {
    if (child.pid !== undefined) process.kill(process.platform === 'win32' ? child.pid : -child.pid, 'SIGKILL');
  } catch {
    // It has ended already, and left its output to a process of another group.
  }
  child.stdout.destroy();
  child.stderr.destroy();
}
