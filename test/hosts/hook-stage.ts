import { execFile, execFileSync } from 'node:child_process';
import { chmodSync, mkdirSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Baton, type Handoff, type OperationOutput, openBaton } from '../../packages/batonpass/src/index.ts';
import { beginRepository } from '../doors/stage.ts';
import { waitForProcessesIn } from '../working-processes.ts';
import { type ClaudeCode, createClaudeCode } from './claude-code.ts';

/** The script that the installed command leads to. */
export const program = join(import.meta.dirname, '../../packages/batonpass/bin/baton.js');

const gitProgram = execFileSync('/bin/sh', ['-c', 'command -v git'], { encoding: 'utf8' }).trim();

/** What `baton doctor --json` answers. */
export type Diagnosis = OperationOutput<'project.diagnose'> & { exit_code: number };

/**
 * A repository in which `baton init` was run with an installed command, and the machine around it: a PATH that holds the
 * command, Node and git and nothing else, a home, and a folder for temporary files.
 */
export class HookStage {
  readonly folder: string;
  readonly project: string;
  environment: NodeJS.ProcessEnv;

  /** @param folder - an empty folder. */
  constructor(folder: string) {
    this.folder = folder;
    this.project = join(folder, 'project');
    for (const name of ['bin', 'home', 'tmp', 'state']) mkdirSync(join(folder, name));
    mkdirSync(this.project, { recursive: true });
    this.environment = {
      PATH: join(folder, 'bin'),
      HOME: join(folder, 'home'),
      TMPDIR: join(folder, 'tmp'),
      XDG_STATE_HOME: join(folder, 'state'),
      GIT_CONFIG_GLOBAL: '/dev/null',
      GIT_CONFIG_SYSTEM: '/dev/null',
      NODE_COMPILE_CACHE: process.env.NODE_COMPILE_CACHE,
    };
    symlinkSync(gitProgram, join(folder, 'bin/git'));
    symlinkSync(process.execPath, join(folder, 'bin/node'));
    this.install();
  }

  /** Removes the folder once no hook's worker works in it any more. */
  remove(): void {
    waitForProcessesIn(this.folder);
    rmSync(this.folder, { recursive: true, force: true, maxRetries: 20, retryDelay: 50 });
  }

  /** Makes the project a repository with one commit. */
  commit(): void {
    beginRepository({ folder: this.project, git: (...words) => this.git(...words) });
  }

  /** Makes the project a repository with the hooks and the server registered. */
  async register(): Promise<void> {
    this.commit();
    await this.run((baton) => baton.run('project.init', {}));
  }

  /** The same with these hooks alone and no server: doctor starts each that is registered. */
  async registerOnly(...events: string[]): Promise<void> {
    await this.register();
    rmSync(join(this.project, '.mcp.json'));
    this.changeSettings(({ hooks }) => {
      for (const event of Object.keys(hooks)) if (!events.includes(event)) delete hooks[event];
    });
  }

  /** The command as npm would install it: a short script that leads to ours. */
  install(): void {
    this.write('bin/baton', `#!/bin/sh\nexec node '${program}' "$@"\n`);
  }

  /**
   * Puts a program around the installed command that runs it and changes what it gives at the start of a session, as a
   * broken installation does. @param change - statements over the text `out`; `print(text)` ends it.
   */
  wrap(change: string): void {
    const script = `
      const { spawnSync } = require('node:child_process');
      const words = process.argv.slice(2);
      const run = spawnSync(process.execPath, ['${program}', ...words], { stdio: ['inherit', 'pipe', 'inherit'] });
      const out = String(run.stdout);
      const print = (text) => process.stdout.write(text);
      process.exitCode = run.status;
      if (words.join(' ') === 'hook SessionStart') { ${change} } else print(out);
    `;
    // The server talks while it runs, so its output is alone.
    this.write('wrap.cjs', script);
    const real = `[ "$1" = mcp ] && exec node '${program}' "$@"`;
    this.write('bin/baton', `#!/bin/sh\n${real}\nexec node '${join(this.folder, 'wrap.cjs')}' "$@"\n`);
  }

  /** The installed command with words of the shell before its hooks; the rest works as before. */
  breakHooks(before: string): void {
    const command = `node '${program}' "$@"`;
    this.write('bin/baton', `#!/bin/sh\n[ "$1" = hook ] || exec ${command}\n${before} ${command}\n`);
  }

  /** A file that is a program too. */
  write(path: string, text: string): void {
    writeFileSync(join(this.folder, path), text);
    chmodSync(join(this.folder, path), 0o755);
  }

  /** Changes the project's settings as a person would. */
  changeSettings(change: (settings: Settings) => void): void {
    const path = join(this.project, '.claude/settings.json');
    const settings = JSON.parse(readFileSync(path, 'utf8')) as Settings;
    change(settings);
    writeFileSync(path, JSON.stringify(settings));
  }

  /** A host that runs in these surroundings, as this process or another one that runs. */
  startHost(pid?: number): ClaudeCode {
    const { project, environment } = this;
    return createClaudeCode({ project, home: join(this.folder, 'home'), environment, ...(pid && { pid }) });
  }

  /** Hands something over and gives its id. */
  async handOver(): Promise<string> {
    const { id } = await this.run((baton) =>
      baton.run('handoff.create', { content: { summary: 'Finish the login form' } }),
    );
    return id;
  }

  async get(id: string): Promise<Handoff> {
    return await this.run((baton) => baton.run('handoff.get', { id }));
  }

  /** Asks `baton doctor`, started by hand with a Node that it can run on. */
  async diagnose(): Promise<Diagnosis> {
    const { stdout, stderr, exit_code } = await this.baton(['doctor', '--json']);
    if (stderr !== '') throw new Error(`baton doctor complains: ${stderr}`);
    return { ...(JSON.parse(stdout) as Diagnosis), exit_code };
  }

  /** What is left among the temporary files, Node's own cache apart. */
  listLeft(): string[] {
    return readdirSync(join(this.folder, 'tmp')).filter((name) => name !== 'node-compile-cache');
  }

  /** Runs the command in the project, with any PATH. */
  baton(words: readonly string[], { input = '' } = {}): Promise<{ stdout: string; stderr: string; exit_code: number }> {
    return new Promise((resolve) => {
      const options = { cwd: this.project, env: this.environment };
      const child = execFile(process.execPath, [program, ...words], options, (error, stdout, stderr) => {
        resolve({ stdout, stderr, exit_code: error === null ? 0 : Number(error.code ?? 1) });
      });
      child.stdin?.end(input);
    });
  }

  /** By the library, in these surroundings: what the tests here take for granted needs no process of its own. */
  async run<T>(work: (baton: Baton) => Promise<T>): Promise<T> {
    const baton = await openBaton({ cwd: this.project, environment: this.environment });
    try {
      return await work(baton);
    } finally {
      await baton.close();
    }
  }

  git(...words: string[]): string {
    return execFileSync('git', words, { cwd: this.project, env: this.environment, encoding: 'utf8' });
  }
}

/** The settings of the host, as far as tests change them. */
export interface Settings {
  disableAllHooks?: boolean;
  enabledPlugins?: Record<string, boolean>;
  hooks: Record<string, HookGroup[] | undefined>;
}

interface HookGroup {
  hooks: { command: string; args?: string[]; timeout?: number }[];
}
