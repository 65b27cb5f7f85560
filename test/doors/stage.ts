import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, relative } from 'node:path';
import { text } from 'node:stream/consumers';
import { makeTemporaryFolder } from '../../packages/batonpass/src/disk/temporary-folder.ts';
import { waitForProcessesIn } from '../working-processes.ts';

/** The command as users run it. */
export const program = join(import.meta.dirname, '../../packages/batonpass/bin/baton.js');

/** What a run of the command gave. */
export interface Run {
  code: number | null;
  stdout: string;
  stderr: string;
}

/** A temporary folder with a user's surroundings of its own: nothing of the machine's user takes part. */
export interface Stage {
  folder: string;
  environment: NodeJS.ProcessEnv;
  /** Runs `baton` in the folder. */
  baton: (words: readonly string[], options?: RunOptions) => Promise<Run>;
  /** Runs `baton … --json`, expects success and gives the answer. */
  json: <T = Answer>(words: readonly string[], options?: RunOptions) => Promise<T>;
  /** Starts `baton` and leaves it running; its input is closed, or a pipe. */
  start: (words: readonly string[], input?: 'ignore' | 'pipe') => ChildProcess;
  git: (...words: string[]) => string;
  close: () => void;
}

export interface RunOptions {
  input?: string | Buffer;
  environment?: NodeJS.ProcessEnv;
  folder?: string;
}

/** The parts of the command's answer that tests read. */
export type Answer = Record<string, unknown> & { handoff: { id: string } & Record<string, unknown> };

/** Opens a stage; `git: true` makes it a repository with one commit. */
export function openStage({ git }: { git: boolean }): Stage {
  const { path: folder, remove } = makeTemporaryFolder('baton-test-');
  const environment = surroundingsOf(folder);
  const run = (words: readonly string[], options: RunOptions = {}) =>
    runProgram(words, { folder, environment, ...mergeInto(environment, options) });
  const stage: Stage = {
    folder,
    environment,
    baton: run,
    json: async (words, options) => {
      const { code, stdout, stderr } = await run([...words, '--json'], options);
      if (code !== 0) throw new Error(`baton ${words.join(' ')} ended with ${code}: ${stderr}`);
      return JSON.parse(stdout);
    },
    start: (words, input = 'ignore') =>
      spawn(process.execPath, [program, ...words], {
        cwd: folder,
        env: environment,
        stdio: [input, 'pipe', 'pipe'],
      }),
    git: (...words) => execFileSync('git', words, { cwd: folder, env: environment, encoding: 'utf8' }),
    close: () => {
      waitForProcessesIn(folder);
      remove();
    },
  };
  if (git) beginRepository(stage);
  return stage;
}

/** What git makes of a new repository with one commit, by the path of each file. */
let repository: Map<string, Buffer> | undefined;

/** Makes a folder a repository with one commit: the first by git in two processes, the others by its files. */
export function beginRepository({ folder, git }: Pick<Stage, 'folder' | 'git'>): void {
  if (repository === undefined) {
    git('init', '--quiet', '--initial-branch=main', '--template=');
    const author = ['-c', 'user.name=Sam', '-c', 'user.email=sam@example.com'];
    git(...author, 'commit', '--quiet', '--allow-empty', '--message=begin');
    const files = readdirSync(join(folder, '.git'), { recursive: true, withFileTypes: true }).filter((entry) =>
      entry.isFile(),
    );
    repository = new Map(
      files.map(({ parentPath, name }) => {
        const path = join(parentPath, name);
        return [relative(folder, path), readFileSync(path)];
      }),
    );
    return;
  }
  // Git does not recognise a folder without these two as a repository.
  for (const name of ['objects', 'refs']) mkdirSync(join(folder, '.git', name), { recursive: true });
  for (const [path, bytes] of repository) {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), bytes);
  }
}

function surroundingsOf(folder: string): NodeJS.ProcessEnv {
  const inherited = Object.entries(process.env).filter(
    ([name]) => !/^(BATON_|GIT_|CLAUDE|FORCE_COLOR|NO_COLOR)/.test(name),
  );
  return {
    ...Object.fromEntries(inherited),
    HOME: join(folder, '.home'),
    XDG_STATE_HOME: join(folder, '.state'),
    GIT_AUTHOR_NAME: 'Sam',
    GIT_AUTHOR_EMAIL: 'sam@example.com',
    GIT_COMMITTER_NAME: 'Sam',
    GIT_COMMITTER_EMAIL: 'sam@example.com',
    GIT_CONFIG_GLOBAL: '/dev/null',
    GIT_CONFIG_SYSTEM: '/dev/null',
    GIT_CEILING_DIRECTORIES: tmpdir(),
  };
}

function mergeInto(environment: NodeJS.ProcessEnv, options: RunOptions): RunOptions {
  return options.environment === undefined
    ? options
    : { ...options, environment: { ...environment, ...options.environment } };
}

async function runProgram(words: readonly string[], options: RunOptions): Promise<Run> {
  const child = spawn(process.execPath, [program, ...words], {
    cwd: options.folder,
    env: options.environment,
    stdio: ['pipe', 'pipe', 'pipe'],
  });
  child.stdin.on('error', () => {
    // A command that does not read its input may end before it is written.
  });
  child.stdin.end(options.input ?? '');
  const [stdout, stderr, code] = await Promise.all([
    text(child.stdout),
    text(child.stderr),
    new Promise<number | null>((resolve) => child.once('close', resolve)),
  ]);
  return { code, stdout, stderr };
}
