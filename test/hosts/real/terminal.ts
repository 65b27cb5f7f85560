import { execFileSync, spawnSync } from 'node:child_process';
import { TimeOver, until } from './until.ts';

/** The host's program did not do at its terminal what it does for a person: no fault of Baton's. */
export class ProgramTrouble extends Error {}

/** A pseudo-terminal in which a host's interactive program runs, by tmux, which also answers what programs ask of terminals. */
export class Terminal {
  private readonly socket: string;

  /** @param socket - a path that tmux makes its own. */
  constructor(socket: string) {
    this.socket = socket;
  }

  /** Starts a program with exactly this environment. */
  start(
    words: readonly string[],
    { cwd, environment }: { cwd: string; environment: Readonly<Record<string, string>> },
  ) {
    const variables = Object.entries({ ...environment, TERM: 'xterm-256color' }).map(
      ([name, value]) => `${name}=${value}`,
    );
    const command = ['env', '-i', ...variables, ...words].map(quote).join(' ');
    this.tmux(['new-session', '-d', '-x', '160', '-y', '50', '-c', cwd, `exec ${command}`]);
  }

  /** What a person sees now; empty once the program has ended. */
  screen(): string {
    return spawnSync('tmux', ['-S', this.socket, 'capture-pane', '-p'], { encoding: 'utf8' }).stdout;
  }

  /** Types a text as it is. */
  type(text: string): void {
    this.sendKeys('-l', text);
  }

  /** Presses keys by tmux's names, as `Enter`. */
  press(...keys: string[]): void {
    this.sendKeys(...keys);
  }

  /** A program that has just ended takes no keys; what waits for their effect finds out. */
  private sendKeys(...words: string[]): void {
    spawnSync('tmux', ['-S', this.socket, 'send-keys', ...words], { stdio: 'ignore' });
  }

  /** Waits for a screen that matches one of these, and gives it. @throws with the last screen. */
  async waitForAny(patterns: readonly RegExp[]): Promise<string> {
    let seen = '';
    const isThere = () => {
      seen = this.screen();
      return patterns.some((pattern) => pattern.test(seen));
    };
    await until(isThere, () => `${patterns.join(' or ')} on the screen, which shows:\n${seen}`);
    return seen;
  }

  /** Waits for the prompt. @throws ProgramTrouble where the program does not come to it. */
  async waitForPrompt(pattern: RegExp): Promise<void> {
    await asTrouble(this.waitForAny([pattern]));
  }

  /** Presses a key again and again, because a program that is busy loses keys. @throws ProgramTrouble where it takes none. */
  async pressUntil(key: string, { isDone, mayPress, what, between_ms }: Pressing): Promise<void> {
    const press = () => {
      const seen = this.screen();
      if (isDone(seen) || !this.isRunning()) return true;
      if (mayPress?.(seen) !== false) this.press(key);
      return false;
    };
    await asTrouble(until(press, () => `${what}; the screen shows:\n${this.screen()}`, between_ms));
  }

  /** Waits until a screen matches no more. */
  async waitWhile(pattern: RegExp): Promise<void> {
    await until(
      () => !pattern.test(this.screen()),
      () => `the end of ${pattern} on the screen, which shows:\n${this.screen()}`,
    );
  }

  /** Whether the program still runs. */
  isRunning(): boolean {
    return spawnSync('tmux', ['-S', this.socket, 'has-session'], { stdio: 'ignore' }).status === 0;
  }

  /** The id of the program's process. */
  private processId(): number {
    return Number(
      execFileSync('tmux', ['-S', this.socket, 'display-message', '-p', '#{pane_pid}'], { encoding: 'utf8' }),
    );
  }

  /** Waits until the program has ended by itself. */
  async ended(): Promise<void> {
    await until(
      () => !this.isRunning(),
      () => `the program to end; it shows:\n${this.screen()}`,
    );
  }

  /** Kills the program, as a power cut would. */
  kill(): void {
    process.kill(this.processId(), 'SIGKILL');
  }

  /** Ends the terminal and what runs in it. */
  close(): void {
    spawnSync('tmux', ['-S', this.socket, 'kill-server'], { stdio: 'ignore' });
  }

  private tmux(words: readonly string[]): void {
    execFileSync('tmux', ['-S', this.socket, '-f', '/dev/null', ...words], { stdio: ['ignore', 'ignore', 'inherit'] });
  }
}

/** What a key is pressed for. */
interface Pressing {
  isDone: (screen: string) => boolean;
  mayPress?: (screen: string) => boolean;
  what: string;
  /** Between two presses. */
  between_ms: number;
}

async function asTrouble(waiting: Promise<unknown>): Promise<void> {
  try {
    await waiting;
  } catch (error) {
    if (error instanceof TimeOver) throw error;
    throw new ProgramTrouble((error as Error).message, { cause: error });
  }
}

function quote(word: string): string {
  return `'${word.replaceAll("'", `'\\''`)}'`;
}

/** A text as a pattern that matches exactly it. */
export function escapePattern(text: string): string {
  return text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');
}
