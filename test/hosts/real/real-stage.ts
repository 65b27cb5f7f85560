import { execFileSync, spawnSync } from 'node:child_process';
import {
  chmodSync,
  existsSync,
  globSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { cacheFolder } from './programs.ts';
import { until } from './until.ts';

const program = join(import.meta.dirname, '../../../packages/batonpass/bin/baton.js');

/** A handoff as `baton list --json` shows it. */
export interface ShownHandoff {
  id: string;
  content: { summary: string; kind?: string; origin?: { host?: string; session?: string } };
  delivery: { state: string; injected?: unknown };
}

/** What a host gave to a hook. */
export interface KeptPayload {
  payload: { session_id: string; transcript_path?: string; hook_event_name: string };
  /** How many rows the session's transcript had when the hook ran. */
  rows: number;
}

/** A separate machine for one scene: a repository, a home, and a PATH with `baton`, Node and the system's programs. */
export class RealStage {
  readonly folder: string;
  readonly project: string;
  readonly home: string;
  readonly environment: Record<string, string>;

  constructor() {
    // Codex refuses a home below the folder for temporary files.
    const runs = join(cacheFolder, 'runs');
    mkdirSync(runs, { recursive: true });
    this.folder = mkdtempSync(join(runs, 'run-'));
    this.project = join(this.folder, 'project');
    this.home = join(this.folder, 'home');
    for (const name of ['bin', 'home', 'project', 'tmp']) mkdirSync(join(this.folder, name));
    this.environment = {
      HOME: this.home,
      PATH: `${join(this.folder, 'bin')}:/usr/local/bin:/usr/bin:/bin`,
      TMPDIR: join(this.folder, 'tmp'),
      GIT_CONFIG_GLOBAL: '/dev/null',
      GIT_CONFIG_SYSTEM: '/dev/null',
      LANG: 'C.UTF-8',
      SHELL: '/bin/sh',
    };
    symlinkSync(process.execPath, join(this.folder, 'bin/node'));
    this.install();
    this.git('init', '--quiet', '--initial-branch=main');
    this.git('-c', 'user.name=Sam', '-c', 'user.email=sam@example.com', 'commit', '-q', '--allow-empty', '-m', 'one');
  }

  /** The command as npm would install it. */
  install(): void {
    this.writeProgram('baton', `#!/bin/sh\nexec node '${program}' "$@"\n`);
  }

  /** From now on each payload that a host gives to a hook is kept, and how many rows its transcript had then. */
  keepPayloads(): void {
    const folder = join(this.folder, 'payloads');
    mkdirSync(folder, { recursive: true });
    this.breakHooks(
      [
        '[ "$2" = work ] && exec PROGRAM "$@"',
        `kept="${folder}/$$-$2.json"; cat > "$kept"`,
        `transcript=$(sed -n 's/.*"transcript_path":"\\([^"]*\\)".*/\\1/p' "$kept")`,
        // Copilot CLI names it to some hooks alone.
        `[ -n "$transcript" ] || transcript="$HOME/.copilot/session-state/$(sed -n 's/.*"session_id":"\\([^"]*\\)".*/\\1/p' "$kept")/events.jsonl"`,
        '[ ! -e "$transcript" ] || wc -l < "$transcript" > "$kept.rows"',
        'PROGRAM "$@" < "$kept"',
      ].join('\n'),
    );
  }

  /** What hosts have given to hooks since payloads are kept, in order. */
  payloads(): KeptPayload[] {
    const files = globSync(join(this.folder, 'payloads/*.json'));
    const inOrder = files.map((path) => ({ path, at_ms: statSync(path).mtimeMs })).sort((a, b) => a.at_ms - b.at_ms);
    return inOrder.map(({ path }) => ({
      payload: JSON.parse(readFileSync(path, 'utf8')),
      rows: existsSync(`${path}.rows`) ? Number(readFileSync(`${path}.rows`, 'utf8')) : 0,
    }));
  }

  /** Hands something over and gives its id. */
  create(summary: string): string {
    return (JSON.parse(this.baton('create', '--summary', summary, '--json')).handoff as ShownHandoff).id;
  }

  get(id: string): ShownHandoff {
    return JSON.parse(this.baton('show', id, '--json')).handoff as ShownHandoff;
  }

  /** What `baton doctor` finds. */
  diagnose(): { findings: { id: string; level: string; what: string }[] } {
    return JSON.parse(this.tryBaton('doctor', '--json').stdout);
  }

  /** A program on the stage's PATH, before all others. */
  writeProgram(name: string, text: string): void {
    const path = join(this.folder, 'bin', name);
    writeFileSync(path, text);
    chmodSync(path, 0o755);
  }

  /** The installed command with its hooks replaced by a script of the shell; the rest works as before. */
  breakHooks(script: string): void {
    this.writeProgram(
      'baton',
      `#!/bin/sh\n[ "$1" = hook ] || exec node '${program}' "$@"\n${script.replaceAll('PROGRAM', `node '${program}'`)}\n`,
    );
  }

  git(...words: string[]): string {
    return execFileSync('git', words, { cwd: this.project, env: this.environment, encoding: 'utf8' });
  }

  /** Runs Baton's command line and gives what it prints. @throws with what it says where it fails. */
  baton(...words: string[]): string {
    const { status, stdout, stderr } = this.tryBaton(...words);
    if (status !== 0) throw new Error(`baton ${words.join(' ')} ended with ${status}:\n${stdout}${stderr}`);
    return stdout;
  }

  tryBaton(...words: string[]): { status: number | null; stdout: string; stderr: string } {
    const options = { cwd: this.project, env: this.environment, encoding: 'utf8', timeout: command_ms } as const;
    return spawnSync(process.execPath, [program, ...words], options);
  }

  /** The handoffs of the project in every state, newest first. */
  list(): ShownHandoff[] {
    const { handoffs } = JSON.parse(this.baton('list', '--json')) as { handoffs: ShownHandoff[] };
    return handoffs;
  }

  /** The lines that hooks left in their log. */
  hookRuns(): { event: string; outcome: string; session?: string; took_ms: number; at: string; error?: unknown }[] {
    const path = join(this.project, '.git/baton/hooks.jsonl');
    if (!existsSync(path)) return [];
    const lines = readFileSync(path, 'utf8')
      .split('\n')
      .filter((line) => line.endsWith('}'));
    return lines.map((line) => JSON.parse(line));
  }

  /** Waits for a run of a hook after the first `seen` ones. */
  async waitForHook(event: string, seen = 0): Promise<void> {
    const runs = () => this.hookRuns().slice(seen);
    await until(
      () => runs().some((run) => run.event === event),
      () => `the hook ${event}; hooks that ran: ${JSON.stringify(runs())}`,
    );
  }

  /** Ends every program that has this stage's home, as what Codex and hooks leave in the background, and removes the folder. */
  async close(): Promise<void> {
    for (const pid of this.processes()) tryKill(pid, 'SIGTERM');
    const end_ms = performance.now() + end_in_ms;
    while (this.processes().length > 0) {
      if (performance.now() > end_ms) for (const pid of this.processes()) tryKill(pid, 'SIGKILL');
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
    rmSync(this.folder, { recursive: true, force: true, maxRetries: 20, retryDelay: 100 });
  }
  /** The programs that run with this stage's home in their environment. */
  private processes(): number[] {
    const lines = execFileSync('ps', ['axeww', '-o', 'pid=,args='], {
      encoding: 'utf8',
      maxBuffer: 64 * 1_024 * 1_024,
    });
    return lines
      .split('\n')
      .filter((line) => `${line} `.includes(` HOME=${this.home} `))
      .map((line) => Number.parseInt(line, 10));
  }
}

function tryKill(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(pid, signal);
  } catch {
    // It has ended meanwhile.
  }
}

/** A command of Baton's that takes longer hangs. */
const command_ms = 60_000;

/** A program that does not end by itself when it is asked to is killed after this time. */
const end_in_ms = 3_000;
